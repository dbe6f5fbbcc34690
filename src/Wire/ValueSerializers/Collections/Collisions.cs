using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Security.Cryptography;

namespace Wire.ValueSerializers.Collections;

/// <summary>
/// Counts the collisions of keys in a hash table before they are added: the author of a payload can choose keys so that each collides with
/// all earlier ones. Counting takes one step per key, for any keys.
/// </summary>
/// <remarks>
/// Strings that .NET hashes with its secret are not counted, except the parts of them that frozen collections hash without one (<see
/// cref="FrozenTexts"/>).
/// </remarks>
internal static class Collisions
{
    /// <summary>The size below which collections are not counted: at most this many keys can collide.</summary>
    public const int Threshold = 64;

    /// <summary>The number of collisions per key that are not counted; random keys have less than one.</summary>
    public const int Allowance = 8;

    // After multiplication by a secret, equal codes stay equal, and different ones rarely collide.
    private static readonly uint Secret = BitConverter.ToUInt32(RandomNumberGenerator.GetBytes(sizeof(uint))) | 1;

    /// <summary>Counts the collisions of keys.</summary>
    /// <param name="codes">Their hash codes, in the order in which they are added.</param>
    /// <param name="table">The rule by which they are found.</param>
    /// <param name="size">The size of the table.</param>
    /// <param name="enough">The count at which counting stops.</param>
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

    /// <summary>Counts the collisions of keys in a linear list.</summary>
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

    // The size of the table when a key is added depends on the earlier keys.
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

    // A lookup begins with 7 chains, and grows to 2n + 1 chains whenever it has a key for each.
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

    // Each key is probed with its own step until a slot is free: counting would itself take too long.
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

/// <summary>Counts collisions while keys are added to a chained table with capacity for all of them.</summary>
internal readonly ref struct ChainMeter
{
    private readonly ushort[] _rented;
    private readonly ref ushort _chains;
    private readonly uint _size;
    private readonly ulong _multiplier;

    /// <param name="size">The number of chains.</param>
    public ChainMeter(int size)
    {
        _rented = ArrayPool<ushort>.Shared.Rent(size);
        _rented.AsSpan(0, size).Clear();
        _chains = ref MemoryMarshal.GetArrayDataReference(_rented);
        _size = (uint)size;
        _multiplier = (ulong.MaxValue / _size) + 1;
    }

    /// <summary>
    /// Counts a key that is about to be added; returns the number of earlier ones in its chain.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int Add(int code)
    {
        // The remainder of a division by the size, computed with two multiplications.
        uint chain = (uint)(((((_multiplier * (uint)code) >> 32) + 1) * _size) >> 32);
        ref ushort length = ref Unsafe.Add(ref _chains, chain);
        int before = length;
        length = (ushort)Math.Min(before + 1, ushort.MaxValue);
        return before;
    }

    /// <summary>Returns the pooled arrays used for counting.</summary>
    public void ReturnTable() => ArrayPool<ushort>.Shared.Return(_rented);
}
