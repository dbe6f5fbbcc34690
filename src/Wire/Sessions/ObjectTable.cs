using System.Runtime.CompilerServices;

namespace Wire;

/// <summary>
/// From object to its number in the message, by reference identity and never by Equals: open addressing on the identity
/// hash. It keeps its arrays for the next message unless a large one made them grow.
/// </summary>
internal sealed class ObjectTable
{
    private const int RetainedSlots = 1 << 16;

    private object?[] _objects = [];
    private int[] _numbers = [];
    private int _count;

    /// <summary>How many numbers have been taken.</summary>
    public int Count => _count;

    /// <summary>Returns true and the number of an object that has been added before; else adds it under the next number.</summary>
    public bool TryGetOrAdd(object value, out int number)
    {
        // Kept at most half full, so that probe sequences stay short.
        if (_count * 2 >= _objects.Length)
        {
            Grow();
        }

        int mask = _objects.Length - 1;
        int slot = Slot(value, mask);
        while (_objects[slot] is { } other)
        {
            if (ReferenceEquals(other, value))
            {
                number = _numbers[slot];
                return true;
            }

            slot = (slot + 1) & mask;
        }

        _objects[slot] = value;
        _numbers[slot] = number = _count++;
        return false;
    }

    /// <summary>Passes over a number that no later object can refer to.</summary>
    public void Skip() => _count++;

    public void Clear()
    {
        if (_objects.Length > RetainedSlots)
        {
            _objects = [];
            _numbers = [];
        }
        else if (_count > 0)
        {
            Array.Clear(_objects);
        }

        _count = 0;
    }

    // Fibonacci hashing spreads the identity hash, whose low bits are not random, over the table.
    private static int Slot(object value, int mask) =>
        (int)(((uint)RuntimeHelpers.GetHashCode(value) * 2654435769u) >> 7) & mask;

    private void Grow()
    {
        object?[] objects = _objects;
        int[] numbers = _numbers;
        _objects = new object?[Math.Max(32, objects.Length * 2)];
        _numbers = new int[_objects.Length];
        int mask = _objects.Length - 1;
        for (int i = 0; i < objects.Length; i++)
        {
            if (objects[i] is { } value)
            {
                int slot = Slot(value, mask);
                while (_objects[slot] is not null)
                {
                    slot = (slot + 1) & mask;
                }

                _objects[slot] = value;
                _numbers[slot] = numbers[i];
            }
        }
    }
}
