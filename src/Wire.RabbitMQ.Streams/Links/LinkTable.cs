namespace Wire.RabbitMQ.Streams.Links;

/// <summary>The publishers or subscriptions of a link by their numbers, and the streams they are for. Thread-safe; to look one up takes no lock.</summary>
internal sealed class LinkTable<T>(int capacity)
    where T : class
{
    private readonly Lock _gate = new();
    private readonly T?[] _items = new T?[capacity];
    private readonly string?[] _streams = new string?[capacity];
    private bool _isClosed;

    /// <summary>The one with a number; null where there is none, or no more.</summary>
    public T? this[byte id] => Volatile.Read(ref _items[id]);

    /// <summary>Adds one under a number that is free.</summary>
    /// <returns>The number; null where none is free, or no more are taken.</returns>
    public byte? TryAdd(T item, string stream)
    {
        lock (_gate)
        {
            int free = _isClosed ? -1 : Array.IndexOf(_items, null);
            if (free < 0)
            {
                return null;
            }

            _streams[free] = stream;
            Volatile.Write(ref _items[free], item);
            return (byte)free;
        }
    }

    /// <summary>Whether it is the one with the number.</summary>
    public bool Contains(byte id, T item) => ReferenceEquals(this[id], item);

    /// <summary>Removes one, unless it has gone already.</summary>
    public void Remove(byte id, T item)
    {
        lock (_gate)
        {
            if (ReferenceEquals(_items[id], item))
            {
                _items[id] = null;
                _streams[id] = null;
            }
        }
    }

    /// <summary>Takes out those of a stream.</summary>
    public List<T> Take(string stream)
    {
        lock (_gate)
        {
            return Take(id => _streams[id] == stream);
        }
    }

    /// <summary>Takes out all; no more are added.</summary>
    public List<T> TakeAll()
    {
        lock (_gate)
        {
            _isClosed = true;
            return Take(_ => true);
        }
    }

    private List<T> Take(Func<int, bool> which)
    {
        var taken = new List<T>();
        for (int id = 0; id < _items.Length; id++)
        {
            if (_items[id] is { } item && which(id))
            {
                taken.Add(item);
                _items[id] = null;
                _streams[id] = null;
            }
        }

        return taken;
    }
}
