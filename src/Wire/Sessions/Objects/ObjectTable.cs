using System.Numerics;
using System.Runtime.CompilerServices;

namespace Wire.Sessions.Objects;

/// <summary>
/// A map from an object to its number in the message, by reference identity and never by Equals. It is a hash table with open addressing,
/// so that most lookups touch one place in memory. The arrays are kept for the next message unless a large one made them grow.
/// </summary>
internal sealed class ObjectTable
{
    private const int FirstSlots = 64;
    private const int RetainedSlots = 1 << 16;
    private const int SlotsPerObject = 2;

    // From this share of the slots on, clearing all of them is faster than clearing those that are in use.
    private const int SlotsPerClearing = 8;

    // Allocated on first use: most threads never need them. A power of two; the only slot at the beginning stays empty.
    private Slot[] _slots = new Slot[1];
    private int _shift = 31;
    private int _count;

    // The places of the objects, in the order in which they were added.
    private int[] _places = [];
    private int _used;

    /// <summary>Gets the count of numbers that have been taken.</summary>
    public int Count => _count;

    /// <summary>Returns true and the number of an object that has been added before; else adds it under the next number.</summary>
    public bool TryGetOrAdd(object value, out int number)
    {
        int hash = RuntimeHelpers.GetHashCode(value);
        int place = PlaceOf(value, hash);
        ref Slot slot = ref _slots[place];
        if (slot.Object is not null)
        {
            number = slot.Number;
            return true;
        }

        if (_used >= _places.Length)
        {
            Grow();
            place = PlaceOf(value, hash);
            slot = ref _slots[place];
        }

        number = _count++;
        slot.Object = value;
        slot.Hash = hash;
        slot.Number = number;
        _places[_used++] = place;
        return false;
    }

    /// <summary>Forgets the object that was added last.</summary>
    public void RemoveLast()
    {
        _count--;
        _slots[_places[--_used]] = default;
    }

    /// <summary>Skips a number that no later object can refer to.</summary>
    public void Skip() => _count++;

    /// <summary>Forgets the message, in time proportional to its own objects, not to those of earlier messages.</summary>
    public void Clear()
    {
        if (_slots.Length > RetainedSlots)
        {
            Resize(1);
            _places = [];
        }
        else if (_used * SlotsPerClearing > _slots.Length)
        {
            Array.Clear(_slots);
        }
        else
        {
            foreach (int place in _places.AsSpan(0, _used))
            {
                _slots[place] = default;
            }
        }

        _used = _count = 0;
    }

    // The object's slot, or the one to put it in.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int PlaceOf(object value, int hash)
    {
        // Fibonacci hashing: the upper bits of the product depend on all bits of the identity hash.
        Slot[] slots = _slots;
        int place = (int)(((uint)hash * 2654435769u) >> _shift) & (slots.Length - 1);
        while (slots[place].Object is { } other && !ReferenceEquals(other, value))
        {
            place = (place + 1) & (slots.Length - 1);
        }

        return place;
    }

    // Hashes are stored, because computing them again would fetch each object from memory.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Grow()
    {
        Slot[] old = _slots;
        Resize(Math.Max(FirstSlots, old.Length * 2));
        Array.Resize(ref _places, _slots.Length / SlotsPerObject);
        foreach (ref int place in _places.AsSpan(0, _used))
        {
            Slot moved = old[place];
            place = PlaceOf(moved.Object!, moved.Hash);
            _slots[place] = moved;
        }
    }

    private void Resize(int size)
    {
        _slots = new Slot[size];
        _shift = 32 - Math.Max(1, BitOperations.Log2((uint)size));
    }

    private struct Slot
    {
        public object? Object;
        public int Hash;
        public int Number;
    }
}
