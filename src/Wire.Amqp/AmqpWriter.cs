using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Wire.Amqp.Errors;
using Wire.Amqp.Primitives;

namespace Wire.Amqp;

/// <summary>
/// Writes values of either protocol into a span, in order. Their size is known in advance: a span that is too short is an <see
/// cref="ArgumentException"/>.
/// </summary>
public ref struct AmqpWriter
{
    private ref byte _start;
    private ref byte _current;
    private ref byte _end;

    // The buffer of a builder, which provides room when the span is full.
    private readonly GrowingBuffer? _buffer;

    /// <summary>Begins to write at the beginning of a span.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public AmqpWriter(Span<byte> destination) => Open(destination, 0);

    internal AmqpWriter(GrowingBuffer buffer)
    {
        _buffer = buffer;
        Open(buffer.Whole, buffer.Length);
    }

    /// <summary>Gets the number of bytes that have been written.</summary>
    public readonly int Written => (int)Unsafe.ByteOffset(ref _start, ref _current);

    private readonly int Left => (int)Unsafe.ByteOffset(ref _current, ref _end);

    /// <summary>Writes a number of fixed width.</summary>
    /// <exception cref="ArgumentException">The destination is full.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write<T>(T value)
        where T : unmanaged, IBinaryNumber<T>
    {
        if (Left < Unsafe.SizeOf<T>())
        {
            this = WriteGrown(this, value);
            return;
        }

        NetworkOrder.Store(ref _current, value);
        _current = ref Unsafe.Add(ref _current, Unsafe.SizeOf<T>());
    }

    /// <summary>Writes bytes as they are, without a length.</summary>
    /// <exception cref="ArgumentException">The destination is full.</exception>
    public void WriteBytes(ReadOnlySpan<byte> value)
    {
        Ensure(value.Length);
        value.CopyTo(MemoryMarshal.CreateSpan(ref _current, value.Length));
        _current = ref Unsafe.Add(ref _current, value.Length);
    }

    /// <summary>Writes the bytes of a text, without a length.</summary>
    /// <param name="value">The text.</param>
    /// <param name="byteCount">Its <see cref="AmqpString.ByteCount"/>.</param>
    /// <exception cref="ArgumentException">The destination is full.</exception>
    internal void WriteText(AmqpString value, int byteCount)
    {
        Ensure(byteCount);
        value.CopyTo(MemoryMarshal.CreateSpan(ref _current, byteCount));
        _current = ref Unsafe.Add(ref _current, byteCount);
    }

    /// <summary>Advances the growing buffer by the filled bytes.</summary>
    internal readonly void Finish() => _buffer!.Length = Written;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Ensure(int size)
    {
        if (Left < size)
        {
            this = Grown(this, size);
        }
    }

    // Out of line: values of known size never come here. By value, because a call that takes the writer's address would keep its
    // fields out of registers in all loops.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static AmqpWriter Grown(AmqpWriter writer, int size)
    {
        GrowingBuffer? buffer = writer._buffer;
        if (buffer is null)
        {
            ThrowHelper.DestinationTooSmall(size, writer.Left);
        }

        buffer.Length = writer.Written;
        buffer.Grow(size);
        return new AmqpWriter(buffer);
    }

    // With the value: if it were needed after the call, a floating point number would be spilled to memory each time.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static AmqpWriter WriteGrown<T>(AmqpWriter writer, T value)
        where T : unmanaged, IBinaryNumber<T>
    {
        AmqpWriter grown = Grown(writer, Unsafe.SizeOf<T>());
        grown.Write(value);
        return grown;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Open(Span<byte> whole, int position)
    {
        _start = ref MemoryMarshal.GetReference(whole);
        _current = ref Unsafe.Add(ref _start, position);
        _end = ref Unsafe.Add(ref _start, whole.Length);
    }
}
