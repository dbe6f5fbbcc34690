using System.Buffers;
using FsCheck;
using FsCheck.Fluent;
using Wire.Testing;

namespace Wire.Amqp.Tests.Primitives;

public sealed class AmqpBufferTests
{
    [Fact]
    public void What_was_written_comes_in_order_however_it_was_written() => Prop.ForAll<int[]>(sizes =>
    {
        using var buffer = new AmqpBuffer();
        var expected = new List<byte>();
        for (int round = 0; round < 2; round++)
        {
            foreach (int size in sizes.Select(size => Math.Abs(size % 100) * 1000))
            {
                Span<byte> span = buffer.GetSpan(size);
                Assert.True(span.Length >= Math.Max(size, 1));
                for (int i = 0; i < size; i++)
                {
                    span[i] = (byte)expected.Count;
                    expected.Add(span[i]);
                }

                buffer.Advance(size);
                Assert.Equal(expected.Count, buffer.Length);
            }

            Assert.Equal(expected.ToArray(), buffer.Written.ToArray());
            buffer.Clear();
            expected.Clear();
            Assert.Equal(0, buffer.Length);
            Assert.True(buffer.Written.IsEmpty);
        }
    }).QuickCheckThrowOnFailure();

    [Fact]
    public void Attached_memory_lies_between_what_was_written_and_is_let_go_of_when_the_buffer_is_truncated_or_cleared() => Prop.ForAll(
        Gen.Choose(0, int.MaxValue - 1).ToArbitrary(),
        seed =>
        {
            var random = new Random(seed);
            using var buffer = new AmqpBuffer();
            var expected = new List<byte>();
            var lengths = new List<int> { 0 };
            var attached = new List<byte[]>();
            for (int step = 0; step < 60; step++)
            {
                byte[] bytes = new byte[random.Next(5) == 0 ? random.Next(70_000) : random.Next(40)];
                random.NextBytes(bytes);
                switch (random.Next(12))
                {
                    case < 6:
                        buffer.Write(bytes);
                        expected.AddRange(bytes);
                        break;
                    case < 11:
                        buffer.Attach(bytes);
                        expected.AddRange(bytes);
                        attached.Add(bytes);
                        break;
                    default:
                        int length = lengths[random.Next(lengths.Count)];
                        buffer.Truncate(length);
                        expected.RemoveRange(length, expected.Count - length);
                        lengths.RemoveAll(one => one > length);
                        break;
                }

                lengths.Add(expected.Count);
                Assert.Equal(expected.Count, buffer.Length);
                Assert.True(buffer.Written.ToArray().AsSpan().SequenceEqual([.. expected]));
            }

            // What is written to the buffer after it was cleared is written to none of the memory that was attached.
            byte[][] before = [.. attached.Select(bytes => (byte[])bytes.Clone())];
            buffer.Clear();
            buffer.Write(new byte[1 << 20]);
            Assert.Equal(before, attached);
            Assert.Equal(1 << 20, buffer.Length);
        }).QuickCheckThrowOnFailure();

    [Fact]
    public void In_steady_state_nothing_is_allocated()
    {
        using var buffer = new AmqpBuffer();
        byte[] part = new byte[700];
        int wrong = 0;
        Allocations.AssertNone(() =>
        {
            for (int i = 0; i < 1000; i++)
            {
                buffer.Write(part);
            }

            wrong += buffer.Written.Length == 700_000 ? 0 : 1;
            buffer.Clear();
        });
        Assert.Equal(0, wrong);
    }

    [Fact]
    public void No_more_can_be_advanced_than_there_is()
    {
        using var buffer = new AmqpBuffer();
        Assert.Throws<ArgumentOutOfRangeException>(() => buffer.Advance(1));
        int length = buffer.GetSpan(10).Length;
        Assert.Throws<ArgumentOutOfRangeException>(() => buffer.Advance(length + 1));
        Assert.Throws<ArgumentOutOfRangeException>(() => buffer.Advance(-1));
        Assert.Throws<ArgumentOutOfRangeException>(() => buffer.GetSpan(-1));
    }

    [Fact]
    public void A_disposed_buffer_says_so()
    {
        var buffer = new AmqpBuffer();
        buffer.Write(new byte[10]);
        buffer.Dispose();
        buffer.Dispose();
        Assert.Throws<ObjectDisposedException>(() => buffer.GetSpan(1));
    }
}
