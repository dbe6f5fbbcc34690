using System.Buffers;
using System.Buffers.Binary;
using System.Numerics;
using System.Runtime.CompilerServices;
using FsCheck;
using FsCheck.Fluent;
using Wire.Testing;

namespace Wire.Amqp.Tests.Primitives;

public sealed class NetworkOrderTests
{
    [Theory]
    [InlineData(-1)]
    [InlineData(int.MinValue)]
    public void A_negative_length_is_wrong_and_no_more_bytes_would_help(int length)
    {
        foreach (bool segments in new[] { false, true })
        {
            AmqpFormatException e = Assert.Throws<AmqpFormatException>(() =>
            {
                var reader = segments ? new AmqpReader(Sequences.Chunked(new byte[4], 1)) : new AmqpReader(new byte[4]);
                reader.ReadMemory(length);
            });
            Assert.Equal((AmqpFormatError.Length, 0L, 0L), (e.Error, e.Offset, e.Missing));
        }
    }

    [Fact]
    public void Integers_of_every_width_are_written_as_BinaryPrimitives_writes_them()
    {
        Check<byte>((span, value) => span[0] = value);
        Check<sbyte>((span, value) => span[0] = (byte)value);
        Check<ushort>(BinaryPrimitives.WriteUInt16BigEndian);
        Check<short>(BinaryPrimitives.WriteInt16BigEndian);
        Check<char>((span, value) => BinaryPrimitives.WriteUInt16BigEndian(span, value));
        Check<uint>(BinaryPrimitives.WriteUInt32BigEndian);
        Check<int>(BinaryPrimitives.WriteInt32BigEndian);
        Check<ulong>(BinaryPrimitives.WriteUInt64BigEndian);
        Check<long>(BinaryPrimitives.WriteInt64BigEndian);
        Check<UInt128>(BinaryPrimitives.WriteUInt128BigEndian);
        Check<Int128>(BinaryPrimitives.WriteInt128BigEndian);
    }

    [Fact]
    public void Floating_point_numbers_keep_every_bit()
    {
        Check<Half>(BinaryPrimitives.WriteHalfBigEndian);
        Check<float>(BinaryPrimitives.WriteSingleBigEndian);
        Check<double>(BinaryPrimitives.WriteDoubleBigEndian);
    }

    [Fact]
    public void A_span_that_is_too_short_is_named()
    {
        AmqpFormatException read = Assert.Throws<AmqpFormatException>(() => NetworkOrder.Read<ulong>(new byte[5]));
        Assert.Equal((AmqpFormatError.Truncated, 0, 3), (read.Error, read.Offset, read.Missing));
        Assert.Throws<ArgumentException>(() => NetworkOrder.Write(new byte[5], 1UL));
    }

    private delegate void Expected<T>(Span<byte> destination, T value);

    private static void Check<T>(Expected<T> expected)
        where T : unmanaged, IBinaryNumber<T>
    {
        int size = Unsafe.SizeOf<T>();
        Prop.ForAll<byte[]>(raw =>
        {
            byte[] bits = [.. raw.Concat(new byte[size]).Take(size)];
            T value = Unsafe.ReadUnaligned<T>(ref bits[0]);
            byte[] wanted = new byte[size];
            expected(wanted, value);
            byte[] written = new byte[size];
            NetworkOrder.Write(written, value);
            Assert.Equal(wanted, written);
            Assert.True(Same(value, NetworkOrder.Read<T>(written)));
            foreach (ReadOnlySequence<byte> split in Sequences.SplitEverywhere(written))
            {
                var reader = new SequenceReader<byte>(split);
                Assert.True(NetworkOrder.TryRead(ref reader, out T read));
                Assert.True(Same(value, read) && reader.End);
                var own = new AmqpReader(split);
                Assert.True(Same(value, own.Peek<T>()) && own.Offset == 0);
                Assert.True(Same(value, own.Read<T>()) && own.IsAtEnd);
            }

            for (int cut = 0; cut < size; cut++)
            {
                foreach (ReadOnlySequence<byte> split in Sequences.SplitEverywhere(written[..cut]))
                {
                    var reader = new SequenceReader<byte>(split);
                    Assert.False(NetworkOrder.TryRead(ref reader, out T _));
                    Assert.Equal(0, reader.Consumed);
                    AmqpFormatException e = Assert.Throws<AmqpFormatException>(() => new AmqpReader(split).Read<T>());
                    Assert.Equal((AmqpFormatError.Truncated, 0, size - cut), (e.Error, e.Offset, e.Missing));
                }
            }
        }).QuickCheckThrowOnFailure();
    }

    // By bits: not a number does not equal itself.
    private static bool Same<T>(T left, T right)
        where T : unmanaged
    {
        Span<T> both = [left, right];
        Span<byte> bytes = System.Runtime.InteropServices.MemoryMarshal.AsBytes(both);
        return bytes[..(bytes.Length / 2)].SequenceEqual(bytes[(bytes.Length / 2)..]);
    }
}
