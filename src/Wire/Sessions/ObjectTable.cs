using System.Numerics;
using System.Runtime.CompilerServices;

namespace Wire.Sessions;

/// <summary>
/// From object to its number in the message, by reference identity and never by Equals. The objects lie in the order of their numbers, and
/// those whose identity hashes share a chain are linked: so a new object touches memory in one place that is not the next one. The arrays
/// stay for the next message unless a large one made them grow.
/// </summary>
internal sealed class ObjectTable
{
    private const int FirstObjects = 32;
    private const int RetainedObjects = 1 << 15;
    private const int ChainsPerObject = 2;

    // A thread that never meets an object twice keeps neither array.
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
        // A chain ends with a number of no entry.
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

    /// <summary>Passes over a number that no later object can refer to.</summary>
    public void Skip()
    {
        if (_count >= _entries.Length)
        {
            Grow();
        }

        _count++;
    }

    /// <summary>Forgets the message, in time that goes with its objects and not with those of earlier messages.</summary>
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

    // Out of line: seldom. Objects are not asked for their hashes again, which would fetch each of them from memory.
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

    // A number that was passed over has an entry without an object.
    private struct Entry
    {
        public object? Object;
        public int Hash;
        public int Next;
    }
}
