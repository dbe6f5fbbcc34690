using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;

namespace Wire.Format;

/// <summary>
/// Narrows UTF-16 to one byte per character and back, with vectors. Measured against UTF-8 transcoding this is the
/// faster and the lossless way: text that does not fit is written as it lies in memory (docs/format.md, clause 4.2).
/// </summary>
internal static class Latin1
{
    private const ulong HighBytes = 0xFF00FF00FF00FF00;

    /// <summary>Narrows <paramref name="length"/> characters, or returns false as soon as one does not fit; the destination is then undefined.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryNarrow(ref char source, int length, ref byte destination)
    {
        if (length >= 8)
        {
            return TryNarrowVectors(ref source, length, ref destination);
        }

        if (length >= 4)
        {
            // Two overlapping groups of four cover every length from 4 to 7.
            ulong first = Load(ref source, 0);
            ulong last = Load(ref source, length - 4);
            if (((first | last) & HighBytes) != 0)
            {
                return false;
            }

            Unsafe.WriteUnaligned(ref destination, Pack(first));
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref destination, length - 4), Pack(last));
            return true;
        }

        int all = 0;
        for (int i = 0; i < length; i++)
        {
            int c = Unsafe.Add(ref source, i);
            all |= c;
            Unsafe.Add(ref destination, i) = (byte)c;
        }

        return all <= 0xFF;
    }

    /// <summary>Widens <paramref name="length"/> bytes to characters.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Widen(ref byte source, int length, ref char destination)
    {
        if (length >= 8)
        {
            WidenVectors(ref source, length, ref destination);
            return;
        }

        if (length >= 4)
        {
            Store(ref destination, 0, Spread(Unsafe.ReadUnaligned<uint>(ref source)));
            Store(ref destination, length - 4, Spread(Unsafe.ReadUnaligned<uint>(ref Unsafe.Add(ref source, length - 4))));
            return;
        }

        for (int i = 0; i < length; i++)
        {
            Unsafe.Add(ref destination, i) = (char)Unsafe.Add(ref source, i);
        }
    }

    private static bool TryNarrowVectors(ref char source, int length, ref byte destination)
    {
        ref ushort units = ref Unsafe.As<char, ushort>(ref source);
        Vector128<ushort> all = Vector128<ushort>.Zero;
        int i = 0;
        for (; i <= length - 16; i += 16)
        {
            Vector128<ushort> low = Vector128.LoadUnsafe(ref units, (nuint)i);
            Vector128<ushort> high = Vector128.LoadUnsafe(ref units, (nuint)i + 8);
            all |= low | high;
            Vector128.Narrow(low, high).StoreUnsafe(ref destination, (nuint)i);
        }

        for (; i < length; i += 8)
        {
            // The last group reaches back over characters that are already done, so that no tail remains.
            int at = Math.Min(i, length - 8);
            Vector128<ushort> group = Vector128.LoadUnsafe(ref units, (nuint)at);
            all |= group;
            Vector128.Narrow(group, group).GetLower().StoreUnsafe(ref destination, (nuint)at);
        }

        return (all & Vector128.Create((ushort)0xFF00)) == Vector128<ushort>.Zero;
    }

    private static void WidenVectors(ref byte source, int length, ref char destination)
    {
        ref ushort units = ref Unsafe.As<char, ushort>(ref destination);
        int i = 0;
        for (; i <= length - 16; i += 16)
        {
            (Vector128<ushort> low, Vector128<ushort> high) = Vector128.Widen(Vector128.LoadUnsafe(ref source, (nuint)i));
            low.StoreUnsafe(ref units, (nuint)i);
            high.StoreUnsafe(ref units, (nuint)i + 8);
        }

        for (; i < length; i += 8)
        {
            int at = Math.Min(i, length - 8);
            (Vector64<ushort> low, Vector64<ushort> high) = Vector64.Widen(Vector64.LoadUnsafe(ref source, (nuint)at));
            Vector128.Create(low, high).StoreUnsafe(ref units, (nuint)at);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong Load(ref char source, int index) =>
        Unsafe.ReadUnaligned<ulong>(ref Unsafe.As<char, byte>(ref Unsafe.Add(ref source, index)));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Store(ref char destination, int index, ulong four) =>
        Unsafe.WriteUnaligned(ref Unsafe.As<char, byte>(ref Unsafe.Add(ref destination, index)), four);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong Spread(uint packed)
    {
        ulong pairs = (packed | ((ulong)packed << 16)) & 0x0000FFFF0000FFFF;
        return (pairs | (pairs << 8)) & 0x00FF00FF00FF00FF;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static uint Pack(ulong four)
    {
        ulong pairs = (four | (four >> 8)) & 0x0000FFFF0000FFFF;
        return (uint)(pairs | (pairs >> 16));
    }
}
