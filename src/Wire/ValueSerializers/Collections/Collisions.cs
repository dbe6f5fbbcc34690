using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Security.Cryptography;

namespace Wire.ValueSerializers.Collections;

/// <summary>
/// Counts how often keys would meet others in a hash table, before they are added: the author of a payload's keys can choose them so that
/// each meets all those before it. Counting takes a step per key, whatever the keys are.
/// </summary>
internal static class Collisions
{
    /// <summary>Smaller collections are not counted: at most this many keys can meet.</summary>
    public const int Threshold = 64;

    /// <summary>The number of collisions per key that are not counted; random keys have less than one.</summary>
    public const int Allowance = 8;

    // Multiplied by a secret, equal codes stay equal, and different ones seldom meet.
    private static readonly uint Secret = BitConverter.ToUInt32(RandomNumberGenerator.GetBytes(sizeof(uint))) | 1;

    /// <summary>Counts the collisions of keys.</summary>
    /// <param name="codes">Their hash codes, in the order in which they are added.</param>
    /// <param name="table">How they are found.</param>
    /// <param name="size">The size of the table.</param>
    /// <param name="enough">How many are too many, so that what comes after them need not be counted.</param>
    public static long Count(ReadOnlySpan<int> codes, KeyTable table, int size, long enough) => table switch
    {
        KeyTable.Chains => InChains(codes, size),
        KeyTable.GrowingChains => InGrowingChains(codes, size),
        KeyTable.Lookup => Math.Max(InChains(codes, size), InLookup(codes)),
        KeyTable.Codes => Equal(codes),
        KeyTable.Probes => InProbes(codes, size, enough),
        KeyTable.List => CountInList(codes.Length),
        _ => 0,
    };

    /// <summary>Counts the collisions of keys when each is compared with all.</summary>
    public static long CountInList(long count) => count * (count - 1) / 2;

    private static long InChains(ReadOnlySpan<int> codes, int size)
    {
        int[] chains = Rent(size);
        long collisions = 0;
        foreach (int code in codes)
        {
            collisions += chains[(uint)code % (uint)size]++;
        }

        ArrayPool<int>.Shared.Return(chains);
        return collisions;
    }

    // How large the table is when a key comes depends on the keys before it.
    private static long InGrowingChains(ReadOnlySpan<int> codes, int size)
    {
        int next = TableSizes.AtLeast(size * 2);
        return Math.Max(InChains(codes, size), Math.Max(InChains(codes, next), InChains(codes, TableSizes.AtLeast(next * 2))));
    }

    private static long Equal(ReadOnlySpan<int> codes)
    {
        int bits = Math.Clamp(33 - System.Numerics.BitOperations.LeadingZeroCount((uint)codes.Length), 1, 30);
        int[] places = Rent(1 << bits);
        long collisions = 0;
        foreach (int code in codes)
        {
            collisions += places[((uint)code * Secret) >> (32 - bits)]++;
        }

        ArrayPool<int>.Shared.Return(places);
        return collisions;
    }

    // A look-up begins with 7 chains, and has twice as many and one more whenever it has a key for each.
    private static long InLookup(ReadOnlySpan<int> codes)
    {
        int size = 7;
        int[] chains = Rent(Math.Max(size, (2 * codes.Length) + 1));
        long collisions = 0;
        for (int i = 0; i < codes.Length; i++)
        {
            if (i == size)
            {
                size = (2 * size) + 1;
                Array.Clear(chains);
                foreach (int earlier in codes[..i])
                {
                    chains[(earlier & int.MaxValue) % size]++;
                }
            }

            collisions += chains[(codes[i] & int.MaxValue) % size]++;
        }

        ArrayPool<int>.Shared.Return(chains);
        return collisions;
    }

    // Each key is looked for from its place on, in steps of its own, until a place is free: counting would itself take too long.
    private static long InProbes(ReadOnlySpan<int> codes, int size, long enough)
    {
        int[] taken = Rent(size);
        long collisions = 0;
        foreach (int code in codes)
        {
            uint seed = (uint)code & int.MaxValue;
            uint step = 1 + ((seed * 101) % ((uint)size - 1));
            uint place = seed % (uint)size;
            while (taken[place] != 0 && collisions <= enough)
            {
                collisions++;
                place = (uint)(((long)place + step) % size);
            }

            taken[place] = 1;
        }

        ArrayPool<int>.Shared.Return(taken);
        return collisions;
    }

    private static int[] Rent(int size)
    {
        int[] places = ArrayPool<int>.Shared.Rent(size);
        Array.Clear(places, 0, size);
        return places;
    }
}

/// <summary>Counts the same while keys are added to a table of chains that has room for all of them.</summary>
internal readonly ref struct ChainMeter
{
    private readonly ushort[] _rented;
    private readonly ref ushort _chains;
    private readonly uint _size;
    private readonly ulong _multiplier;

    /// <param name="size">How many chains there are.</param>
    public ChainMeter(int size)
    {
        _rented = ArrayPool<ushort>.Shared.Rent(size);
        _rented.AsSpan(0, size).Clear();
        _chains = ref MemoryMarshal.GetArrayDataReference(_rented);
        _size = (uint)size;
        _multiplier = (ulong.MaxValue / _size) + 1;
    }

    /// <summary>
    /// Counts a key that is about to be added; returns how many stand before it in its chain, as far as that can be counted.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int Add(int code)
    {
        // The remainder of a division by the size, by way of two multiplications.
        uint chain = (uint)(((((_multiplier * (uint)code) >> 32) + 1) * _size) >> 32);
        ref ushort length = ref Unsafe.Add(ref _chains, chain);
        int before = length;
        length = (ushort)Math.Min(before + 1, ushort.MaxValue);
        return before;
    }

    /// <summary>Gives back what was needed for counting.</summary>
    public void ReturnTable() => ArrayPool<ushort>.Shared.Return(_rented);
}
