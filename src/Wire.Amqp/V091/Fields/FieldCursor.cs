using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Wire.Amqp.Errors;

namespace Wire.Amqp.V091.Fields;

/// <summary>A position in the bytes of a table or an array, from which keys and values are read in order.</summary>
/// <remarks>
/// The bytes are complete, so running over their end means a wrong length, not missing input. No recursion: a nested table is skipped by
/// its length.
/// </remarks>
internal struct FieldCursor
{
    // The octet of a type, and a value of fixed size or the length of another.
    private const int MaxHead = sizeof(FieldType) + sizeof(ulong);

    private readonly byte[] _bytes;
    private readonly int _end;
    private readonly long _offset;
    private int _position;

    public FieldCursor(byte[]? bytes, int start, int length, long offset)
    {
        // Checks these against the array, once: they come from a struct that another thread may have been writing.
        if ((ulong)(uint)start + (uint)length > (uint)(bytes?.Length ?? 0))
        {
            ThrowHelper.OutsideOfArray();
        }

        _bytes = bytes ?? [];
        _end = start + length;
        _offset = offset - start;
        _position = start;
    }

    public readonly bool IsAtEnd => _position == _end;

    /// <summary>Reads a key. Must not be called at the end.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public AmqpString ReadKey()
    {
        int start = _position + sizeof(byte);
        int length = At(_position);
        if (length > _end - start)
        {
            ThrowLength(_offset + start, _end - start, length, "a key");
        }

        _position = start + length;
        return new AmqpString(_bytes, start, length);
    }

    /// <summary>Reads a key and compares it with the wanted one. Must not be called at the end.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool ReadKeyEquals(ReadOnlySpan<byte> key)
    {
        (_, int start, int length) = ReadKey();
        return length == key.Length && MemoryMarshal.CreateReadOnlySpan(in At(start), length).SequenceEqual(key);
    }

    /// <summary>Reads the octet of a type and the value.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public FieldValue ReadValue()
    {
        // The array usually has that many bytes, even if the table has fewer: type and value are loaded at once, with a single comparison.
        // Bytes loaded from after the end are not used.
        int position = _position;
        if (_bytes.Length - position >= MaxHead)
        {
            var type = (FieldType)At(position);
            ulong head = NetworkOrder.Load<ulong>(in At(position + sizeof(FieldType)));
            int size = FieldTypes.SizeOf(type);
            int left = _end - position - sizeof(FieldType);
            if (size < FieldTypes.Variable)
            {
                if (size <= left)
                {
                    _position = position + sizeof(FieldType) + size;
                    return Fixed(type, size, head, _offset + position);
                }
            }
            else if (size == FieldTypes.Variable)
            {
                uint length = (uint)(head >> 32);
                if (length <= (long)left - sizeof(uint))
                {
                    int start = position + sizeof(FieldType) + sizeof(uint);
                    _position = start + (int)length;
                    return new FieldValue(type, _bytes, start, (int)length, _offset + position);
                }
            }
        }

        FieldValue value = ReadChecked(_bytes, position, _end, _offset, out int next);
        _position = next;
        return value;
    }

    /// <summary>Skips the octet of a type and the value.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void SkipValue() => ReadValue();

    /// <summary>Checks that a table or an array is not nested too deep.</summary>
    public readonly void CheckDepth(int depth)
    {
        if (depth > FieldTypes.MaxDepth)
        {
            ThrowHelper.Format(
                AmqpFormatError.Depth, _offset + _position, $"Tables and arrays are nested deeper than {FieldTypes.MaxDepth}");
        }
    }

    // The value is in the upper bits; the bytes below belong to other values.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static FieldValue Fixed(FieldType type, int size, ulong head, long offset)
    {
        ulong bits = size == 0 ? 0 : head >> (8 * (sizeof(ulong) - size));
        return new FieldValue(type, type == FieldType.Boolean && bits != 0 ? 1 : bits, offset);
    }

    // Out of line: the last value of an array, and errors. By value, because a call that takes the cursor's address would keep its fields
    // out of registers in all loops.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static FieldValue ReadChecked(byte[] bytes, int position, int end, long offset, out int next)
    {
        long typeOffset = offset + position;
        Check(sizeof(FieldType), "the type of a field");
        var type = (FieldType)bytes[position++];
        int size = FieldTypes.SizeOf(type);
        if (size > FieldTypes.Variable)
        {
            ThrowHelper.Format(AmqpFormatError.UnknownCode, typeOffset, $"Expected the type of a field, found {FieldTypes.Name(type)}");
        }

        if (size == FieldTypes.Variable)
        {
            Check(sizeof(uint), "the length of a value");
            uint length = NetworkOrder.Read<uint>(bytes.AsSpan(position));
            position += sizeof(uint);
            Check(length, FieldTypes.Name(type));
            next = position + (int)length;
            return new FieldValue(type, bytes, position, (int)length, typeOffset);
        }

        Check(size, "the value of a field");
        Span<byte> head = stackalloc byte[sizeof(ulong)];
        bytes.AsSpan(position, size).CopyTo(head);
        next = position + size;
        return Fixed(type, size, NetworkOrder.Read<ulong>(head), typeOffset);

        void Check(long needed, string expected)
        {
            if (needed > end - position)
            {
                ThrowLength(offset + position, end - position, needed, expected);
            }
        }
    }

    // Unchecked: the position is known to be in the array.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private readonly ref byte At(int position) => ref Unsafe.Add(ref MemoryMarshal.GetArrayDataReference(_bytes), position);

    // Out of line: the formatting code would enlarge every loop.
    [DoesNotReturn]
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ThrowLength(long offset, int left, long needed, string expected) => ThrowHelper.Format(
        AmqpFormatError.Length,
        offset,
        $"Expected {expected} of {needed} bytes, and {left} are left of the table or array that contains it");
}
