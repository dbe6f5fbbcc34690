using System.Buffers;
using FsCheck;
using FsCheck.Fluent;
using Wire.Amqp.Bodies;
using Wire.Amqp.V091;
using Wire.Testing;

namespace Wire.Amqp.Tests.Bodies;

/// <summary>Bodies alone, in one piece, for clients that make the frames themselves.</summary>
public sealed class BodyBufferTests
{
    private static readonly Serializer Serializer =
        new(new SerializerOptions { TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<Message>() });

    [Fact]
    public void What_was_written_comes_in_one_piece_however_it_was_written() => Prop.ForAll<int[]>(sizes =>
    {
        using var buffer = new BodyBuffer();
        for (int round = 0; round < 2; round++)
        {
            var expected = new List<byte>();
            foreach (int size in sizes.Select(size => Math.Abs(size % 100) * 1000))
            {
                byte[] part = new byte[size];
                part.AsSpan().Fill((byte)(size / 1000));
                Assert.True(buffer.GetMemory(size).Length >= Math.Max(size, 1));
                part.CopyTo(buffer.GetSpan(size));
                buffer.Advance(size);
                expected.AddRange(part);
            }

            Assert.Equal(expected.Count, buffer.Length);
            Assert.Equal(expected.ToArray(), buffer.Written.ToArray());
            buffer.Clear();
            Assert.Equal(0, buffer.Length);
        }
    }).QuickCheckThrowOnFailure();

    [Fact]
    public void A_body_alone_is_the_payload_of_the_serializer()
    {
        var message = new OrderPlaced(Guid.NewGuid(), "Ada", new byte[300]);
        using var buffer = new BodyBuffer();
        string? encoding = new AmqpBody(Serializer).Write<Message>(buffer, message);

        Assert.Null(encoding);
        Assert.Equal(Serializer.Serialize<Message>(message), buffer.Written.ToArray());
    }

    [Fact]
    public void Bodies_are_written_one_behind_the_other_and_compressed_where_that_makes_them_smaller()
    {
        var body = new AmqpBody(Serializer, new AmqpBodyOptions { Compression = Compression.GZip });
        byte[] noise = new byte[5000];
        new Random(1).NextBytes(noise);
        Message[] messages =
        [
            new OrderPlaced(Guid.NewGuid(), "zeros", new byte[5000]),
            new OrderPlaced(Guid.NewGuid(), "noise", noise),
            new OrderPlaced(Guid.NewGuid(), "small", []),
        ];
        using var buffer = new BodyBuffer();
        var read = new List<Message>();
        var encodings = new List<string?>();
        foreach (Message message in messages)
        {
            int start = buffer.Length;
            encodings.Add(body.Write(buffer, message));
            var properties = new BasicProperties { ContentEncoding = encodings[^1] };
            read.Add(body.Read<Message>(in properties, new ReadOnlySequence<byte>(buffer.Written[start..]))!);
        }

        Assert.Equal(["gzip", null, null], encodings);
        Assert.Equal(messages, read);
    }

    [Fact]
    public void What_fails_leaves_the_buffer_as_it_was()
    {
        var body = new AmqpBody(Serializer);
        using var buffer = new BodyBuffer();
        body.Write(buffer, "before");
        byte[] before = buffer.Written.ToArray();

        Assert.Throws<UnsupportedTypeException>(() => body.Write(buffer, new object[] { new byte[10_000], (Action)(() => { }) }));
        Assert.Equal(before, buffer.Written.ToArray());
    }

    [Fact]
    public void In_steady_state_nothing_is_allocated()
    {
        var body = new AmqpBody(Serializer);
        Message message = new OrderPlaced(Guid.NewGuid(), "Ada", new byte[20_000]);
        using var buffer = new BodyBuffer();
        Allocations.AssertNone(() =>
        {
            body.Write(buffer, message);
            buffer.Clear();
        });
        Assert.Equal(0, buffer.Length);
    }

    [Fact]
    public void No_more_can_be_advanced_than_there_is_and_nothing_is_written_when_it_has_been_disposed_of()
    {
        var buffer = new BodyBuffer();
        int room = buffer.GetSpan().Length;
        Assert.Throws<ArgumentOutOfRangeException>(() => buffer.Advance(room + 1));
        Assert.Throws<ArgumentOutOfRangeException>(() => buffer.Advance(-1));
        Assert.Throws<ArgumentOutOfRangeException>(() => buffer.GetSpan(-1));

        buffer.Dispose();
        buffer.Dispose();
        Assert.Equal(0, buffer.Length);
        Assert.Throws<ObjectDisposedException>(() => buffer.GetSpan());
    }

    [Fact]
    public void The_name_of_a_type_is_what_the_message_says_of_it()
    {
        Assert.Equal(
            "Wire.Amqp.Tests.Bodies.Envelope<Wire.Amqp.Tests.Bodies.OrderPlaced>", AmqpBody.TypeName(typeof(Envelope<OrderPlaced>)));
        Assert.Null(AmqpBody.TypeName(typeof(Envelope<Envelope<Envelope<Envelope<Envelope<Envelope<Envelope<Envelope<OrderPlaced>>>>>>>>)));
    }
}
