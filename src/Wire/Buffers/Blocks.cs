using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace Wire.Buffers;

/// <summary>
/// Copies and compares the short byte strings that begin messages. In line: for some dozens of bytes a call costs as much as the copy.
/// </summary>
internal static class Blocks
{
    private const int Size = 32;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Copy(byte[] source, ref byte destination)
    {
        int length = source.Length;
        ref byte from = ref MemoryMarshal.GetArrayDataReference(source);
        if (length is < 32 or > 128)
        {
            Unsafe.CopyBlockUnaligned(ref destination, ref from, (uint)length);
            return;
        }

        // The last block overlaps the one before it, so that no tail remains.
        for (int i = 0; i < length - 32; i += 32)
        {
            Vector256.LoadUnsafe(ref from, (nuint)i).StoreUnsafe(ref destination, (nuint)i);
        }

        Vector256.LoadUnsafe(ref from, (nuint)length - 32).StoreUnsafe(ref destination, (nuint)length - 32);
    }

    /// <summary>Returns whether bytes begin with a prefix, which is no longer than they are.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool Begins(ref byte start, byte[] prefix)
    {
        ref byte own = ref MemoryMarshal.GetArrayDataReference(prefix);
        int last = prefix.Length - Size;
        if ((uint)last > 3 * Size)
        {
            return BeginsSlow(ref start, prefix);
        }

        // Four blocks for every length, which overlap: a branch for each length would be guessed wrong in mixed messages.
        nuint second = (nuint)Math.Min(Size, last), third = (nuint)Math.Min(2 * Size, last), fourth = (nuint)last;
        Vector256<byte> difference = (Vector256.LoadUnsafe(ref start) ^ Vector256.LoadUnsafe(ref own))
            | (Vector256.LoadUnsafe(ref start, second) ^ Vector256.LoadUnsafe(ref own, second))
            | (Vector256.LoadUnsafe(ref start, third) ^ Vector256.LoadUnsafe(ref own, third))
            | (Vector256.LoadUnsafe(ref start, fourth) ^ Vector256.LoadUnsafe(ref own, fourth));
        return difference == Vector256<byte>.Zero;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static bool BeginsSlow(ref byte start, byte[] prefix)
    {
        // Of typed messages: the two groups overlap.
        if (prefix.Length is >= 4 and <= 8)
        {
            int last = prefix.Length - 4;
            ref byte own = ref MemoryMarshal.GetArrayDataReference(prefix);
            return Unsafe.ReadUnaligned<uint>(ref start) == Unsafe.ReadUnaligned<uint>(ref own)
                && Unsafe.ReadUnaligned<uint>(ref Unsafe.Add(ref start, last)) == Unsafe.ReadUnaligned<uint>(ref Unsafe.Add(ref own, last));
        }

        return MemoryMarshal.CreateReadOnlySpan(ref start, prefix.Length).SequenceEqual(prefix);
    }
}
