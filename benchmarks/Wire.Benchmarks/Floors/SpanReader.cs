using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Text;

namespace Wire.Benchmarks.Floors;

/// <summary>Reads what a <see cref="SpanWriter"/> has written. Every read is checked against the span.</summary>
internal ref struct SpanReader(ReadOnlySpan<byte> payload)
{
    private ReadOnlySpan<byte> _rest = payload;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte Byte()
    {
        byte value = _rest[0];
        _rest = _rest[1..];
        return value;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool Bool() => Byte() != 0;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public short Int16()
    {
        short value = BinaryPrimitives.ReadInt16LittleEndian(_rest);
        _rest = _rest[sizeof(short)..];
        return value;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int Int32()
    {
        int value = BinaryPrimitives.ReadInt32LittleEndian(_rest);
        _rest = _rest[sizeof(int)..];
        return value;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long Int64()
    {
        long value = BinaryPrimitives.ReadInt64LittleEndian(_rest);
        _rest = _rest[sizeof(long)..];
        return value;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public float Single() => BitConverter.Int32BitsToSingle(Int32());

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public double Double() => BitConverter.Int64BitsToDouble(Int64());

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public DateTime Date() => DateTime.FromBinary(Int64());

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Guid Guid() => new(Block(16));

    public decimal Decimal() => new([Int32(), Int32(), Int32(), Int32()]);

    /// <summary>The length in two bytes, then UTF-8.</summary>
    public string Text() => Encoding.UTF8.GetString(Block((ushort)Int16()));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ReadOnlySpan<byte> Block(int bytes)
    {
        ReadOnlySpan<byte> block = _rest[..bytes];
        _rest = _rest[bytes..];
        return block;
    }

    /// <summary>How many elements follow; never more than there can be in what is left, so that nothing is allocated for a lie.</summary>
    public int Count(int minimumBytes)
    {
        int count = Int32();
        return (uint)count <= (uint)(_rest.Length / minimumBytes)
            ? count
            : throw new ArgumentException("The payload is too short for so many elements.");
    }
}
