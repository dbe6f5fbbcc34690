using System.Buffers;
using FsCheck;
using FsCheck.Fluent;
using Wire.Amqp.V091;
using Wire.Testing;

namespace Wire.Amqp.Tests.V091.Methods;

public sealed class MethodTests
{
    // Texts, bits, numbers and tables with something in them.
    private static readonly byte[] Sample = [.. Enumerable.Range(1, 40).SelectMany(i => new byte[] { 2, 3, (byte)i })];

    public static TheoryData<string> Names => [.. MethodTester.All.Select(method => method.Name)];

    [Theory]
    [MemberData(nameof(Names))]
    public void Every_method_is_read_as_it_was_written_however_it_is_split(string name)
    {
        MethodTester method = Of(name);
        Prop.ForAll<byte[], ushort>((noise, channel) =>
        {
            (string values, byte[] bytes) = method.Write(noise, channel);
            foreach (ReadOnlySequence<byte> split in Sequences.SplitEverywhere(bytes).Append(Sequences.Chunked(bytes, 1)))
            {
                Frame frame = ReadOne(split);
                Assert.Equal((FrameType.Method, channel, method.Id), (frame.Type, frame.Channel, frame.MethodId));
                Assert.Equal(values, method.Read(frame));
            }
        }).QuickCheckThrowOnFailure();
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void Arguments_fill_their_frame_exactly(string name)
    {
        MethodTester method = Of(name);
        byte[] payload = method.Write(Sample, 1).Frame[7..^1];
        for (int cut = 0; cut < payload.Length; cut++)
        {
            Frame frame = Enclose(payload[..cut]);
            AmqpFormatException e = Assert.Throws<AmqpFormatException>(() => method.Read(frame));
            Assert.Equal((AmqpFormatError.Length, 0), (e.Error, e.Missing));
            Assert.InRange(e.Offset, 7, 7 + cut);
        }

        Frame longer = Enclose([.. payload, 0]);
        AmqpFormatException trailing = Assert.Throws<AmqpFormatException>(() => method.Read(longer));
        Assert.Equal((AmqpFormatError.Length, 7 + payload.Length), (trailing.Error, trailing.Offset));
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void Another_method_than_the_expected_one_is_named(string name)
    {
        MethodTester method = Of(name);
        foreach (MethodTester other in MethodTester.All.Where(other => other.Id != method.Id))
        {
            Frame frame = ReadOne(new(other.Write([], 3).Frame));
            AmqpFormatException e = Assert.Throws<AmqpFormatException>(() => method.Read(frame));
            Assert.Equal(AmqpFormatError.UnexpectedType, e.Error);
            Assert.Contains($"Expected {name}, found {other.Name} on channel 3", e.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void A_frame_without_a_method_or_with_an_unknown_one_says_so()
    {
        Frame unknown = Enclose([0x12, 0x34, 0, 7]);
        Assert.Equal((MethodId)0x12340007, unknown.MethodId);
        AmqpFormatException e = Assert.Throws<AmqpFormatException>(() => unknown.ReadMethod<TxSelect>());
        Assert.Contains("found the unknown method 4660.7", e.Message, StringComparison.Ordinal);

        Frame heartbeat = ReadOne(new([8, 0, 0, 0, 0, 0, 0, 0xCE]));
        Assert.Equal((MethodId)0, heartbeat.MethodId);
        e = Assert.Throws<AmqpFormatException>(() => heartbeat.ReadMethod<TxSelect>());
        Assert.Contains("found a frame of type Heartbeat", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void What_is_reserved_is_ignored_when_it_is_read_and_written_as_nothing()
    {
        byte[] payload = [0, 60, 0, 40, 0xAB, 0xCD, 1, (byte)'x', 1, (byte)'k', 0b1111_1101];
        BasicPublish method = Enclose(payload).ReadMethod<BasicPublish>();
        Assert.Equal(
            ("x", "k", true, false), (method.Exchange.ToString(), method.RoutingKey.ToString(), method.Mandatory, method.Immediate));
        byte[] written = new byte[FrameWriter.SizeOf(method)];
        FrameWriter.Write(written, 1, method);
        Assert.Equal([0, 60, 0, 40, 0, 0, 1, (byte)'x', 1, (byte)'k', 1], written[7..^1]);
    }

    [Fact]
    public void A_short_string_takes_255_bytes_and_not_one_more()
    {
        var output = new ArrayBufferWriter<byte>();
        FrameWriter.Write(output, 1, new BasicCancelOk { ConsumerTag = new string('x', 255) });
        Assert.Equal(8 + 4 + 256, output.WrittenCount);
        foreach (AmqpString tooLong in new AmqpString[] { new string('x', 256), new string('\u00fc', 128), new(new byte[256]) })
        {
            var method = new BasicCancelOk { ConsumerTag = tooLong };
            Assert.Throws<ArgumentException>(() => FrameWriter.SizeOf(method));
            Assert.Throws<ArgumentException>(() => FrameWriter.Write(output, 1, method));
            Assert.Throws<ArgumentException>(() => FrameWriter.Write(new byte[600], 1, method));
        }

        Assert.Equal(8 + 4 + 256, output.WrittenCount);
    }

    private static MethodTester Of(string name) => MethodTester.All.Single(method => method.Name == name);

    private static Frame Enclose(byte[] payload) =>
        ReadOne(new([1, 0, 3, 0, 0, (byte)(payload.Length >> 8), (byte)payload.Length, .. payload, 0xCE]));

    private static Frame ReadOne(ReadOnlySequence<byte> bytes)
    {
        var reader = new FrameReader(bytes, 0);
        Assert.True(reader.TryRead(out Frame frame));
        Assert.Equal(bytes.Length, reader.Consumed);
        return frame;
    }
}
