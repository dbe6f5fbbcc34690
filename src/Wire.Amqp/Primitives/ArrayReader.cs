using System.Diagnostics.CodeAnalysis;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Wire.Amqp.Errors;

namespace Wire.Amqp.Primitives;

/// <summary>
/// A place in bytes that are all there and in one array, such as the payload of a frame or the elements of a list: a text is that array and
/// where in it.
/// </summary>
/// <remarks>
/// Running over the end means a wrong length, not missing bytes. Of few fields, so that the JIT keeps them in registers, which it
/// does not do with <see cref="AmqpReader"/>: hence only the helpers that throw are called.
/// </remarks>
internal struct ArrayReader : IByteReader
{
    private readonly byte[] _bytes;
    private readonly int _end;
    private readonly long _offset;
    private int _position;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ArrayReader(byte[] bytes, int start, int length, long offset)
    {
        // Checks these against the array, once: they come from a struct that another thread may have been writing.
        if ((ulong)(uint)start + (uint)length > (uint)bytes.Length)
        {
            ThrowHelper.OutsideOfArray();
        }

        _bytes = bytes;
        _end = start + length;
        _offset = offset - start;
        _position = start;
    }

    public readonly long Offset => _offset + _position;

    public readonly long Remaining => Left;

    public readonly bool IsAtEnd => _position == _end;

    private readonly int Left => _end - _position;

    /// <summary>Reads a number of fixed width.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public T Read<T>()
        where T : unmanaged, IBinaryNumber<T>
    {
        int start = _position;
        if (Left < Unsafe.SizeOf<T>())
        {
            ThrowLength<T>(Offset, Left);
        }

        _position = start + Unsafe.SizeOf<T>();
        return NetworkOrder.Load<T>(in Unsafe.Add(ref MemoryMarshal.GetArrayDataReference(_bytes), start));
    }

    /// <summary>Reads a number of fixed width without advancing.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly T Peek<T>()
        where T : unmanaged, IBinaryNumber<T>
    {
        ArrayReader ahead = this;
        return ahead.Read<T>();
    }

    /// <summary>Skips bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Skip(long length)
    {
        CheckRemaining(length, "a value");
        _position += (int)length;
    }

    /// <summary>Takes bytes: the array that they are in, and where they begin.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public (byte[] Array, int Start) ReadArray(int length) => (_bytes, ReadBytes((uint)length, "a value"));

    /// <summary>Takes a text of a number of bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public AmqpString ReadText(uint length, string expected) => new(_bytes, ReadBytes(length, expected), (int)length);

    /// <summary>Makes sure that a length which the bytes state is there.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly void CheckRemaining(long length, string expected)
    {
        if ((ulong)length > (uint)Left)
        {
            ThrowLength(Offset, expected, length, Left);
        }
    }

    /// <summary>Checks that the payload has been read to its end.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly void CheckAtEnd(string what)
    {
        if (_position != _end)
        {
            ThrowNotAtEnd(Offset, what, Left);
        }
    }

    // Skips bytes that are there; returns where they begin in the array.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int ReadBytes(uint length, string expected)
    {
        int start = _position;
        if (length > (uint)Left)
        {
            ThrowLength(Offset, expected, length, Left);
        }

        _position = start + (int)length;
        return start;
    }

    // Without a reference to the reader, which stays in registers so, and with nothing but a throw, by which the JIT knows that they do not
    // return and keeps them out of line.
    [DoesNotReturn]
    private static void ThrowLength<T>(long offset, int left) =>
        throw NewLength(offset, typeof(T).Name, Unsafe.SizeOf<T>(), left);

    [DoesNotReturn]
    private static void ThrowLength(long offset, string expected, long length, int left) =>
        throw NewLength(offset, expected, length, left);

    [DoesNotReturn]
    private static void ThrowNotAtEnd(long offset, string what, int left) =>
        throw new AmqpFormatException(AmqpFormatError.Length, offset, $"Expected {what} to end, found {left} more bytes");

    private static AmqpFormatException NewLength(long offset, string expected, long length, int left) =>
        new(AmqpFormatError.Length, offset, $"Expected {expected} of {length} bytes, and {left} are left of what contains it");
}
