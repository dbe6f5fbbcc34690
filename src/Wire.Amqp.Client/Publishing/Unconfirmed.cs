using Wire.Transport.Pending;

namespace Wire.Amqp.Client.Publishing;

/// <summary>
/// The messages of a channel that have been published and not been confirmed. Thread-safe: published under the channel's turn, confirmed by
/// the receive loop.
/// </summary>
/// <param name="capacity">How many there may be.</param>
/// <param name="maxBytes">The most bytes of their bodies; the last one may exceed it.</param>
internal sealed class Unconfirmed(int capacity, long maxBytes)
{
    private readonly Lock _gate = new();
    private readonly ConfirmRing<Publication> _ring = new(capacity, maxBytes);
    private ConfirmIndex<Publication, ReturnKey>? _returnable;

    // Nothing goes beside a suspect.
    private bool _holdsSuspect;

    /// <summary>Gets whether no more may be in flight.</summary>
    public bool IsFull
    {
        get
        {
            lock (_gate)
            {
                return _ring.IsFull || _holdsSuspect;
            }
        }
    }

    /// <summary>Gets whether it is a suspect that is in flight.</summary>
    public bool HoldsSuspect
    {
        get
        {
            lock (_gate)
            {
                return _holdsSuspect;
            }
        }
    }

    /// <summary>Gets the count, from the oldest that is not confirmed to the latest.</summary>
    public int Count
    {
        get
        {
            lock (_gate)
            {
                return _ring.Count;
            }
        }
    }

    /// <summary>Adds the next message.</summary>
    /// <returns>How many there are by then.</returns>
    public int Add(Publication publication)
    {
        publication.IsWritten = true;
        publication.Return = null;
        lock (_gate)
        {
            _ring.Add(publication);
            _holdsSuspect = publication.IsSuspect;
            return _ring.Count;
        }
    }

    /// <summary>Removes the message with a number, or all up to it; 0 means all.</summary>
    public OperationQueue<Publication> Remove(ulong number, bool multiple, bool acked = true)
    {
        OperationQueue<Publication> taken;
        lock (_gate)
        {
            taken = multiple && number == 0 ? _ring.TakeAll() : _ring.Remove(number, multiple);
            _holdsSuspect &= _ring.Count > 0;
        }

        if (!acked)
        {
            foreach (Publication publication in taken)
            {
                publication.IsRefused = true;
            }
        }

        return taken;
    }

    /// <summary>Takes all.</summary>
    public OperationQueue<Publication> TakeAll() => Remove(0, multiple: true);

    /// <summary>Marks the oldest matching message as returned.</summary>
    public void Return(in AmqpDelivery returned)
    {
        var key = ReturnKey.From(in returned);
        lock (_gate)
        {
            _returnable ??= new ConfirmIndex<Publication, ReturnKey>(_ring, ReturnKey.From);
            if (_returnable.Remove(key) is { } publication)
            {
                publication.Return = (returned.ReplyCode, returned.ReplyText.ToString());
            }
        }
    }
}
