using Wire.Amqp.Client.Connections;
using Wire.Transport.Pending;

namespace Wire.Amqp.Client.Publishing;

/// <summary>
/// Finds the message over which the broker closes the connection again and again, where unconfirmed messages are sent again. A message that
/// was under way in all such losses but one is a suspect: suspects are sent alone, one at a time on the whole connection. So the one that
/// is under way at the next such loss is the cause, and fails; the others are confirmed. Thread-safe.
/// </summary>
internal sealed class Suspects
{
    /// <summary>The number of such losses after which a message is not sent again.</summary>
    public const int MostLosses = 3;

    private readonly Lock _gate = new();
    private readonly HashSet<Publisher> _waiting = [];
    private Publisher? _sender;

    /// <summary>
    /// Counts the loss of a connection for the messages that were under way, if the broker has closed it over an error.
    /// </summary>
    /// <param name="unconfirmed">The messages that were under way; afterwards those that must not be sent again.</param>
    /// <param name="end">Why the connection was lost.</param>
    /// <returns>Those that may be sent again, in their order.</returns>
    public static OperationQueue<Publication> TakeInnocent(ref OperationQueue<Publication> unconfirmed, Exception end)
    {
        if (end is not AmqpConnectionException { Reason.ReplyCode: >= ReplyCodes.LeastOfConnectionErrors })
        {
            return unconfirmed.TakeAll();
        }

        OperationQueue<Publication> innocent = default, guilty = default;
        while (unconfirmed.TryTake() is { } publication)
        {
            if (++publication.Losses < MostLosses)
            {
                innocent.Add(publication);
            }
            else
            {
                guilty.Add(publication);
            }
        }

        unconfirmed = guilty;
        return innocent;
    }

    /// <summary>Asks for the turn to send a suspect; if another publisher has it, this one is notified when it is over.</summary>
    public bool TryBegin(Publisher publisher)
    {
        lock (_gate)
        {
            if (_sender is null || _sender == publisher)
            {
                _sender = publisher;
                return true;
            }

            _waiting.Add(publisher);
            return false;
        }
    }

    /// <summary>Ends the turn of a publisher: its suspect has been confirmed, or has failed.</summary>
    public void End(Publisher publisher)
    {
        Publisher[] waiting;
        lock (_gate)
        {
            if (_sender != publisher)
            {
                return;
            }

            _sender = null;
            waiting = [.. _waiting];
            _waiting.Clear();
        }

        // On the pool: each has a lock of its own.
        foreach (Publisher next in waiting)
        {
            ThreadPool.UnsafeQueueUserWorkItem(static publisher => publisher.RoomMade(), next, preferLocal: false);
        }
    }
}
