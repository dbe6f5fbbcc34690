using System.Buffers;
using FsCheck;
using FsCheck.Fluent;

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
