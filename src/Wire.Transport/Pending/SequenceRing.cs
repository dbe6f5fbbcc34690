using System.Runtime.CompilerServices;

namespace Wire.Transport.Pending;

/// <summary>
/// Slots by numbers that ascend, from the oldest that is needed to the latest: a ring that grows when it is full. Not thread-safe.
/// </summary>
internal struct SequenceRing<T>
{
    private T[] _slots;
    private int _mask;

    /// <summary>Has no slot in use.</summary>
    /// <param name="first">The number of the first one.</param>
    /// <param name="capacity">How many there is room for at first, a power of two.</param>
    public SequenceRing(ulong first, int capacity)
    {
        _slots = new T[capacity];
        _mask = capacity - 1;
        First = Next = first;
    }

    /// <summary>The oldest number in use.</summary>
    public ulong First { get; private set; }

    /// <summary>The number that the next one gets.</summary>
    public ulong Next { get; private set; }

    /// <summary>Gets the number of items in use.</summary>
    public readonly int Count => (int)(Next - First);

    /// <summary>The slot of a number. One that is not in use any more stays as it is until another number comes there.</summary>
    public readonly ref T this[ulong number]
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => ref _slots[(int)number & _mask];
    }

    /// <summary>Takes the next number into use. Its slot has what was in it before.</summary>
    public ref T Add()
    {
        if (Count == _slots.Length)
        {
            Grow();
        }

        return ref _slots[(int)Next++ & _mask];
    }

    /// <summary>Gives the oldest number up.</summary>
    public void RemoveFirst() => First++;

    /// <summary>Gives the latest number up, which the next one gets again.</summary>
    public void RemoveLast() => Next--;

    // The numbers keep their order, and find their slots again.
    private void Grow()
    {
        var larger = new T[_slots.Length * 2];
        int mask = larger.Length - 1;
        for (ulong i = First; i < Next; i++)
        {
            larger[(int)i & mask] = _slots[(int)i & _mask];
        }

        (_slots, _mask) = (larger, mask);
    }
}
