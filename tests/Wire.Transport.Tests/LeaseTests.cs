using System.Buffers;
using Wire.Transport.Segments;

namespace Wire.Transport.Tests;

public sealed class LeaseTests
{
    private readonly SegmentPool _pool = new();

    [Fact]
    public void What_is_leased_is_received_behind_and_not_over()
    {
        using var buffer = new ReceiveBuffer(_pool);
        var lease = new Lease();
        Frame frame = Receive(buffer, 1000, 0xAA);
        lease.Add(buffer, frame.Start, frame.End, frame.End - frame.Start);
        buffer.Consume(buffer.Unread.Length);

        // Into the same segment at first, then into others.
        Assert.Equal(ReceiveSegment.Size - 1008, buffer.GetMemory().Length);
        for (int i = 0; i < 100; i++)
        {
            Receive(buffer, 3000, 0xBB);
            buffer.Consume(buffer.Unread.Length);
        }

        Assert.Equal(-1, frame.Payload.FirstSpan.IndexOfAnyExcept((byte)0xAA));
        Assert.Equal(2, _pool.Lent);
        lease.Release();
        Assert.Equal(1, _pool.Lent);
    }

    [Fact]
    public void A_segment_comes_back_when_the_last_has_let_go()
    {
        using var buffer = new ReceiveBuffer(_pool);
        Lease[] leases = [new(), new(), new()];
        foreach (Lease lease in leases)
        {
            Frame frame = Receive(buffer, 100, 1);
            lease.Add(buffer, frame.Start, frame.End, frame.End - frame.Start);
            buffer.Consume(108);
        }

        Receive(buffer, ReceiveSegment.Size - 10, 2);
        buffer.Consume(buffer.Unread.Length);
        Assert.Equal(2, _pool.Lent);
        leases[1].Release();
        leases[1].Release();
        leases[0].Release();
        leases[1].Release();
        Assert.Equal(2, _pool.Lent);
        leases[2].Release();
        Assert.Equal(1, _pool.Lent);
    }

    [Fact]
    public void A_frame_across_segments_leases_all_of_them()
    {
        using var buffer = new ReceiveBuffer(_pool);
        var lease = new Lease();
        Frame frame = Receive(buffer, 200_000, 3);
        lease.Add(buffer, frame.Start, frame.End, frame.End - frame.Start);
        Assert.Equal(4, lease.Count);
        Assert.False(lease.IsExcessive);
        buffer.Consume(buffer.Unread.Length);
        buffer.Dispose();
        Assert.Equal(4, _pool.Lent);
        Assert.Equal(200_000, frame.Payload.ToArray().Count(octet => octet == 3));
        lease.Release();
        Assert.Equal(0, _pool.Lent);
    }

    [Fact]
    public void A_frame_that_was_moved_is_leased_where_it_is()
    {
        using var buffer = new ReceiveBuffer(_pool);
        var lease = new Lease();
        Frame first = Receive(buffer, ReceiveSegment.Size - 1016, 0xAA);
        lease.Add(buffer, first.Start, first.End, first.End - first.Start);
        buffer.Consume(first.End - first.Start);

        // Received as a whole, and read only when more has been received.
        Receive(buffer, 900, 0xBB);
        buffer.GetMemory();
        var second = Frame.Next(buffer, 900);
        lease.Add(buffer, second.Start, second.End, second.End - second.Start);
        Assert.Equal(2, lease.Count);
        buffer.Consume(second.End - second.Start);
        Receive(buffer, 3000, 0xCC);
        Assert.Equal(-1, second.Payload.FirstSpan.IndexOfAnyExcept((byte)0xBB));
        lease.Release();
    }

    [Fact]
    public void A_frame_that_has_been_consumed_is_refused()
    {
        using var buffer = new ReceiveBuffer(_pool);
        Frame frame = Receive(buffer, 100, 1);
        buffer.Consume(buffer.Unread.Length);
        Assert.Throws<InvalidOperationException>(() => new Lease().Add(buffer, frame.Start, frame.End, frame.End - frame.Start));
    }

    [Fact]
    public void What_is_released_twice_at_the_same_time_is_released_once()
    {
        using var buffer = new ReceiveBuffer(_pool);
        Lease[] leases = [.. Enumerable.Range(0, 200).Select(_ => new Lease())];
        for (int round = 0; round < 50; round++)
        {
            foreach (Lease lease in leases)
            {
                Frame frame = Receive(buffer, 900, (byte)round);
                lease.Add(buffer, frame.Start, frame.End, frame.End - frame.Start);
                buffer.Consume(buffer.Unread.Length);
            }

            Parallel.For(0, 3, _ => Array.ForEach(leases, lease => lease.Release()));
            Assert.Equal(1, _pool.Lent);
            Assert.Equal(ReceiveSegment.Size, buffer.GetMemory().Length);
        }
    }

    // A frame with so many of these octets, and 8 around them.
    private static Frame Receive(ReceiveBuffer buffer, int size, byte octet)
    {
        byte[] frame = new byte[size + Frame.Overhead];
        Array.Fill(frame, octet);
        ReadOnlySpan<byte> bytes = frame;
        while (!bytes.IsEmpty)
        {
            Memory<byte> memory = buffer.GetMemory();
            int count = Math.Min(memory.Length, bytes.Length);
            bytes[..count].CopyTo(memory.Span);
            buffer.Advance(count);
            bytes = bytes[count..];
        }

        return Frame.Next(buffer, size);
    }

    private readonly record struct Frame(long Start, ReadOnlySequence<byte> Payload)
    {
        public const int Overhead = 8;

        public long End => Start + Payload.Length + Overhead;

        // The first that has not been consumed.
        public static Frame Next(ReceiveBuffer buffer, int size) => new(buffer.Offset, buffer.Unread.Slice(Overhead - 1, size));
    }
}
