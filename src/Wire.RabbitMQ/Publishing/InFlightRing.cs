using Wire.Transport.Pending;

namespace Wire.RabbitMQ.Publishing;

/// <summary>
/// The messages of a channel that have been published and not been confirmed, with their bytes. Not thread-safe: its lane's lock guards it.
/// </summary>
internal sealed class InFlightRing(int capacity, int maxBytes)
{
    private ConfirmRing<PublishOperation> _ring = new();
    private long _bytes;

    /// <summary>From the oldest that is not confirmed to the latest one.</summary>
    public int Count => _ring.Count;

    public bool IsFull => Count >= capacity || _bytes >= maxBytes;

    public void Add(PublishOperation operation)
    {
        _ring.Add(operation);
        _bytes += operation.Bytes;
    }

    /// <summary>Takes the latest one back, whose number the channel has not used. Not there any more when the ring has been emptied.</summary>
    public bool TryTakeBack(PublishOperation operation)
    {
        if (!_ring.TryTakeBack(operation))
        {
            return false;
        }

        _bytes -= operation.Bytes;
        return true;
    }

    /// <summary>Takes the one with a number, or all up to it.</summary>
    public OperationQueue<PublishOperation> Take(ulong number, bool multiple) => Counted(_ring.Take(number, multiple));

    /// <summary>Takes all.</summary>
    public OperationQueue<PublishOperation> TakeAll() => Counted(_ring.TakeAll());

    /// <summary>Notes on the oldest message that it can be that it has come back.</summary>
    public void Return(string? messageId, string exchange, string routingKey, ushort code, string text)
    {
        PublishOperation? operation = _ring.Find((messageId, exchange, routingKey), static (sent, to) =>
            sent is { Mandatory: true, Return: null } && sent.MessageId == to.messageId && sent.Exchange == to.exchange && sent.RoutingKey == to.routingKey);
        if (operation is not null)
        {
            operation.Return = (code, text);
        }
    }

    private OperationQueue<PublishOperation> Counted(OperationQueue<PublishOperation> taken)
    {
        foreach (PublishOperation operation in taken)
        {
            _bytes -= operation.Bytes;
        }

        return taken;
    }
}
