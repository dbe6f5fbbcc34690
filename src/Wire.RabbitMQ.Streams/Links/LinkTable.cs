namespace Wire.RabbitMQ.Streams.Links;

/// <summary>
/// The publishers or subscriptions of a link by their numbers, and their streams. Thread-safe; lookups take no lock.
/// </summary>
/// <remarks>
/// A number is in use from before the request until the broker is known to have dropped it, so that nothing comes to
/// the wrong one.
/// </remarks>
internal sealed class LinkTable<T>(int capacity)
    where T : class
{
    private readonly Lock _gate = new();
    private readonly T?[] _items = new T?[capacity];
    private readonly Slot[] _slots = new Slot[capacity];
    private bool _isClosed;

    /// <summary>Finds the entry of a number; null if there is none, or if it must receive no more events.</summary>
    public T? this[byte id] => Volatile.Read(ref _items[id]);

    /// <summary>Adds one under a number that is free. The broker does not have it yet.</summary>
    /// <returns>The number; null if none is free, or the table is closed.</returns>
    public byte? TryAdd(T item, string stream)
    {
        lock (_gate)
        {
            int free = _isClosed ? -1 : Array.FindIndex(_slots, slot => slot.Owner is null);
            if (free < 0)
            {
                return null;
            }

            _slots[free] = new Slot(item, stream, IsThere: false);
            Volatile.Write(ref _items[free], item);
            return (byte)free;
        }
    }

    /// <summary>The broker has it.</summary>
    public void Arrived(byte id, T item)
    {
        lock (_gate)
        {
            if (Contains(id, item))
            {
                _slots[id] = _slots[id] with { IsThere = true };
            }
        }
    }

    /// <summary>Returns whether it is the one with the number.</summary>
    public bool Contains(byte id, T item) => ReferenceEquals(this[id], item);

    /// <summary>Stops delivering to it; it keeps its number.</summary>
    /// <returns>True if it was found.</returns>
    public bool Silence(byte id, T item)
    {
        lock (_gate)
        {
            bool wasThere = Contains(id, item);
            if (wasThere)
            {
                _items[id] = null;
                _slots[id] = _slots[id] with { IsThere = false };
            }

            return wasThere;
        }
    }

    /// <summary>Removes one, unless it has gone already.</summary>
    public void Remove(byte id, T item)
    {
        lock (_gate)
        {
            if (ReferenceEquals(_slots[id].Owner, item))
            {
                Clear(id);
            }
        }
    }

    /// <summary>Removes the entries of a stream that the broker had.</summary>
    public List<T> Remove(string stream)
    {
        lock (_gate)
        {
            return Remove(slot => slot.IsThere && slot.Stream == stream);
        }
    }

    /// <summary>Removes all entries, and returns those that the broker had; no more can be added.</summary>
    public List<T> TakeAll()
    {
        lock (_gate)
        {
            _isClosed = true;
            List<T> taken = Remove(slot => slot.IsThere);
            Remove(slot => slot.Owner is not null);
            return taken;
        }
    }

    private List<T> Remove(Func<Slot, bool> which)
    {
        var taken = new List<T>();
        for (int id = 0; id < _slots.Length; id++)
        {
            if (which(_slots[id]))
            {
                taken.Add(_slots[id].Owner!);
                Clear(id);
            }
        }

        return taken;
    }

    private void Clear(int id)
    {
        _items[id] = null;
        _slots[id] = default;
    }

    private readonly record struct Slot(T? Owner, string? Stream, bool IsThere);
}
