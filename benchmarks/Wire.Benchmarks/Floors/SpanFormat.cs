using System.Buffers;
using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Text;

namespace Wire.Benchmarks.Floors;

/// <summary>
/// Writes to the memory of an <see cref="IBufferWriter{T}"/>, asking it for more when less is left than <see cref="Reserve"/> says.
/// Every write is checked against the span.
/// </summary>
internal ref struct SpanWriter(IBufferWriter<byte> output)
{
    private Span<byte> _span = default;
    private int _written = 0;

    /// <summary>Makes room for so many bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Reserve(int bytes)
    {
        if (_span.Length - _written < bytes)
        {
            Grow(bytes);
        }
    }

    /// <summary>Room for a text with its length.</summary>
    public static int Room(string? text) => sizeof(ushort) + Encoding.UTF8.GetMaxByteCount(text is null ? 0 : text.Length);

    /// <summary>Hands over what was written.</summary>
    public void Finish()
    {
        output.Advance(_written);
        _span = default;
        _written = 0;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Byte(byte value) => _span[_written++] = value;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Bool(bool value) => Byte(value ? (byte)1 : (byte)0);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Int16(short value)
    {
        BinaryPrimitives.WriteInt16LittleEndian(_span[_written..], value);
        _written += sizeof(short);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Int32(int value)
    {
        BinaryPrimitives.WriteInt32LittleEndian(_span[_written..], value);
        _written += sizeof(int);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Int64(long value)
    {
        BinaryPrimitives.WriteInt64LittleEndian(_span[_written..], value);
        _written += sizeof(long);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Single(float value) => Int32(BitConverter.SingleToInt32Bits(value));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Double(double value) => Int64(BitConverter.DoubleToInt64Bits(value));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Date(DateTime value) => Int64(value.ToBinary());

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Guid(Guid value)
    {
        value.TryWriteBytes(_span[_written..]);
        _written += 16;
    }

    public void Decimal(decimal value)
    {
        Span<int> parts = stackalloc int[4];
        decimal.GetBits(value, parts);
        foreach (int part in parts)
        {
            Int32(part);
        }
    }

    /// <summary>The length in two bytes, then UTF-8.</summary>
    public void Text(string value)
    {
        int length = Encoding.UTF8.GetBytes(value, _span[(_written + sizeof(ushort))..]);
        BinaryPrimitives.WriteUInt16LittleEndian(_span[_written..], checked((ushort)length));
        _written += sizeof(ushort) + length;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Block(ReadOnlySpan<byte> value)
    {
        value.CopyTo(_span[_written..]);
        _written += value.Length;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Grow(int bytes)
    {
        output.Advance(_written);
        _span = output.GetSpan(bytes);
        _written = 0;
    }
}

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
