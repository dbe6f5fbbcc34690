using Wire.RabbitMQ.Connections;
using Wire.Transport.Pending;

namespace Wire.RabbitMQ.Client;

/// <summary>
/// The messages of a channel that have been published and not been confirmed, with their bytes. Not thread-safe: its publisher's lock
/// guards it.
/// </summary>
internal sealed class InFlightRing(int capacity, long maxBytes)
{
    private ConfirmRing<ClientPublication> _ring = new();
    private long _bytes;

    /// <summary>From the oldest that is not confirmed to the latest one.</summary>
    public int Count => _ring.Count;

    public bool IsFull => Count >= capacity || _bytes >= maxBytes;

    public void Add(ClientPublication publication)
    {
        _ring.Add(publication);
        _bytes += publication.Bytes;
    }

    /// <summary>
    /// Takes the latest one back, whose number the channel has not used. Not there any more when the ring has been emptied.
    /// </summary>
    public bool TryTakeBack(ClientPublication publication)
    {
        if (!_ring.TryTakeBack(publication))
        {
            return false;
        }

        _bytes -= publication.Bytes;
        return true;
    }

    /// <summary>Takes the one with a number, or all up to it.</summary>
    public OperationQueue<ClientPublication> Take(ulong number, bool multiple) => Counted(_ring.Take(number, multiple));

    /// <summary>Takes all.</summary>
    public OperationQueue<ClientPublication> TakeAll() => Counted(_ring.TakeAll());

    /// <summary>Notes on the oldest message that it can be that it has come back.</summary>
    public void Return(ReturnedMessage returned)
    {
        ClientPublication? publication = _ring.Find(returned, static (sent, to) =>
            sent is { Method.Mandatory: true, Return: null }
            && sent.Properties.MessageId.Equals(to.MessageId)
            && sent.Method.Exchange.Equals(to.Exchange)
            && sent.Method.RoutingKey.Equals(to.RoutingKey));
        if (publication is not null)
        {
            publication.Return = (returned.ReplyCode, returned.ReplyText);
        }
    }

    private OperationQueue<ClientPublication> Counted(OperationQueue<ClientPublication> taken)
    {
        foreach (ClientPublication publication in taken)
        {
            _bytes -= publication.Bytes;
        }

        return taken;
    }
}
