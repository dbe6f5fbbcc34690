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

    /// <summary>Copies bytes whose places are known: without a branch for each length.</summary>
    /// <param name="source">The bytes.</param>
    /// <param name="places">The places in them.</param>
    /// <param name="destination">Where they go.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Copy(byte[] source, Places places, ref byte destination)
    {
        ref byte from = ref MemoryMarshal.GetArrayDataReference(source);
        if (places.Fourth == 0)
        {
            CopyShort(ref from, (nuint)source.Length, ref destination);
            return;
        }

        for (nuint i = 0; i < places.First; i += Size)
        {
            Vector256.LoadUnsafe(ref from, i).StoreUnsafe(ref destination, i);
        }

        Vector256.LoadUnsafe(ref from, places.First).StoreUnsafe(ref destination, places.First);
        Vector256.LoadUnsafe(ref from, places.Second).StoreUnsafe(ref destination, places.Second);
        Vector256.LoadUnsafe(ref from, places.Third).StoreUnsafe(ref destination, places.Third);
        Vector256.LoadUnsafe(ref from, places.Fourth).StoreUnsafe(ref destination, places.Fourth);
    }

    // At most one block, and at least one byte. Nothing is called.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void CopyShort(ref byte source, nuint length, ref byte destination)
    {
        if (length >= 16)
        {
            Vector128<byte> last = Vector128.LoadUnsafe(ref source, length - 16);
            Vector128.LoadUnsafe(ref source).StoreUnsafe(ref destination);
            last.StoreUnsafe(ref destination, length - 16);
        }
        else if (length >= 4)
        {
            nuint middle = length >= 8 ? 4u : 0u;
            Move<uint>(ref source, 0, ref destination);
            Move<uint>(ref source, middle, ref destination);
            Move<uint>(ref source, length - 4 - middle, ref destination);
            Move<uint>(ref source, length - 4, ref destination);
        }
        else
        {
            Move<byte>(ref source, 0, ref destination);
            Move<byte>(ref source, length / 2, ref destination);
            Move<byte>(ref source, length - 1, ref destination);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Move<T>(ref byte source, nuint offset, ref byte destination)
        where T : unmanaged =>
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref destination, offset), Unsafe.ReadUnaligned<T>(ref Unsafe.Add(ref source, offset)));

    /// <summary>The places of the last four blocks of a number of bytes, which overlap.</summary>
    internal readonly struct Places
    {
        public readonly nuint First;
        public readonly nuint Second;
        public readonly nuint Third;
        public readonly nuint Fourth;

        /// <summary>Finds them; all are zero where there is no block, or only one.</summary>
        public Places(int length)
        {
            int last = Math.Max(0, length - Size);
            Fourth = (nuint)last;
            First = (nuint)Math.Max(0, (last - 1) / Size * Size - (2 * Size));
            Second = (nuint)Math.Min(last, (int)First + Size);
            Third = (nuint)Math.Min(last, (int)First + (2 * Size));
        }
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
