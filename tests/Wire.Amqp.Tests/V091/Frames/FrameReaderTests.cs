using System.Buffers;
using FsCheck;
using FsCheck.Fluent;
using Wire.Amqp.Bodies;
using Wire.Amqp.V091;
using Wire.Testing;

namespace Wire.Amqp.Tests.V091.Frames;

public sealed class FrameReaderTests
{
    private static readonly Gen<byte[]> AnyFrame = Gen.OneOf(
        Gen.Constant<byte[]>([8, 0, 0, 0, 0, 0, 0, 0xCE]),
        from type in Gen.Choose(1, 3)
        from channel in Gen.Choose(0, ushort.MaxValue)
        from payload in ArbMap.Default.GeneratorFor<byte[]>()
        select Enclose((byte)type, channel, payload));

    [Fact]
    public void Any_stream_of_frames_is_read_alike_however_it_is_split() => Prop.ForAll(AnyFrame.ListOf().ToArbitrary(), frames =>
    {
        byte[] all = [.. frames.SelectMany(frame => frame)];
        string[] expected = [.. frames.Select(Convert.ToHexString)];
        foreach (ReadOnlySequence<byte> split in Sequences.SplitEverywhere(all)
            .Concat([Sequences.Chunked(all, 1), Sequences.Chunked(all, 3), Sequences.Chunked(all, 11), new(all)]))
        {
            var reader = new FrameReader(split, 4096, 1000);
            Assert.Equal(expected, ReadAll(ref reader));
            Assert.Equal(all.Length, reader.Consumed);
            Assert.Equal(0, split.Slice(reader.Position).Length);
        }

        var whole = new FrameReader((ReadOnlyMemory<byte>)all, 0);
        Assert.Equal(expected, ReadAll(ref whole));
    }).QuickCheckThrowOnFailure();

    [Fact]
    public void Frames_come_out_as_their_bytes_come_in() => Prop.ForAll(AnyFrame.ListOf().ToArbitrary(), frames =>
    {
        byte[] all = [.. frames.SelectMany(frame => frame)];
        List<string> read = [];
        int consumed = 0;
        for (int received = 0; received <= all.Length; received++)
        {
            var reader = new FrameReader(Sequences.Chunked(all[consumed..received], 5), 4096);
            long before = reader.Consumed;
            read.AddRange(ReadAll(ref reader));
            consumed += (int)(reader.Consumed - before);

            // With as many bytes as it says are missing, and the size known, the frame is there.
            if (received - consumed >= 7)
            {
                var rest = new FrameReader(all.AsMemory(consumed, received - consumed + (int)reader.Missing), 4096);
                Assert.True(rest.TryRead(out Frame _));
                Assert.Equal(received - consumed + reader.Missing, rest.Consumed);
            }
            else
            {
                Assert.Equal(8 - (received - consumed), reader.Missing);
            }
        }

        Assert.Equal(frames.Select(Convert.ToHexString), read);
    }).QuickCheckThrowOnFailure();

    [Fact]
    public void A_payload_in_one_segment_is_a_view_of_it()
    {
        byte[] bytes = [.. Enclose(3, 1, [1, 2, 3]), .. Enclose(3, 1, [4, 5, 6])];
        var reader = new FrameReader(bytes, 4096);
        Assert.True(reader.TryRead(out Frame first));
        Assert.True(reader.TryRead(out Frame second));
        bytes[8] = 20;
        Assert.Equal([1, 20, 3], first.Payload.ToArray());
        Assert.Equal((3, 11), (second.PayloadLength, second.Offset));
    }

    [Theory]
    [InlineData(100)]
    [InlineData(4096)]
    [InlineData(131072)]
    public void A_frame_of_the_agreed_size_is_taken_and_a_larger_one_refused_from_its_header(int frameMax)
    {
        byte[] largest = Enclose(3, 1, new byte[frameMax - 8]);
        byte[] larger = Enclose(3, 1, new byte[frameMax - 7]);
        var reader = new FrameReader(largest, frameMax);
        Assert.True(reader.TryRead(out Frame frame));
        Assert.Equal(frameMax - 8, frame.PayloadLength);

        for (int received = 0; received < 7; received++)
        {
            var early = new FrameReader(larger.AsMemory(0, received), frameMax);
            Assert.False(early.TryRead(out _));
        }

        foreach (int received in new[] { 7, 8, frameMax, frameMax + 1 })
        {
            AmqpFormatException e = Refused(larger[..received], frameMax, 50);
            Assert.Equal((AmqpFormatError.Frame, 50), (e.Error, e.Offset));
            Assert.Contains($"up to {frameMax} bytes, found one of {frameMax + 1}", e.Message, StringComparison.Ordinal);
        }

        var unlimited = new FrameReader(larger, 0);
        Assert.True(unlimited.TryRead(out _));
    }

