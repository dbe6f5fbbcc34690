namespace Wire.Transport.Pending;

/// <summary>A message, for which room is counted.</summary>
internal interface ISized
{
    /// <summary>Gets the number of bytes that its body has: does not change while it is counted.</summary>
    long BodySize { get; }
}

/// <summary>
/// The messages that were published on a channel and not confirmed, by the numbers that the channel counts: 1 for its first message. Not
/// thread-safe.
/// </summary>
/// <param name="capacity">How many there may be.</param>
/// <param name="maxBytes">The most bytes of their bodies; the last one may exceed it.</param>
internal sealed class ConfirmRing<T>(int capacity, long maxBytes)
    where T : Queued, ISized
{
    // Slots are empty where a later one was confirmed before an older one.
    private SequenceRing<T?> _ring = new(1, 16);
    private long _bytes;

    /// <summary>Gets the count, from the oldest that is not confirmed to the latest.</summary>
    public int Count => _ring.Count;

    /// <summary>The number of the oldest.</summary>
    public ulong First => _ring.First;

    /// <summary>The number that the next one gets.</summary>
    public ulong Next => _ring.Next;

    /// <summary>Gets the number of times that a number was given back and used again.</summary>
    public int TakenBack { get; private set; }

    /// <summary>Gets whether there may be no more.</summary>
    public bool IsFull => Count >= capacity || _bytes >= maxBytes;

    /// <summary>Adds the next message.</summary>
    public void Add(T operation)
    {
        _ring.Add() = operation;
        _bytes += operation.BodySize;
    }

    /// <summary>Takes the latest one back, whose number the channel has not used; false when it is not there any more.</summary>
    public bool TryTakeBack(T operation)
    {
        if (Count == 0 || _ring[_ring.Next - 1] != operation)
        {
            return false;
        }

        TakenBack++;
        _ring.RemoveLast();
        _ring[_ring.Next] = null;
        _bytes -= operation.BodySize;
        return true;
    }

    /// <summary>Takes the one with a number, or all up to it.</summary>
    public OperationQueue<T> Remove(ulong number, bool multiple)
    {
        var taken = new OperationQueue<T>();
        if (number < _ring.First || number >= _ring.Next)
        {
            return taken;
        }

        for (ulong i = multiple ? _ring.First : number; i <= number; i++)
        {
            ref T? slot = ref _ring[i];
            if (slot is not null)
            {
                _bytes -= slot.BodySize;
                taken.Add(slot);
                slot = null;
            }
        }

        while (Count > 0 && _ring[_ring.First] is null)
        {
            _ring.RemoveFirst();
        }

        return taken;
    }

    /// <summary>Takes all.</summary>
    public OperationQueue<T> TakeAll() => Remove(_ring.Next - 1, multiple: true);

    /// <summary>The one with a number; null when it is not there.</summary>
    public T? Find(ulong number) => number >= _ring.First && number < _ring.Next ? _ring[number] : null;
}
