using System.Buffers.Binary;
using FsCheck;
using FsCheck.Fluent;
using Wire.Amqp;
using Wire.RabbitMQ.Streams.Links;
using Wire.Transport.Segments;

namespace Wire.RabbitMQ.Streams.Tests.Links;

/// <summary>Frames lie in one piece and stay as they are as long as somebody reads them, however they come.</summary>
public sealed class FrameBufferTests
{
    private const int Most = 1 << 24;

    [Fact]
    public void Frames_of_any_sizes_in_receives_of_any_sizes_stay_intact_as_long_as_they_are_leased()
    {
        Gen<int> size = Gen.Frequency(
            (6, Gen.Choose(4, 300)),
            (3, Gen.Choose(4, 100_000)),
            (1, Gen.Choose(100_000, 1_500_000)));
        Gen<(int[] Frames, int[] Receives, int[] Kept, bool IsSubscribed)> feeds =
            from frames in size.ArrayOf(20)
            from receives in Gen.Frequency((1, Gen.Choose(1, 2000)), (3, Gen.Choose(1, 70_000)), (1, Gen.Constant(int.MaxValue)))
                .NonEmptyListOf()
            from kept in Gen.Choose(0, 6).NonEmptyListOf()
            from subscribed in Gen.Elements(true, false)
            select (frames, receives.ToArray(), kept.ToArray(), subscribed);
        Prop.ForAll(feeds.ToArbitrary(), feed => Feed(feed.Frames, feed.Receives, feed.Kept, feed.IsSubscribed)).Check(
            Config.QuickThrowOnFailure.WithMaxTest(20));
    }

    [Fact]
    public void Segments_are_used_again_when_nobody_reads_them()
    {
        using var buffer = new FrameBuffer(Most) { SegmentSize = 1 << 20 };
        byte[] frame = Frame(200_000, 1);
        var segments = new HashSet<ReceiveSegment>(ReferenceEqualityComparer.Instance);
        var leased = new Queue<ReceiveSegment>();
        for (int i = 0; i < 1000; i++)
        {
            Receive(buffer, frame);
            Assert.True(buffer.TryRead(out _));
            ReceiveSegment segment = buffer.Lease();
            segments.Add(segment);
            leased.Enqueue(segment);
            if (leased.Count > 3)
            {
                leased.Dequeue().Release();
            }
        }

        // Four frames at a time lie in two segments or three.
        Assert.InRange(segments.Count, 1, 6);
    }

    [Fact]
    public void A_large_frame_is_not_copied_for_each_receive_and_its_memory_is_let_go()
    {
        using var buffer = new FrameBuffer(1 << 26);
        byte[] frame = Frame(40_000_000, 7);
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int sent = 0; sent < frame.Length;)
        {
            Memory<byte> free = buffer.GetMemory();
            int count = Math.Min(Math.Min(4096, free.Length), frame.Length - sent);
            frame.AsMemory(sent, count).CopyTo(free);
            buffer.Advance(count);
            sent += count;
        }

        Assert.True(buffer.TryRead(out ReadOnlyMemory<byte> read));
        Assert.True(read.Span.SequenceEqual(frame.AsSpan(4)));

