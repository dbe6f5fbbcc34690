using System.Numerics;
using System.Runtime.CompilerServices;

namespace Wire.Sessions;

/// <summary>
/// A map from an object to its number in the message, by reference identity and never by Equals. Entries are stored in the order of their
/// numbers, and those with the same bucket are linked: so a new object touches only one non-sequential memory location. The arrays are kept
/// for the next message unless a large one made them grow.
/// </summary>
internal sealed class ObjectTable
{
    private const int FirstObjects = 32;
    private const int RetainedObjects = 1 << 15;
    private const int ChainsPerObject = 2;

    // Allocated on first use: most threads never need them.
    private Entry[] _entries = [];
    private int[] _chains = new int[2];
    private int _shift = 31;
    private int _count;

    /// <summary>Gets the count of numbers that have been taken.</summary>
    public int Count => _count;

    /// <summary>Returns true and the number of an object that has been added before; else adds it under the next number.</summary>
    public bool TryGetOrAdd(object value, out int number)
    {
        int hash = RuntimeHelpers.GetHashCode(value);
        Entry[] entries = _entries;
        ref int chain = ref _chains[Chain(hash, _shift)];
        // A chain ends with a number that has no entry.
        for (int i = chain - 1; (uint)i < (uint)entries.Length; i = entries[i].Next)
        {
            if (ReferenceEquals(entries[i].Object, value))
            {
                number = i;
                return true;
            }
        }

        number = _count;
        if (number >= entries.Length)
        {
            entries = Grow();
            chain = ref _chains[Chain(hash, _shift)];
        }

        ref Entry entry = ref entries[number];
        entry.Object = value;
        entry.Hash = hash;
        entry.Next = chain - 1;
        _count = chain = number + 1;
        return false;
    }

    /// <summary>Skips a number that no later object can refer to.</summary>
    public void Skip()
    {
        if (_count >= _entries.Length)
        {
            Grow();
        }

        _count++;
    }

    /// <summary>Forgets the message, in time proportional to its own objects, not to those of earlier messages.</summary>
    public void Clear()
    {
        if (_entries.Length > RetainedObjects)
        {
            _entries = [];
            _chains = new int[2];
            _shift = 31;
        }
        else if (_count * ChainsPerObject * 4 > _chains.Length)
        {
            Array.Clear(_chains);
            Array.Clear(_entries, 0, _count);
        }
        else
        {
            for (int i = 0; i < _count; i++)
            {
                _chains[Chain(_entries[i].Hash, _shift)] = 0;
                _entries[i] = default;
            }
        }

        _count = 0;
    }

    // Fibonacci hashing: the upper bits of the product depend on all bits of the identity hash.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int Chain(int hash, int shift) => (int)(((uint)hash * 2654435769u) >> shift);

    // Out of line: rarely called. Hashes are stored, because computing them again would fetch each object from memory.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private Entry[] Grow()
    {
        Array.Resize(ref _entries, Math.Max(FirstObjects, _entries.Length * 2));
        _chains = new int[_entries.Length * ChainsPerObject];
        _shift = 32 - BitOperations.Log2((uint)_chains.Length);
        for (int i = 0; i < _count; i++)
        {
            ref Entry entry = ref _entries[i];
            if (entry.Object is not null)
            {
                ref int chain = ref _chains[Chain(entry.Hash, _shift)];
                entry.Next = chain - 1;
                chain = i + 1;
            }
        }

        return _entries;
    }

    // A skipped number has an entry without an object.
    private struct Entry
    {
        public object? Object;
        public int Hash;
        public int Next;
    }
}
