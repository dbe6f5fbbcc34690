using System.Numerics;

namespace Wire.Amqp.Client.Publishing;

/// <summary>
/// What has been published on a channel and not been confirmed, by the numbers that the channel counts: 1 for its first message. Thread-safe.
/// </summary>
/// <param name="capacity">How many there may be.</param>
internal sealed class ConfirmRing(int capacity)
{
    private readonly Lock _gate = new();
    private Publication?[] _slots = new Publication?[16];

    // The oldest that is not confirmed, and the number of the next message. Slots in between are empty where a later one was confirmed before it.
    private ulong _first = 1;
    private ulong _next = 1;

    /// <summary>Whether no more may be in flight.</summary>
    public bool IsFull
    {
        get
        {
            lock (_gate)
            {
                return _next - _first >= (ulong)capacity;
            }
        }
    }

    /// <summary>How many there are, from the oldest that is not confirmed to the latest.</summary>
    public int Count
    {
        get
        {
            lock (_gate)
            {
                return (int)(_next - _first);
            }
        }
    }

    /// <summary>Adds the next message.</summary>
    /// <returns>How many there are by then.</returns>
    public int Add(Publication publication)
    {
        lock (_gate)
        {
            if (_next - _first == (ulong)_slots.Length)
            {
                Grow();
            }

            publication.IsWritten = true;
            publication.Return = null;
            Slot(_next++) = publication;
            return (int)(_next - _first);
        }
    }

    /// <summary>Takes the one with a number, or all up to it.</summary>
    public PublicationQueue Take(ulong number, bool multiple, bool acked = true)
    {
        var taken = new PublicationQueue();
        lock (_gate)
        {
            if (multiple && number == 0)
            {
                number = _next - 1;
            }

            if (number < _first || number >= _next)
            {
                return taken;
            }

            for (ulong i = multiple ? _first : number; i <= number; i++)
            {
                ref Publication? slot = ref Slot(i);
                if (slot is not null)
                {
                    slot.IsRefused = !acked;
                    taken.Add(slot);
                    slot = null;
                }
            }

            while (_first < _next && Slot(_first) is null)
            {
                _first++;
            }
        }

        return taken;
    }

    /// <summary>Takes all.</summary>
    public PublicationQueue TakeAll() => Take(0, multiple: true);

    /// <summary>Notes on the oldest message that it can be that it has come back.</summary>
    public void Return(in AmqpDelivery returned)
    {
        (AmqpString exchange, AmqpString routingKey, AmqpString id) = (returned.Exchange, returned.RoutingKey, returned.Properties.MessageId);
        lock (_gate)
        {
            for (ulong i = _first; i < _next; i++)
            {
                if (Slot(i) is { Exchange.IsNull: false, Return: null } publication && publication.MessageId == id && publication.RoutingKey == routingKey && publication.Exchange == exchange)
                {
                    publication.Return = (returned.ReplyCode, returned.ReplyText.ToString());
                    return;
                }
            }
        }
    }

    // The numbers keep their order, and find their places anew.
    private void Grow()
    {
        var larger = new Publication?[BitOperations.RoundUpToPowerOf2((uint)_slots.Length * 2)];
        for (ulong i = _first; i < _next; i++)
        {
            larger[i & (ulong)(larger.Length - 1)] = Slot(i);
        }

        _slots = larger;
    }

    private ref Publication? Slot(ulong number) => ref _slots[number & (ulong)(_slots.Length - 1)];
}
