using System.Buffers;
using System.Buffers.Binary;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Wire.Amqp.Errors;

namespace Wire.Amqp;

/// <summary>
/// Numbers of fixed width in network byte order, most significant byte first: integers of 8 to 128 bits, and IEEE 754 binary floating point
/// numbers by their bits. Thread-safe: there is no state.
/// </summary>
/// <remarks>Both protocols prescribe it: AMQP 0-9-1 section 4.2.5, AMQP 1.0 part 1 section 1.6.</remarks>
public static class NetworkOrder
{
    /// <summary>Reads a number from the first bytes of a span.</summary>
    /// <exception cref="AmqpFormatException">The span is shorter than the number.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static T Read<T>(ReadOnlySpan<byte> source)
        where T : unmanaged, IBinaryNumber<T>
    {
        if (source.Length < Unsafe.SizeOf<T>())
        {
            ThrowHelper.Truncated(0, typeof(T).Name, Unsafe.SizeOf<T>() - source.Length);
        }

        return Load<T>(in MemoryMarshal.GetReference(source));
    }

    /// <summary>Writes a number to the first bytes of a span.</summary>
    /// <exception cref="ArgumentException">The span is shorter than the number.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Write<T>(Span<byte> destination, T value)
        where T : unmanaged, IBinaryNumber<T>
    {
        if (destination.Length < Unsafe.SizeOf<T>())
        {
            ThrowHelper.DestinationTooSmall(Unsafe.SizeOf<T>(), destination.Length);
        }

        Store(ref MemoryMarshal.GetReference(destination), value);
    }

    /// <summary>
    /// Reads a number that may span segments, and advances past it; false, without advancing, when the sequence is too short.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryRead<T>(ref SequenceReader<byte> reader, out T value)
        where T : unmanaged, IBinaryNumber<T>
    {
        ReadOnlySpan<byte> unread = reader.UnreadSpan;
        if (unread.Length < Unsafe.SizeOf<T>())
        {
            return TryReadAcross(ref reader, out value);
        }

        value = Load<T>(in MemoryMarshal.GetReference(unread));
        reader.Advance(Unsafe.SizeOf<T>());
        return true;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static T Load<T>(ref readonly byte source)
        where T : unmanaged
    {
        if (!BitConverter.IsLittleEndian || Unsafe.SizeOf<T>() == 1)
        {
            return Unsafe.ReadUnaligned<T>(in source);
        }

        // The conditions are constants to the JIT: one of the branches is left, which is a load that swaps.
        if (Unsafe.SizeOf<T>() == 2)
        {
            return Unsafe.BitCast<ushort, T>(BinaryPrimitives.ReverseEndianness(Unsafe.ReadUnaligned<ushort>(in source)));
        }

        if (Unsafe.SizeOf<T>() == 4)
        {
            return Unsafe.BitCast<uint, T>(BinaryPrimitives.ReverseEndianness(Unsafe.ReadUnaligned<uint>(in source)));
        }

        return Unsafe.SizeOf<T>() == 8
            ? Unsafe.BitCast<ulong, T>(BinaryPrimitives.ReverseEndianness(Unsafe.ReadUnaligned<ulong>(in source)))
            : Unsafe.BitCast<UInt128, T>(BinaryPrimitives.ReverseEndianness(Unsafe.ReadUnaligned<UInt128>(in source)));
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void Store<T>(ref byte destination, T value)
        where T : unmanaged
    {
        if (!BitConverter.IsLittleEndian || Unsafe.SizeOf<T>() == 1)
        {
            Unsafe.WriteUnaligned(ref destination, value);
        }
        else if (Unsafe.SizeOf<T>() == 2)
        {
            Unsafe.WriteUnaligned(ref destination, BinaryPrimitives.ReverseEndianness(Unsafe.BitCast<T, ushort>(value)));
        }
        else if (Unsafe.SizeOf<T>() == 4)
        {
            Unsafe.WriteUnaligned(ref destination, BinaryPrimitives.ReverseEndianness(Unsafe.BitCast<T, uint>(value)));
        }
        else if (Unsafe.SizeOf<T>() == 8)
        {
            Unsafe.WriteUnaligned(ref destination, BinaryPrimitives.ReverseEndianness(Unsafe.BitCast<T, ulong>(value)));
        }
        else
        {
            Unsafe.WriteUnaligned(ref destination, BinaryPrimitives.ReverseEndianness(Unsafe.BitCast<T, UInt128>(value)));
        }
    }

    // Out of line: few values lie across segments.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static bool TryReadAcross<T>(ref SequenceReader<byte> reader, out T value)
        where T : unmanaged, IBinaryNumber<T>
    {
        Span<byte> bytes = stackalloc byte[Unsafe.SizeOf<T>()];
        if (!reader.TryCopyTo(bytes))
        {
            value = default;
            return false;
        }

        value = Load<T>(in MemoryMarshal.GetReference(bytes));
        reader.Advance(bytes.Length);
        return true;
    }
}
