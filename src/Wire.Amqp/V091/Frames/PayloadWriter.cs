using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Wire.Amqp.Errors;
using Wire.Amqp.V091.Methods;

namespace Wire.Amqp.V091.Frames;

/// <summary>A position in a frame of known size: output that does not fit is an error, and nothing is written beyond the end.</summary>
/// <remarks>
/// Two fields, which the JIT keeps in registers: an <see cref="AmqpWriter"/> would also carry the state for growing.
/// </remarks>
internal ref struct PayloadWriter(Span<byte> destination)
{
    private ref byte _current = ref MemoryMarshal.GetReference(destination);
    private int _left = destination.Length;

    /// <summary>Gets the number of bytes that have not been written.</summary>
    public readonly int Left => _left;

    /// <summary>Writes a number of fixed width.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write<T>(T value)
        where T : unmanaged, IBinaryNumber<T> => NetworkOrder.Store(ref TakeBytes(Unsafe.SizeOf<T>()), value);

    /// <summary>Reserves bytes, all of which the caller must write.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Span<byte> Reserve(int size) => MemoryMarshal.CreateSpan(ref TakeBytes(size), size);

    /// <summary>
    /// Writes the text after its length, which is filled in afterwards: the bytes were already counted once, for the size of the frame.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteShortString(AmqpString value) => TakeBytes(EncodeShortString(Rest, value));

    public void WriteLongString(AmqpString value)
    {
        int bytes = value.ByteCount;
        Write((uint)bytes);
        value.CopyTo(Reserve(bytes));
    }

    public void WriteTable(FieldTable value)
    {
        ReadOnlySpan<byte> bytes = value.Span;
        Write((uint)bytes.Length);
        bytes.CopyTo(Reserve(bytes.Length));
    }

    private readonly Span<byte> Rest => MemoryMarshal.CreateSpan(ref _current, _left);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ref byte TakeBytes(int size)
    {
        if (_left < size)
        {
            ThrowHelper.DestinationTooSmall(size, _left);
        }

        ref byte taken = ref _current;
        _current = ref Unsafe.Add(ref taken, size);
        _left -= size;
        return ref taken;
    }

    // Out of line: without a reference to the writer, which can then live in registers.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int EncodeShortString(Span<byte> destination, AmqpString value)
    {
        if (destination.IsEmpty)
        {
            ThrowHelper.DestinationTooSmall(Domains.SizeOfShortString(value), 0);
        }

        Span<byte> text = destination[sizeof(byte)..];
        if (!value.TryCopyTo(text.Length > Domains.MaxShortString ? text[..Domains.MaxShortString] : text, out int length))
        {
            ThrowHelper.DestinationTooSmall(Domains.SizeOfShortString(value), destination.Length);
        }

        destination[0] = (byte)length;
        return sizeof(byte) + length;
    }
}
