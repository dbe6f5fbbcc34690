using System.Buffers;
using System.Buffers.Binary;
using System.Text;

namespace Wire.Benchmarks.Messaging.Codecs;

/// <summary>Exactly the ten fields, in their order, by someone who knows them: the keys are compared, the types are not looked at.</summary>
internal readonly struct TableFloor() : IAmqpCodec<long>
{
    private readonly byte[] _bytes = new byte[512];

    public ReadOnlySequence<byte> Written => new(_bytes, 0, sizeof(uint) + (int)BinaryPrimitives.ReadUInt32BigEndian(_bytes));

    public long Write()
    {
        Span<byte> rest = _bytes.AsSpan(sizeof(uint));
        Begin(ref rest, "urgent"u8, 't')[0] = 1;
        rest = rest[1..];
        Begin(ref rest, "attempt"u8, 'B')[0] = TenFields.Attempt;
        rest = rest[1..];
        BinaryPrimitives.WriteInt16BigEndian(Begin(ref rest, "shard"u8, 's'), TenFields.Shard);
        rest = rest[sizeof(short)..];
        BinaryPrimitives.WriteInt32BigEndian(Begin(ref rest, "customer"u8, 'I'), TenFields.Customer);
        rest = rest[sizeof(int)..];
        BinaryPrimitives.WriteInt64BigEndian(Begin(ref rest, "sequence"u8, 'l'), TenFields.Sequence);
        rest = rest[sizeof(long)..];
        BinaryPrimitives.WriteSingleBigEndian(Begin(ref rest, "weight"u8, 'f'), TenFields.Weight);
        rest = rest[sizeof(float)..];
        BinaryPrimitives.WriteDoubleBigEndian(Begin(ref rest, "total"u8, 'd'), TenFields.Total);
        rest = rest[sizeof(double)..];
        int length = Encoding.UTF8.GetBytes(TenFields.Region, Begin(ref rest, "region"u8, 'S')[sizeof(uint)..]);
        BinaryPrimitives.WriteInt32BigEndian(rest, length);
        rest = rest[(sizeof(uint) + length)..];
        BinaryPrimitives.WriteInt32BigEndian(Begin(ref rest, "trace"u8, 'x'), TenFields.Trace.Length);
        TenFields.Trace.CopyTo(rest[sizeof(uint)..]);
        rest = rest[(sizeof(uint) + TenFields.Trace.Length)..];
        BinaryPrimitives.WriteInt64BigEndian(Begin(ref rest, "placed-at"u8, 'T'), TenFields.PlacedAt);
        rest = rest[sizeof(long)..];
        int written = _bytes.Length - rest.Length;
        BinaryPrimitives.WriteInt32BigEndian(_bytes, written - sizeof(uint));
        return written;
    }

    public long Read()
    {
        int length = BinaryPrimitives.ReadInt32BigEndian(_bytes);
        ReadOnlySpan<byte> rest = _bytes.AsSpan(sizeof(uint), length);
        Expect(ref rest, "urgent"u8);
        long sum = rest[0] != 0 ? 1 : 0;
        rest = rest[1..];
        Expect(ref rest, "attempt"u8);
        sum += rest[0];
        rest = rest[1..];
        Expect(ref rest, "shard"u8);
        sum += BinaryPrimitives.ReadInt16BigEndian(rest);
        rest = rest[sizeof(short)..];
        Expect(ref rest, "customer"u8);
        sum += BinaryPrimitives.ReadInt32BigEndian(rest);
        rest = rest[sizeof(int)..];
        Expect(ref rest, "sequence"u8);
        sum += BinaryPrimitives.ReadInt64BigEndian(rest);
        rest = rest[sizeof(long)..];
        Expect(ref rest, "weight"u8);
        sum += BitConverter.DoubleToInt64Bits(BinaryPrimitives.ReadSingleBigEndian(rest));
        rest = rest[sizeof(float)..];
        Expect(ref rest, "total"u8);
        sum += BitConverter.DoubleToInt64Bits(BinaryPrimitives.ReadDoubleBigEndian(rest));
        rest = rest[sizeof(double)..];
        Expect(ref rest, "region"u8);
        sum += TenFields.Sum(Block(ref rest));
        Expect(ref rest, "trace"u8);
        sum += TenFields.Sum(Block(ref rest));
        Expect(ref rest, "placed-at"u8);
        sum += BinaryPrimitives.ReadInt64BigEndian(rest);
        return sum;
    }

    // The key and the type; returns what is left, for the value.
    private static Span<byte> Begin(ref Span<byte> rest, ReadOnlySpan<byte> key, char type)
    {
        rest[0] = (byte)key.Length;
        key.CopyTo(rest[1..]);
        rest[1 + key.Length] = (byte)type;
        rest = rest[(key.Length + 2)..];
        return rest;
    }

    private static void Expect(ref ReadOnlySpan<byte> rest, ReadOnlySpan<byte> key)
    {
        if (rest[0] != key.Length || !rest.Slice(1, key.Length).SequenceEqual(key))
        {
            throw new InvalidOperationException("Another key was expected.");
        }

        rest = rest[(key.Length + 2)..];
    }

    private static ReadOnlySpan<byte> Block(ref ReadOnlySpan<byte> rest)
    {
        int length = BinaryPrimitives.ReadInt32BigEndian(rest);
        ReadOnlySpan<byte> block = rest.Slice(sizeof(uint), length);
        rest = rest[(sizeof(uint) + length)..];
        return block;
    }
}
