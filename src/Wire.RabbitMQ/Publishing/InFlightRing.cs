namespace Wire.RabbitMQ;

/// <summary>
/// What has been published on a channel and not been confirmed, by the numbers that the channel counts: 1 for its first message. Not
/// thread-safe: its lane's lock guards it.
/// </summary>
internal sealed class InFlightRing(int capacity, int maxBytes)
{
    private readonly PublishOperation?[] _slots = new PublishOperation?[capacity];

    // The oldest that is not confirmed, and the number of the next message. Slots in between are empty where a later one was confirmed before it.
    private ulong _first = 1;
    private ulong _next = 1;
    private long _bytes;

    /// <summary>From the oldest that is not confirmed to the latest one.</summary>
    public int Count => (int)(_next - _first);

    public bool IsFull => Count == capacity || _bytes >= maxBytes;

    public void Add(PublishOperation operation)
    {
        Slot(_next++) = operation;
        _bytes += operation.Bytes;
    }

    /// <summary>Takes the latest one back, whose number the channel has not used. Not there any more when the ring has been emptied.</summary>
    public bool TryTakeBack(PublishOperation operation)
    {
        if (Count == 0 || Slot(_next - 1) != operation)
        {
            return false;
        }

        Slot(--_next) = null;
        _bytes -= operation.Bytes;
        return true;
    }

    /// <summary>Takes the one with a number, or all up to it.</summary>
    public OperationQueue Take(ulong number, bool multiple)
    {
        var taken = new OperationQueue();
        if (number < _first || number >= _next)
        {
            return taken;
        }

        for (ulong i = multiple ? _first : number; i <= number; i++)
        {
            ref PublishOperation? slot = ref Slot(i);
            if (slot is not null)
            {
                taken.Add(slot);
                _bytes -= slot.Bytes;
                slot = null;
            }
        }

        while (_first < _next && Slot(_first) is null)
        {
            _first++;
        }

        return taken;
    }

    /// <summary>Takes all.</summary>
    public OperationQueue TakeAll() => Take(_next - 1, multiple: true);

    /// <summary>Notes on the oldest message that it can be that it has come back.</summary>
    public void Return(string? messageId, string exchange, string routingKey, ushort code, string text)
    {
        for (ulong i = _first; i < _next; i++)
        {
            if (Slot(i) is { Mandatory: true, Return: null } operation && operation.MessageId == messageId && operation.Exchange == exchange && operation.RoutingKey == routingKey)
            {
                operation.Return = (code, text);
                return;
            }
        }
    }

    private ref PublishOperation? Slot(ulong number) => ref _slots[number % (ulong)_slots.Length];
}
