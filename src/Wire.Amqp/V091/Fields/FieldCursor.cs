using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Wire.Amqp.V091;

/// <summary>A place in the bytes of a table or an array, from which keys and values are read one after the other.</summary>
/// <remarks>
/// The bytes are all there, so that what runs over their end is a wrong length and not missing input. No recursion: a nested table is
/// passed over by its length.
/// </remarks>
internal struct FieldCursor(byte[]? bytes, int start, int length, long offset)
{
    private readonly byte[] _bytes = bytes ?? [];
    private readonly int _end = start + length;
    private readonly long _offset = offset - start;
    private int _position = start;

    public readonly bool IsAtEnd => _position == _end;

    private readonly int Left => _end - _position;

    /// <summary>Reads a key: not at the end.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public AmqpString ReadKey()
    {
        int length = _bytes[_position++];
        Check(length, "a key");
        int start = _position;
        _position += length;
        return new AmqpString(_bytes, start, length);
    }

    /// <summary>Reads a key, and tells whether it is the one that is looked for: not at the end.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool ReadKeyEquals(ReadOnlySpan<byte> key)
    {
        int length = _bytes[_position++];
        Check(length, "a key");
        bool equal = length == key.Length && _bytes.AsSpan(_position, length).SequenceEqual(key);
        _position += length;
        return equal;
    }

    /// <summary>Reads the octet of a type and the value.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public FieldValue ReadValue()
    {
        long offset = _offset + _position;
        FieldType type = ReadType();
        int size = FieldTypes.SizeOf(type);
        if (size >= FieldTypes.Variable)
        {
            int length = ReadLength(type, size);
            int start = _position;
            _position += length;
            return new FieldValue(type, _bytes, start, length, offset);
        }

        Check(size, "the value of a field");
        ulong bits = ReadBits(size);
        _position += size;
        return new FieldValue(type, type == FieldType.Boolean && bits != 0 ? 1 : bits, offset);
    }

    /// <summary>Passes over the octet of a type and the value.</summary>
    public void SkipValue()
    {
        FieldType type = ReadType();
        int size = FieldTypes.SizeOf(type);
        if (size >= FieldTypes.Variable)
        {
            size = ReadLength(type, size);
        }

        Check(size, "the value of a field");
        _position += size;
    }

    /// <summary>Makes sure that a table or an array is not in more others than are followed.</summary>
    public readonly void CheckDepth(int depth)
    {
        if (depth > FieldTypes.MaxDepth)
        {
            Throw.Format(AmqpFormatError.Depth, _offset + _position, $"Tables and arrays are nested deeper than {FieldTypes.MaxDepth}");
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private FieldType ReadType()
    {
        Check(sizeof(FieldType), "the type of a field");
        return (FieldType)_bytes[_position++];
    }

    private int ReadLength(FieldType type, int size)
    {
        if (size > FieldTypes.Variable)
        {
            ThrowUnknown(type);
        }

        Check(sizeof(uint), "the length of a value");
        uint length = NetworkOrder.Load<uint>(in Current);
        _position += sizeof(uint);
        if (length > (uint)Left)
        {
            ThrowLength(length, FieldTypes.Name(type));
        }

        return (int)length;
    }

    // One load of eight bytes for every size: the array mostly has so many, even where the value has fewer.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private readonly ulong ReadBits(int size)
    {
        if (_bytes.Length - _position < sizeof(ulong))
        {
            return ReadLastBits(size);
        }

        ulong bits = NetworkOrder.Load<ulong>(in Current);
        return size == 0 ? 0 : bits >> (8 * (sizeof(ulong) - size));
    }

    // Out of line: the last values of an array only.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private readonly ulong ReadLastBits(int size)
    {
        ulong bits = 0;
        foreach (byte octet in _bytes.AsSpan(_position, size))
        {
            bits = (bits << 8) | octet;
        }

        return bits;
    }

    // Read without a check: it was made before, by Check or for eight bytes.
    private readonly ref byte Current => ref Unsafe.Add(ref MemoryMarshal.GetArrayDataReference(_bytes), _position);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private readonly void Check(int size, string expected)
    {
        if (size > Left)
        {
            ThrowLength(size, expected);
        }
    }

    private readonly void ThrowLength(long needed, string expected) => Throw.Format(
        AmqpFormatError.Length,
        _offset + _position,
        $"{expected} of {needed} bytes was expected, where {Left} are left of the table or array that it is in");

    private readonly void ThrowUnknown(FieldType type) => Throw.Format(
        AmqpFormatError.UnknownCode,
        _offset + _position - sizeof(FieldType),
        $"The type of a field was expected, and {FieldTypes.Name(type)} is none");
}
