using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace Wire.Format;

/// <summary>
/// Narrows UTF-16 to one byte per character and back, with vectors. Compared with UTF-8 transcoding this is faster and lossless: text that
/// does not fit is written as its UTF-16 memory (docs/format.md, clause 4.2).
/// </summary>
internal static class Latin1
{
    private const ulong HighBytes = 0xFF00FF00FF00FF00;

    /// <summary>
    /// Narrows <paramref name="length"/> characters, or returns false as soon as one does not fit; the destination is then undefined.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryNarrow(ref char source, int length, ref byte destination)
    {
        if (length > 16)
        {
            return TryNarrowLong(ref source, length, ref destination);
        }

        if (length >= 8)
        {
            // Two overlapping groups of eight cover every length from 8 to 16.
            Vector128<ushort> first = LoadVector(ref source, 0);
            Vector128<ushort> last = LoadVector(ref source, length - 8);
            if (!Fits(first | last))
            {
                return false;
            }

            Vector128<ulong> narrowed = Narrow(first, last).AsUInt64();
            Unsafe.WriteUnaligned(ref destination, narrowed.ToScalar());
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref destination, length - 8), narrowed.GetElement(1));
            return true;
        }

        if (length >= 4)
        {
            ulong first = Load(ref source, 0);
            ulong last = Load(ref source, length - 4);
            if (((first | last) & HighBytes) != 0)
            {
                return false;
            }

            Vector128<ushort> both = Vector128.Create(first, last).AsUInt16();
            ulong narrowed = Narrow(both, both).AsUInt64().ToScalar();
            Unsafe.WriteUnaligned(ref destination, BitConverter.IsLittleEndian ? (uint)narrowed : (uint)(narrowed >> 32));
            Unsafe.WriteUnaligned(
                ref Unsafe.Add(ref destination, length - 4), BitConverter.IsLittleEndian ? (uint)(narrowed >> 32) : (uint)narrowed);
            return true;
        }

        return TryNarrowFew(ref source, length, ref destination);
    }

    /// <summary>Widens <paramref name="length"/> bytes to characters.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Widen(ref byte source, int length, ref char destination)
    {
        if (length > 16)
        {
            WidenLong(ref source, length, ref destination);
            return;
        }

        if (length >= 8)
        {
            WidenGroup(ref source, 0, ref destination);
            WidenGroup(ref source, length - 8, ref destination);
            return;
        }

        if (length >= 4)
        {
            Store(ref destination, 0, Spread(Unsafe.ReadUnaligned<uint>(ref source)));
            Store(ref destination, length - 4, Spread(Unsafe.ReadUnaligned<uint>(ref Unsafe.Add(ref source, length - 4))));
            return;
        }

        WidenFew(ref source, length, ref destination);
    }

    /// <summary>Returns whether <paramref name="length"/> bytes are these characters.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool Equal(ref byte source, int length, ref char text)
    {
        if (length >= 8)
        {
            Vector128<ushort> differences = Differences(ref source, length - 8, ref text);
            for (int i = 0; i < length - 8; i += 8)
            {
                differences |= Differences(ref source, i, ref text);
            }

            return differences == Vector128<ushort>.Zero;
        }

        if (length >= 4)
        {
            return Spread(Unsafe.ReadUnaligned<uint>(ref source)) == Load(ref text, 0)
                && Spread(Unsafe.ReadUnaligned<uint>(ref Unsafe.Add(ref source, length - 4))) == Load(ref text, length - 4);
        }

        return length == 0 || (source == text
            && Unsafe.Add(ref source, length >> 1) == Unsafe.Add(ref text, length >> 1)
            && Unsafe.Add(ref source, length - 1) == Unsafe.Add(ref text, length - 1));
    }

    // Up to three characters: the first, the middle and the last one are all there are.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool TryNarrowFew(ref char source, int length, ref byte destination)
    {
        if (length == 0)
        {
            return true;
        }

        int middle = length >> 1;
        int last = length - 1;
        int all = source | Unsafe.Add(ref source, middle) | Unsafe.Add(ref source, last);
        destination = (byte)source;
        Unsafe.Add(ref destination, middle) = (byte)Unsafe.Add(ref source, middle);
        Unsafe.Add(ref destination, last) = (byte)Unsafe.Add(ref source, last);
        return all <= 0xFF;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void WidenFew(ref byte source, int length, ref char destination)
    {
        if (length == 0)
        {
            return;
        }

        int middle = length >> 1;
        int last = length - 1;
        destination = (char)source;
        Unsafe.Add(ref destination, middle) = (char)Unsafe.Add(ref source, middle);
        Unsafe.Add(ref destination, last) = (char)Unsafe.Add(ref source, last);
    }

    // The last group overlaps characters that are already done, so that no tail remains.
    private static bool TryNarrowLong(ref char source, int length, ref byte destination)
    {
        Vector128<ushort> all = Vector128<ushort>.Zero;
        for (int i = 0; i < length - 16; i += 16)
        {
            all |= NarrowGroup(ref source, i, ref destination);
        }

        return Fits(all | NarrowGroup(ref source, length - 16, ref destination));
    }

    private static void WidenLong(ref byte source, int length, ref char destination)
    {
        for (int i = 0; i < length - 16; i += 16)
        {
            WidenGroup(ref source, i, ref destination);
            WidenGroup(ref source, i + 8, ref destination);
        }

        WidenGroup(ref source, length - 16, ref destination);
        WidenGroup(ref source, length - 8, ref destination);
    }

    // Sixteen characters; returns all their bits.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector128<ushort> NarrowGroup(ref char source, int index, ref byte destination)
    {
        Vector128<ushort> low = LoadVector(ref source, index);
        Vector128<ushort> high = LoadVector(ref source, index + 8);
        Narrow(low, high).StoreUnsafe(ref destination, (nuint)index);
        return low | high;
    }

    // Eight characters.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void WidenGroup(ref byte source, int index, ref char destination)
    {
        Vector128<byte> eight = Vector128.CreateScalar(Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref source, index))).AsByte();
        Vector128.WidenLower(eight).StoreUnsafe(ref Unsafe.As<char, ushort>(ref destination), (nuint)index);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector128<ushort> Differences(ref byte source, int index, ref char text)
    {
        Vector128<byte> eight = Vector128.CreateScalar(Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref source, index))).AsByte();
        return Vector128.WidenLower(eight) ^ LoadVector(ref text, index);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool Fits(Vector128<ushort> characters) => (characters & Vector128.Create((ushort)0xFF00)) == Vector128<ushort>.Zero;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector128<ushort> LoadVector(ref char source, int index) =>
        Vector128.LoadUnsafe(ref Unsafe.As<char, ushort>(ref source), (nuint)index);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong Load(ref char source, int index) =>
        Unsafe.ReadUnaligned<ulong>(ref Unsafe.As<char, byte>(ref Unsafe.Add(ref source, index)));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Store(ref char destination, int index, ulong four) =>
        Unsafe.WriteUnaligned(ref Unsafe.As<char, byte>(ref Unsafe.Add(ref destination, index)), four);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong Spread(uint packed) =>
        Vector128.WidenLower(Vector128.CreateScalar(packed).AsByte()).AsUInt64().ToScalar();

    // Undefined for units above 0xFF, so that one saturating instruction is enough.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector128<byte> Narrow(Vector128<ushort> low, Vector128<ushort> high) => Sse2.IsSupported
        ? Sse2.PackUnsignedSaturate(low.AsInt16(), high.AsInt16())
        : Vector128.Narrow(low, high);
}
