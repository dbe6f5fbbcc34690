namespace Wire.RabbitMQ.Consuming;

/// <summary>The ids of the messages that were handled last. Thread-safe.</summary>
internal sealed class DuplicateWindow(int capacity)
{
    private readonly Lock _gate = new();
    private readonly HashSet<string> _ids = new(StringComparer.Ordinal);
    private readonly Queue<string> _order = new();

    public bool Contains(string? id)
    {
        if (id is null || capacity == 0)
        {
            return false;
        }

        lock (_gate)
        {
            return _ids.Contains(id);
        }
    }

    public void Add(string? id)
    {
        if (id is null || capacity == 0)
        {
            return;
        }

        lock (_gate)
        {
            if (!_ids.Add(id))
            {
                return;
            }

            if (_order.Count == capacity)
            {
                _ids.Remove(_order.Dequeue());
            }

            _order.Enqueue(id);
        }
    }
}