        // Doubling makes twice the last size in all.
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, frame.Length, 3L * frame.Length);
        for (int i = 0; i < 10; i++)
        {
            Receive(buffer, Frame(3_900_000, i));
            Assert.True(buffer.TryRead(out _));
        }

        ReceiveSegment segment = buffer.Lease();
        Assert.InRange(segment.Length, 1, 1 << 24);
        segment.Release();
    }

    [Theory]
    [InlineData(0u, "no room for its key")]
    [InlineData(3u, "no room for its key")]
    [InlineData(0x01000001u, "MaxChunkBytes")]
    [InlineData(0x7fffffffu, "MaxChunkBytes")]
    [InlineData(0xffffffffu, "MaxChunkBytes")]
    public void A_size_that_cannot_be_is_refused(uint size, string message)
    {
        using var buffer = new FrameBuffer(Most);
        byte[] bytes = new byte[4];
        BinaryPrimitives.WriteUInt32BigEndian(bytes, size);
        Receive(buffer, bytes);
        AmqpFormatException error = Assert.Throws<AmqpFormatException>(() => buffer.TryRead(out _));
        Assert.Contains(message, error.Message, StringComparison.Ordinal);
        Assert.Equal(AmqpFormatError.Frame, error.Error);
    }

    [Theory]
    [InlineData("414d515000000901", "The answer is AMQP")]
    [InlineData("485454502f312e31", "The answer is HTTP")]
    [InlineData("15030300020228", "The answer is TLS")]
    public void Another_protocol_is_told_by_how_it_answers(string hex, string message)
    {
        using var buffer = new FrameBuffer(int.MaxValue);
        Receive(buffer, Convert.FromHexString(hex));
        AmqpFormatException error = Assert.Throws<AmqpFormatException>(() => buffer.TryRead(out _));
        Assert.StartsWith(message, error.Message, StringComparison.Ordinal);
        Assert.Contains("usually 5552", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_size_like_that_of_another_protocol_is_one_behind_the_first_frame()
    {
        using var buffer = new FrameBuffer(Most);
        Receive(buffer, [0, 0, 0, 4, 0, 23, 0, 1, 0x41, 0x4d, 0x51, 0x50]);
        Assert.True(buffer.TryRead(out _));
        AmqpFormatException error = Assert.Throws<AmqpFormatException>(() => buffer.TryRead(out _));
        Assert.Contains("MaxChunkBytes", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_size_alone_makes_no_room()
    {
        using var buffer = new FrameBuffer(1 << 30);
        byte[] bytes = new byte[4];
        BinaryPrimitives.WriteUInt32BigEndian(bytes, 1 << 30);
        Receive(buffer, bytes);
        Assert.False(buffer.TryRead(out _));
        Assert.InRange(buffer.GetMemory().Length, 1, 1 << 17);
    }

    private static void Feed(int[] sizes, int[] receives, int[] kept, bool isSubscribed)
    {
        using var buffer = new FrameBuffer(Most);
        if (isSubscribed)
        {
            buffer.SegmentSize = 1 << 20;
        }

        byte[][] frames = [.. sizes.Select(Frame)];
        byte[] bytes = [.. frames.SelectMany(frame => frame)];
        var held = new List<(ReadOnlyMemory<byte> Read, byte[] Frame, ReceiveSegment Segment, int Until)>();
        int sent = 0;
        int next = 0;
        for (int turn = 0; next < frames.Length; turn++)
        {
            Memory<byte> free = buffer.GetMemory();
            Assert.False(free.IsEmpty);
            int count = Math.Min(Math.Min(receives[turn % receives.Length], free.Length), bytes.Length - sent);
            bytes.AsMemory(sent, count).CopyTo(free);
            buffer.Advance(count);
            sent += count;
            while (buffer.TryRead(out ReadOnlyMemory<byte> frame))
            {
                Assert.True(frame.Span.SequenceEqual(frames[next].AsSpan(4)));
                int until = next + kept[next % kept.Length];
                if (until > next)
                {
                    held.Add((frame, frames[next], buffer.Lease(), until));
                }

                next++;
                Assert.Equal(frames.Take(next).Sum(each => (long)each.Length), buffer.Offset);
            }

            foreach ((ReadOnlyMemory<byte> read, byte[] frame, ReceiveSegment segment, int until) in held)
            {
                Assert.True(read.Span.SequenceEqual(frame.AsSpan(4)), "What is leased has changed.");
                if (until <= next)
                {
                    segment.Release();
                }
            }

            held.RemoveAll(each => each.Until <= next);
        }
    }

    private static void Receive(FrameBuffer buffer, byte[] bytes)
    {
        for (int sent = 0; sent < bytes.Length;)
        {
            Memory<byte> free = buffer.GetMemory();
            int count = Math.Min(free.Length, bytes.Length - sent);
            bytes.AsMemory(sent, count).CopyTo(free);
            buffer.Advance(count);
            sent += count;
        }
    }

    private static byte[] Frame(int size, int seed)
    {
        byte[] frame = new byte[4 + size];
        new System.Random(seed).NextBytes(frame);
        BinaryPrimitives.WriteInt32BigEndian(frame, size);
        return frame;
    }
}
