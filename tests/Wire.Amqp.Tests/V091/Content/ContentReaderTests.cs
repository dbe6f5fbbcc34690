using System.Buffers;
using System.Text;
using Wire.Amqp.Bodies;
using Wire.Amqp.V091;
using Wire.Testing;

namespace Wire.Amqp.Tests.V091.Content;

public sealed class ContentReaderTests
{
    private const int FrameMax = 4096;

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(FrameMax - 8)]
    [InlineData(FrameMax - 7)]
    [InlineData(20_000)]
    public void A_message_is_the_same_however_it_was_received(int size)
    {
        byte[] body = Body(size);
        byte[] bytes = Message(body);
        using var content = new ContentReader();
        foreach (bool keep in new[] { false, true })
        {
            foreach (int chunk in new[] { 1, 7, 100, 4096, bytes.Length })
            {
                var frames = new FrameReader(Sequences.Chunked([.. bytes], chunk), FrameMax);
                Read(ref frames, content, keep);
                AssertRead(content, body);
            }
        }
    }

    [Fact]
    public void What_is_kept_outlives_the_input()
    {
        byte[] body = Body(20_000);
        byte[] bytes = Message(body);
        using var content = new ContentReader();

        // As a connection receives: each frame in a buffer that the next one is received into.
        for (int round = 0; round < 3; round++)
        {
            byte[] received = new byte[FrameMax];
            for (int at = 0; at < bytes.Length;)
            {
                int length = (int)NetworkOrder.Read<uint>(bytes.AsSpan(at + 3)) + 8;
                bytes.AsSpan(at, length).CopyTo(received);
                var frames = new FrameReader(received.AsMemory(0, length), FrameMax);
                Assert.True(frames.TryRead(out Frame frame));
                if (at == 0)
                {
                    content.BeginMessage(in frame);
                }
                else
                {
                    content.Add(in frame);
                }

                content.Keep();
                received.AsSpan().Fill(0xEE);
                at += length;
            }

            AssertRead(content, body);
        }
    }

    [Fact]
    public void A_damaged_content_header_gives_the_message_up()
    {
        Frame[] frames = Frames(Message(Body(100)));
        var damaged = new FrameReader(new byte[] { 2, 0, 3, 0, 0, 0, 2, 0, 60, 0xCE }, FrameMax);
        Assert.True(damaged.TryRead(out Frame header));
        using var content = new ContentReader();
        content.BeginMessage(in frames[0]);
        Assert.Equal(AmqpFormatError.Length, Assert.Throws<AmqpFormatException>(() => content.Add(in header)).Error);
        Assert.False(content.IsIncomplete);
        content.BeginMessage(in frames[0]);
        Assert.False(content.Add(in frames[1]));
        Assert.True(content.Add(in frames[2]));
    }

    [Fact]
    public void Body_frames_without_payload_take_no_memory()
    {
        Frame[] frames = Frames(Message(Body(100)));
        var empty = new FrameReader(new byte[] { 3, 0, 3, 0, 0, 0, 0, 0xCE }, FrameMax);
        Assert.True(empty.TryRead(out Frame nothing));
        using var content = new ContentReader();
        Allocations.AssertNone(() =>
        {
            // From the beginning, where there is no room left by the frames of the time before.
            content.Clear();
            content.BeginMessage(in frames[0]);
            content.Add(in frames[1]);
            for (int i = 0; i < 10_000; i++)
            {
                content.Add(in nothing);
            }
        });
        Assert.True(content.IsIncomplete && content.Body.IsEmpty);
        content.Keep();
        Assert.True(content.Add(in frames[2]));
        Assert.Equal(Body(100), content.Body.ToArray());
    }

    [Fact]
    public void What_is_forgotten_is_not_held_on_to()
    {
        using var content = new ContentReader();
        WeakReference input = ReadAndForget(content);
        GC.Collect();
        GC.WaitForPendingFinalizers();
        GC.Collect();
        Assert.False(input.IsAlive);
    }

    [Fact]
    public void A_large_message_before_a_small_one_is_forgotten_as_well()
    {
        using var content = new ContentReader();
        WeakReference input = ReadAndForget(content, then: Message(Body(1)));
        GC.Collect();
        GC.WaitForPendingFinalizers();
        GC.Collect();
        Assert.False(input.IsAlive);
    }

    [Fact]
    public void A_frame_that_no_memory_holds_is_not_kept()
    {
        const long Size = 3L << 30;
        var frames = new FrameReader(Sequences.Huge([1, 0, 3, 0xC0, 0, 0, 0, 0, 60, 0, 40], Size - 4, 0xCE), 0);
        Assert.True(frames.TryRead(out Frame method));
        Assert.Equal(Size, method.PayloadLength);
        using var content = new ContentReader();
        content.BeginMessage(in method);
        foreach (Action action in (Action[])[content.Keep, () => content.Method.ReadMethod<BasicPublish>()])
        {
            AmqpFormatException e = Assert.Throws<AmqpFormatException>(action);
            Assert.Equal((AmqpFormatError.Frame, 0L), (e.Error, e.Offset));
        }
    }

    [Fact]
    public void Frames_out_of_order_are_errors_and_the_next_message_is_read()
    {
        byte[] bytes = Message(Body(5000));
        Frame[] frames = Frames(bytes);
        Frame[] others = Frames(Message(Body(5000), channel: 4));
        using var content = new ContentReader();
        Assert.Throws<InvalidOperationException>(() => content.Add(in frames[1]));
        Assert.Throws<ArgumentException>(() => content.BeginMessage(in frames[1]));
        Refused("a content header", frames[0], frames[2]);
        Refused("a content header", frames[0], others[1]);
        Refused("a content header", frames[0], frames[0]);
        Refused("5000 more bytes", frames[0], frames[1], frames[1]);
        Refused("912 more bytes", frames[0], frames[1], frames[2], others[3]);
        Refused("912 more bytes", frames[0], frames[1], frames[2], frames[2]);
        Refused("912 more bytes", frames[0], frames[1], frames[2], frames[0]);

        void Refused(string expected, params Frame[] taken)
        {
            content.BeginMessage(in taken[0]);
            foreach (Frame frame in taken[1..^1])
            {
                Assert.False(content.Add(in frame));
            }

            AmqpFormatException e = Assert.Throws<AmqpFormatException>(() =>
            {
                if (taken[^1].Type == FrameType.Method)
                {
                    content.BeginMessage(in taken[^1]);
                }
                else
                {
                    content.Add(in taken[^1]);
                }
            });
            Assert.Equal(AmqpFormatError.Frame, e.Error);
            Assert.Contains(expected, e.Message, StringComparison.Ordinal);
            Assert.Throws<InvalidOperationException>(() => content.Add(in frames[1]));
            content.BeginMessage(in frames[0]);
            foreach (Frame frame in frames[1..])
            {
                content.Add(in frame);
            }

            AssertRead(content, Body(5000));
        }
    }

    [Fact]
    public void A_body_that_is_larger_than_is_taken_is_passed_over_and_the_next_one_read()
    {
        Frame[] frames = Frames(Message(Body(5000)));
        using var content = new ContentReader(maxBodySize: 4999);
        for (int round = 0; round < 2; round++)
        {
            content.BeginMessage(in frames[0]);
            Assert.Throws<InvalidOperationException>(() => content.BodySize);
            for (int i = 1; i < frames.Length; i++)
            {
                Assert.Equal(i == frames.Length - 1, content.Add(in frames[i]));
                Assert.Equal((true, 5000), (content.IsTooLarge, content.BodySize));
                content.Keep();
                AmqpFormatException e = Assert.Throws<AmqpFormatException>(() => content.Body);
                Assert.Equal(AmqpFormatError.TooLarge, e.Error);
                Assert.Contains("5000", e.Message, StringComparison.Ordinal);
                Assert.Contains("4999", e.Message, StringComparison.Ordinal);
            }

            byte[] fits = Body(4999);
            Frame[] next = Frames(Message(fits));
            content.BeginMessage(in next[0]);
            for (int i = 1; i < next.Length; i++)
            {
                content.Add(in next[i]);
            }

            Assert.Equal((false, 4999), (content.IsTooLarge, content.BodySize));
            AssertRead(content, fits);
        }
    }

    [Fact]
    public void A_body_that_came_in_single_bytes_is_kept_in_few_parts()
    {
        byte[] body = Body(40_000);
        using var content = new ContentReader();
        Frame[] frames = Frames(Message(body));
        content.BeginMessage(in frames[0]);
        content.Add(in frames[1]);
        for (int i = 0; i < body.Length; i++)
        {
            content.Add(new Frame(FrameType.Body, 3, new ReadOnlySequence<byte>([body[i]]), 0));
            if (i % 1000 == 999)
            {
                content.Keep();
            }
        }

        Assert.Equal(body, content.Body.ToArray());
        int parts = 0;
        foreach (ReadOnlyMemory<byte> part in content.Body)
        {
            parts++;
        }

        Assert.Equal(40, parts);
    }

    [Fact]
    public void In_steady_state_nothing_is_allocated()
    {
        byte[] bytes = Message(Body(20_000));
        var input = new ReadOnlySequence<byte>(bytes);
        using var content = new ContentReader();
        Allocations.AssertNone(() =>
        {
            var frames = new FrameReader(in input, FrameMax);
            Read(ref frames, content, keep: true);
        });
        Assert.True(content.IsComplete);
    }

    // Not inlined: what it has on the stack is gone when it has returned.
    [System.Runtime.CompilerServices.MethodImpl(System.Runtime.CompilerServices.MethodImplOptions.NoInlining)]
    private static WeakReference ReadAndForget(ContentReader content, byte[]? then = null)
    {
        byte[] input = Message(Body(10_000));
        var frames = new FrameReader(Sequences.Of(input), FrameMax);
        Read(ref frames, content, keep: false);
        Assert.Equal(10_000, content.Body.Length);
        if (then is not null)
        {
            frames = new FrameReader(Sequences.Of(then), FrameMax);
            Read(ref frames, content, keep: false);
        }

        content.Clear();
        return new WeakReference(input);
    }

    private static void Read(ref FrameReader frames, ContentReader content, bool keep)
    {
        frames.TryRead(out Frame method);
        content.BeginMessage(in method);
        bool complete = false;
        while (frames.TryRead(out Frame frame))
        {
            if (keep)
            {
                content.Keep();
            }

            complete = content.Add(in frame);
        }

        if (!complete)
        {
            throw new InvalidOperationException("The message is not complete.");
        }
    }

    private static void AssertRead(ContentReader content, byte[] body)
    {
        Assert.True(content.IsComplete && !content.IsIncomplete);
        Assert.Equal(
            ("tag", 77UL),
            (content.Method.ReadMethod<BasicDeliver>().ConsumerTag.ToString(), content.Method.ReadMethod<BasicDeliver>().DeliveryTag));
        BasicProperties properties = content.Header.ReadContentHeader().Properties;
        Assert.Equal("application/x-wire", properties.ContentType.ToString());
        Assert.True(properties.Headers.TryGetValue("count", out FieldValue count) && count == 5);
        Assert.Equal(body, content.Body.ToArray());
    }

    private static Frame[] Frames(byte[] bytes)
    {
        var frames = new List<Frame>();
        for (var reader = new FrameReader(bytes, FrameMax); reader.TryRead(out Frame frame);)
        {
            frames.Add(frame);
        }

        return [.. frames];
    }

    private static byte[] Message(byte[] body, ushort channel = 3)
    {
        var output = new ArrayBufferWriter<byte>();
        FrameWriter.Write(output, channel, new BasicDeliver { ConsumerTag = "tag", DeliveryTag = 77, Exchange = "e", RoutingKey = "k" });
        var headers = new FieldTableBuilder();
        headers.Add("count", 5);
        FrameWriter.WriteContentHeader(
            output, channel, (ulong)body.Length, new BasicProperties { ContentType = AmqpBody.ContentType, Headers = headers.ToTable() });
        FrameWriter.WriteBody(output, channel, body, FrameMax);
        return output.WrittenSpan.ToArray();
    }

    private static byte[] Body(int size) =>
        Encoding.ASCII.GetBytes(string.Concat(Enumerable.Range(0, (size / 4) + 1).Select(i => $"{i % 10_000:D4}")))[..size];
}
