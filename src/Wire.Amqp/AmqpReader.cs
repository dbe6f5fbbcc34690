using System.Buffers;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Wire.Amqp.Errors;
using Wire.Amqp.Primitives;

namespace Wire.Amqp;

/// <summary>
/// Reads values of either protocol in place, from memory or from a sequence of segments: only values that span segments are copied. Memory,
/// texts and tables that it returns are views of the input.
/// </summary>
public ref struct AmqpReader : IByteReader
{
    // The window, which is one segment, and the place in it.
    private ref byte _start;
    private ref byte _current;
    private ref byte _end;
    private ReadOnlyMemory<byte> _segment;

    // The input from the window on, unless the window is all of it; the window's beginning; and the number of bytes after it.
    private ReadOnlySequence<byte> _sequence;
    private long _windowOffset;
    private long _behind;

    /// <summary>Begins to read memory.</summary>
    /// <param name="input">The bytes.</param>
    /// <param name="offset">Where the memory begins in a larger input, for the offsets in errors.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public AmqpReader(ReadOnlyMemory<byte> input, long offset = 0)
    {
        _windowOffset = offset;
        Open(input);
    }

    /// <summary>Begins to read a sequence.</summary>
    /// <param name="input">The bytes.</param>
    /// <param name="offset">Where the sequence begins in a larger input, for the offsets in errors.</param>
    public AmqpReader(scoped in ReadOnlySequence<byte> input, long offset = 0) => OpenSequence(input, offset);

    /// <summary>Gets the number of bytes that are before the next one to be read, in the larger input if there is one.</summary>
    public readonly long Offset => _windowOffset + Position;

    /// <summary>Gets the number of bytes that are left.</summary>
    public readonly long Remaining => Left + _behind;

    /// <summary>
    /// Gets whether the input is known to be complete, such as the payload of a frame: running over its end then means a wrong length.
    /// </summary>
    internal bool IsWhole { get; init; }

    /// <summary>Gets whether nothing is left.</summary>
    public readonly bool IsAtEnd => Left + _behind == 0;

    private readonly int Left => (int)Unsafe.ByteOffset(ref _current, ref _end);

    private readonly int Position => (int)Unsafe.ByteOffset(ref _start, ref _current);

    /// <summary>Reads a number of fixed width.</summary>
    /// <exception cref="AmqpFormatException">The input ends before.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public T Read<T>()
        where T : unmanaged, IBinaryNumber<T>
    {
        if (Left < Unsafe.SizeOf<T>())
        {
            T across = PeekAcross<T>(this);
            this = Skipped(this, Unsafe.SizeOf<T>());
            return across;
        }

        T value = NetworkOrder.Load<T>(in _current);
        _current = ref Unsafe.Add(ref _current, Unsafe.SizeOf<T>());
        return value;
    }

    /// <summary>Reads a number of fixed width without advancing.</summary>
    /// <exception cref="AmqpFormatException">The input ends before.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly T Peek<T>()
        where T : unmanaged, IBinaryNumber<T> => Left < Unsafe.SizeOf<T>() ? PeekAcross<T>(this) : NetworkOrder.Load<T>(in _current);

    /// <summary>Takes bytes: a view of the input, or a copy where they lie across segments.</summary>
    /// <exception cref="AmqpFormatException">The input ends before: nothing has been allocated.</exception>
    public ReadOnlyMemory<byte> ReadMemory(int length)
    {
        if ((uint)length > (uint)Left)
        {
            return ReadMemoryAcross(length);
        }

        ReadOnlyMemory<byte> memory = _segment.Slice(Position, length);
        _current = ref Unsafe.Add(ref _current, length);
        return memory;
    }

    /// <summary>Takes bytes as a view of the input, without a copy.</summary>
    /// <exception cref="AmqpFormatException">The input ends before.</exception>
    public ReadOnlySequence<byte> ReadSequence(long length)
    {
        if ((ulong)length <= (uint)Left)
        {
            return new ReadOnlySequence<byte>(ReadMemory((int)length));
        }

        CheckRemaining(length, "bytes of a known length");
        ReadOnlySequence<byte> unread = _sequence.Slice(Position);
        OpenSequence(unread.Slice(length), Offset + length);
        return unread.Slice(0, length);
    }

    /// <summary>Skips bytes.</summary>
    /// <exception cref="AmqpFormatException">The input ends before.</exception>
    public void Skip(long length)
    {
        if ((ulong)length <= (uint)Left)
        {
            _current = ref Unsafe.Add(ref _current, (int)length);
        }
        else
        {
            ReadSequence(length);
        }
    }

    readonly void IByteReader.CheckRemaining(long length, string expected) => CheckRemaining(length, expected);

    /// <inheritdoc cref="IByteReader.ReadArray"/>
    /// <exception cref="AmqpFormatException">The input ends before: nothing has been allocated.</exception>
    (byte[] Array, int Start) IByteReader.ReadArray(int length)
    {
        (object? array, int start, _) = new AmqpString(ReadMemory(length));
        return ((byte[])array!, start);
    }

    /// <summary>Checks that the input is as long as stated, before anything is allocated.</summary>
    /// <exception cref="AmqpFormatException">It is not.</exception>
    internal readonly void CheckRemaining(long length, string expected)
    {
        if (length < 0 || length > Remaining)
        {
            if (IsWhole || length < 0)
            {
                ThrowHelper.Format(
                    AmqpFormatError.Length, Offset, $"Expected {expected} of {length} bytes, and {Remaining} are left of what contains it");
            }

            ThrowHelper.Truncated(Offset, expected, length - Remaining);
        }
    }

    private void OpenSequence(scoped in ReadOnlySequence<byte> input, long offset)
    {
        _windowOffset = offset;
        _sequence = input;
        Open(input.First);
        _behind = input.Length - _segment.Length;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Open(ReadOnlyMemory<byte> segment)
    {
        _segment = segment;
        ReadOnlySpan<byte> span = segment.Span;
        _start = ref MemoryMarshal.GetReference(span);
        _current = ref _start;
        _end = ref Unsafe.Add(ref _start, span.Length);
    }

    // Out of line: few values lie across segments. By value, as a call that takes the reader's address would keep its place out of
    // registers in all loops.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static T PeekAcross<T>(AmqpReader reader)
        where T : unmanaged, IBinaryNumber<T>
    {
        reader.CheckRemaining(Unsafe.SizeOf<T>(), typeof(T).Name);
        Span<byte> bytes = stackalloc byte[Unsafe.SizeOf<T>()];
        reader._sequence.Slice(reader.Position, bytes.Length).CopyTo(bytes);
        return NetworkOrder.Load<T>(in MemoryMarshal.GetReference(bytes));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static AmqpReader Skipped(AmqpReader reader, int length)
    {
        reader.Skip(length);
        return reader;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private ReadOnlyMemory<byte> ReadMemoryAcross(int length)
    {
        ReadOnlySequence<byte> taken = ReadSequence(length);
        return taken.IsSingleSegment ? taken.First : taken.ToArray();
    }
}
