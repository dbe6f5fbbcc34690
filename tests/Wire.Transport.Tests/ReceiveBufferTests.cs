using System.Buffers;
using System.Runtime.InteropServices;
using Wire.Transport.Segments;

namespace Wire.Transport.Tests;

public sealed class ReceiveBufferTests
{
    private readonly SegmentPool _pool = new();

    [Fact]
    public void What_was_received_is_unread_until_it_is_consumed()
    {
        using var buffer = new ReceiveBuffer(_pool);
        Assert.True(buffer.Unread.IsEmpty);
        byte[] sent = [.. Enumerable.Range(0, 200_000).Select(i => (byte)(i * 31 >> 4))];
        Receive(buffer, sent);
        Assert.Equal(sent, buffer.Unread.ToArray());
        buffer.Consume(150_001);
        Assert.Equal(150_001, buffer.Offset);
        Assert.Equal(sent[150_001..], buffer.Unread.ToArray());
        Assert.Throws<ArgumentOutOfRangeException>(() => buffer.Consume(50_000));
        Assert.Throws<ArgumentOutOfRangeException>(() => buffer.Consume(-1));
        buffer.Consume(49_999);
        Assert.True(buffer.Unread.IsEmpty);
    }

    [Fact]
    public void More_than_there_is_room_for_cannot_have_been_received()
    {
        using var buffer = new ReceiveBuffer(_pool);
        Assert.Throws<InvalidOperationException>(() => buffer.Advance(1));
        int room = buffer.GetMemory().Length;
        Assert.Throws<ArgumentOutOfRangeException>(() => buffer.Advance(room + 1));
        Assert.Throws<ArgumentOutOfRangeException>(() => buffer.Advance(-1));
        buffer.Advance(room);
    }

    [Fact]
    public void Once_all_is_consumed_the_same_memory_is_received_into_again()
    {
        using var buffer = new ReceiveBuffer(_pool);
        byte[] first = ArrayOf(buffer.GetMemory());
        for (int i = 0; i < 100; i++)
        {
            Receive(buffer, new byte[3000]);
            buffer.Consume(3000);
            Assert.Equal(ReceiveSegment.Size, buffer.GetMemory().Length);
            Assert.Same(first, ArrayOf(buffer.GetMemory()));
        }

        Assert.Equal(1, _pool.Lent);
    }

    [Fact]
    public void The_beginning_of_a_small_frame_is_moved_to_where_its_rest_comes()
    {
        using var buffer = new ReceiveBuffer(_pool);
        byte[] sent = [.. Enumerable.Range(0, ReceiveSegment.Size).Select(i => (byte)(i % 251))];
        Receive(buffer, sent);
        buffer.Consume(sent.Length - 1000);
        Receive(buffer, [1, 2, 3]);
        Assert.True(buffer.Unread.IsSingleSegment);
        Assert.Equal([.. sent[^1000..], 1, 2, 3], buffer.Unread.ToArray());
        Assert.Equal(1, _pool.Lent);
    }

    [Fact]
    public void The_beginning_of_a_large_frame_stays_where_it_is()
    {
        using var buffer = new ReceiveBuffer(_pool);
        byte[] sent = [.. Enumerable.Range(0, ReceiveSegment.Size).Select(i => (byte)(i % 251))];
        Receive(buffer, sent);
        buffer.Consume(10_000);
        Receive(buffer, [1, 2, 3]);
        Assert.Equal([.. sent[10_000..], 1, 2, 3], buffer.Unread.ToArray());
        Assert.Equal(2, _pool.Lent);
        buffer.Consume(sent.Length - 10_000);
        Assert.Equal(1, _pool.Lent);
        Assert.Equal([1, 2, 3], buffer.Unread.ToArray());
    }

    [Fact]
    public void When_it_is_disposed_of_all_comes_back_and_nothing_is_received_any_more()
    {
        var buffer = new ReceiveBuffer(_pool);
        Receive(buffer, new byte[300_000]);
        Assert.Equal(5, _pool.Lent);
        buffer.Dispose();
        buffer.Dispose();
        Assert.Equal(0, _pool.Lent);
        Assert.True(buffer.Unread.IsEmpty);
        Assert.Throws<ObjectDisposedException>(() => buffer.GetMemory());
    }

    [Fact]
    public void The_pool_keeps_no_more_than_it_may()
    {
        var pool = new SegmentPool(capacity: 2);
        ReceiveSegment[] segments = [.. Enumerable.Range(0, 4).Select(_ => pool.Rent())];
        Assert.All(segments, pool.Return);
        ReceiveSegment[] again = [.. Enumerable.Range(0, 4).Select(_ => pool.Rent())];
        Assert.Equal(2, again.Intersect(segments).Count());
        Assert.Equal(4, pool.Lent);
    }

    private static void Receive(ReceiveBuffer buffer, ReadOnlySpan<byte> bytes)
    {
        while (!bytes.IsEmpty)
        {
            Memory<byte> memory = buffer.GetMemory();
            int count = Math.Min(memory.Length, bytes.Length);
            bytes[..count].CopyTo(memory.Span);
            buffer.Advance(count);
            bytes = bytes[count..];
        }
    }

    private static byte[] ArrayOf(Memory<byte> memory) =>
        MemoryMarshal.TryGetArray<byte>(memory, out ArraySegment<byte> segment) ? segment.Array! : [];
}