    [Fact]
    public void A_size_of_4_GiB_is_waited_for_only_where_there_is_no_limit()
    {
        byte[] header = [3, 0, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0];
        Assert.Equal(AmqpFormatError.Frame, Refused(header, int.MaxValue).Error);
        var unlimited = new FrameReader(header, 0);
        Assert.False(unlimited.TryRead(out _));
        Assert.Equal(uint.MaxValue, unlimited.Missing);
    }

    [Fact]
    public void What_is_no_frame_is_refused()
    {
        foreach (int type in Enumerable.Range(0, 256).Except([1, 2, 3, 8]))
        {
            AmqpFormatException e = Refused(Enclose((byte)type, 0, []), 0);
            Assert.Equal((AmqpFormatError.Frame, 0), (e.Error, e.Offset));
            Assert.Contains($"found the type {type} ", e.Message, StringComparison.Ordinal);
        }

        foreach (int end in Enumerable.Range(0, 256).Except([0xCE]))
        {
            byte[] bytes = Enclose(1, 1, [1, 2, 3]);
            bytes[^1] = (byte)end;
            AmqpFormatException e = Refused([.. bytes, 0xCE], 0);
            Assert.Equal((AmqpFormatError.Frame, 10), (e.Error, e.Offset));
        }

        Assert.Contains("on channel 1 with 0 bytes", Refused(Enclose(8, 1, []), 0).Message, StringComparison.Ordinal);
        Assert.Contains("on channel 0 with 1 bytes", Refused(Enclose(8, 0, [0]), 0).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void After_a_bad_frame_those_before_it_have_been_read()
    {
        byte[] bytes = [.. Enclose(1, 1, [0, 10, 0, 51]), 9, .. new byte[9]];
        foreach (ReadOnlySequence<byte> split in Sequences.SplitEverywhere(bytes))
        {
            var reader = new FrameReader(split, 0);
            Assert.True(reader.TryRead(out Frame frame));
            frame.ReadMethod<ConnectionCloseOk>();
            try
            {
                reader.TryRead(out _);
                Assert.Fail("A frame of type 9 was read.");
            }
            catch (AmqpFormatException e)
            {
                Assert.Equal(12, e.Offset);
            }

            Assert.Equal(12, reader.Consumed);
        }
    }

    [Fact]
    public void The_answer_of_a_server_with_another_version_is_recognised()
    {
        var output = new ArrayBufferWriter<byte>();
        new ProtocolHeader(3, 1, 0, 0).Write(output);
        ProtocolHeader.Version091.Write(output);
        byte[] bytes = output.WrittenSpan.ToArray();
        Assert.Equal("AMQP\x3\x1\0\0AMQP\0\0\x9\x1"u8, bytes);
        foreach (ReadOnlySequence<byte> split in Sequences.SplitEverywhere(bytes))
        {
            Assert.True(ProtocolHeader.TryRead(split, out ProtocolHeader first));
            Assert.Equal(new ProtocolHeader(3, 1, 0, 0), first);
            Assert.True(ProtocolHeader.TryRead(split.Slice(8), out ProtocolHeader second));
            Assert.Equal(ProtocolHeader.Version091, second);
            Assert.False(ProtocolHeader.TryRead(split.Slice(9), out _));
            Assert.False(ProtocolHeader.TryRead(split.Slice(1), out _));
        }

        Assert.Contains("AMQP 0-9-1", Refused(bytes[8..], 4096).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_frame_max_that_leaves_no_room_is_refused()
    {
        foreach (int frameMax in new[] { -1, 1, 8 })
        {
            Assert.Throws<ArgumentOutOfRangeException>(() => new FrameReader(default(ReadOnlyMemory<byte>), frameMax));
        }
    }

    private static byte[] Enclose(byte type, int channel, byte[] payload) =>
    [
        type,
        (byte)(channel >> 8),
        (byte)channel,
        (byte)(payload.Length >> 24),
        (byte)(payload.Length >> 16),
        (byte)(payload.Length >> 8),
        (byte)payload.Length,
        .. payload,
        0xCE,
    ];

    private static List<string> ReadAll(ref FrameReader reader)
    {
        List<string> frames = [];
        while (reader.TryRead(out Frame frame))
        {
            Assert.Equal(frame.PayloadLength, frame.Payload.Length);
            frames.Add(Convert.ToHexString(Enclose((byte)frame.Type, frame.Channel, frame.Payload.ToArray())));
        }

        return frames;
    }

    private static AmqpFormatException Refused(byte[] bytes, int frameMax, long offset = 0)
    {
        AmqpFormatException whole = Assert.Throws<AmqpFormatException>(() => new FrameReader(bytes, frameMax, offset).TryRead(out _));
        AmqpFormatException split =
            Assert.Throws<AmqpFormatException>(() => new FrameReader(Sequences.Chunked(bytes, 1), frameMax, offset).TryRead(out _));
        Assert.Equal((whole.Error, whole.Offset, whole.Message), (split.Error, split.Offset, split.Message));
        return whole;
    }
}
