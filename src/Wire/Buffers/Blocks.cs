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

    /// <summary>Copies bytes.</summary>
    /// <param name="source">The bytes.</param>
    /// <param name="destination">Where they go.</param>
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

    /// <summary>Copies bytes of which four blocks are enough: without a branch for each length.</summary>
    /// <param name="source">The bytes.</param>
    /// <param name="places">The places in them.</param>
    /// <param name="destination">Where they go.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Copy(byte[] source, Places places, ref byte destination)
    {
        ref byte from = ref MemoryMarshal.GetArrayDataReference(source);
        Vector256.LoadUnsafe(ref from).StoreUnsafe(ref destination);
        Vector256.LoadUnsafe(ref from, places.Second).StoreUnsafe(ref destination, places.Second);
        Vector256.LoadUnsafe(ref from, places.Third).StoreUnsafe(ref destination, places.Third);
        Vector256.LoadUnsafe(ref from, places.Last).StoreUnsafe(ref destination, places.Last);
    }

    /// <summary>The places of the four blocks of a number of bytes, which overlap. The first one begins at 0.</summary>
    internal readonly struct Places
    {
        public readonly nuint Second;
        public readonly nuint Third;
        public readonly nuint Last;

        /// <summary>Finds them; all are zero where there is no block, or only one.</summary>
        public Places(int length)
        {
            int last = Math.Max(0, length - Size);
            Second = (nuint)Math.Min(last, Size);
            Third = (nuint)Math.Min(last, 2 * Size);
            Last = (nuint)last;
        }

        /// <summary>Gets whether there is more than one block, and four are enough.</summary>
        public bool IsPlain
        {
            [MethodImpl(MethodImplOptions.AggressiveInlining)]
            get => Last - 1 < 3 * Size;
        }
    }

    /// <summary>Returns whether bytes begin with a prefix, which is no longer than they are and whose places are known.</summary>
    /// <param name="start">The first byte.</param>
    /// <param name="prefix">The prefix.</param>
    /// <param name="places">The places in it.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool Begins(ref byte start, byte[] prefix, Places places) =>
        places.IsPlain
            ? Differences(ref start, ref MemoryMarshal.GetArrayDataReference(prefix), places.Second, places.Third, places.Last)
                == Vector256<byte>.Zero
            : BeginsSlow(ref start, prefix);

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
        return Differences(ref start, ref own, (nuint)Math.Min(Size, last), (nuint)Math.Min(2 * Size, last), (nuint)last)
            == Vector256<byte>.Zero;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector256<byte> Differences(ref byte one, ref byte other, nuint second, nuint third, nuint fourth) =>
        (Vector256.LoadUnsafe(ref one) ^ Vector256.LoadUnsafe(ref other))
        | (Vector256.LoadUnsafe(ref one, second) ^ Vector256.LoadUnsafe(ref other, second))
        | (Vector256.LoadUnsafe(ref one, third) ^ Vector256.LoadUnsafe(ref other, third))
        | (Vector256.LoadUnsafe(ref one, fourth) ^ Vector256.LoadUnsafe(ref other, fourth));

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
