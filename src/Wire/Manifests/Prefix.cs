using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace Wire.Manifests;

/// <summary>The bytes in front of a root's members, by which a reader recognizes them: the first eight in one comparison.</summary>
internal readonly struct Prefix
{
    private readonly ulong _first;
    private readonly ulong _mask;
    private readonly byte[] _bytes;

    public Prefix(byte[] bytes)
    {
        Span<byte> first = [0, 0, 0, 0, 0, 0, 0, 0];
        Span<byte> mask = [0, 0, 0, 0, 0, 0, 0, 0];
        int length = Math.Min(bytes.Length, first.Length);
        bytes.AsSpan(0, length).CopyTo(first);
        mask[..length].Fill(0xFF);
        _first = MemoryMarshal.Read<ulong>(first);
        _mask = MemoryMarshal.Read<ulong>(mask);
        _bytes = bytes;
        Length = bytes.Length;
    }

    /// <summary>Gets the number of bytes; at least one.</summary>
    public int Length { get; }

    /// <summary>The bytes.</summary>
    public ReadOnlySpan<byte> Bytes => _bytes;

    /// <summary>The first of them.</summary>
    public byte Header => _bytes[0];

    /// <summary>Says whether a payload begins with them.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool Begins(ReadOnlySpan<byte> payload)
    {
        if (payload.Length < sizeof(ulong))
        {
            return BeginsShort(payload);
        }

        ref byte start = ref MemoryMarshal.GetReference(payload);
        return ((Unsafe.ReadUnaligned<ulong>(ref start) ^ _first) & _mask) == 0
            && (Length <= sizeof(ulong) || (payload.Length >= Length && IsRest(ref start)));
    }

    /// <summary>
    /// Returns the slot of a payload in a table of prefixes, from the lengths in its manifest, from its type's name and from the end of its
    /// schema. It only guesses: where the payload is not as assumed, the slot is a wrong one.
    /// </summary>
    /// <param name="payload">The payload, or its prefix.</param>
    /// <param name="slots">The number of slots, a power of two.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int SlotOf(ReadOnlySpan<byte> payload, int slots)
    {
        const ulong Spread = 0x9E3779B97F4A7C15;
        const uint NoName = 6;
        if (payload.Length < NoName)
        {
            return 0;
        }

        // The header, the tag, the length of the manifest in one byte or two, and that of the name likewise.
        ref byte start = ref MemoryMarshal.GetReference(payload);
        ulong key = Unsafe.ReadUnaligned<ushort>(ref Unsafe.Add(ref start, 2));
        uint at = 3;
        uint size = Unsafe.Add(ref start, 2);
        if (size >= 0x80)
        {
            size += (Unsafe.Add(ref start, at++) - 1u) << 7;
        }

        uint end = at + size;
        uint header = Unsafe.Add(ref start, at++);
        if (header >= 0x80)
        {
            header += (Unsafe.Add(ref start, at++) - 1u) << 7;
        }

        uint length = header >> 1;
        if (length >= sizeof(ulong) && at + length <= end && end <= (uint)payload.Length)
        {
            // The last group overlaps the one before it, so that no tail remains.
            ref byte name = ref Unsafe.Add(ref start, at);
            uint last = length - sizeof(ulong);
            for (uint i = 0; i < last; i += sizeof(ulong))
            {
                key = BitOperations.RotateLeft(key, 5) ^ Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref name, i));
            }

            key = BitOperations.RotateLeft(key, 5) ^ Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref name, last));
            key = (key * Spread) + Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref start, end - sizeof(ulong)));
        }

        return (int)((key * Spread) >> 32) & (slots - 1);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool BeginsShort(ReadOnlySpan<byte> payload) => payload.StartsWith(_bytes);

    private bool IsRest(ref byte start)
    {
        ref byte own = ref MemoryMarshal.GetArrayDataReference(_bytes);
        nuint length = (nuint)Length;
        if (length <= 16)
        {
            return Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref start, length - 8))
                == Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref own, length - 8));
        }

        // The last group overlaps the one before it, so that no tail remains.
        nuint last = length - 16;
        Vector128<byte> difference = Vector128.LoadUnsafe(ref start, last) ^ Vector128.LoadUnsafe(ref own, last);
        for (nuint i = 0; i < last; i += 16)
        {
            difference |= Vector128.LoadUnsafe(ref start, i) ^ Vector128.LoadUnsafe(ref own, i);
        }

        return difference == Vector128<byte>.Zero;
    }
}
