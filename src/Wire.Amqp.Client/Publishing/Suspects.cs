using System.Diagnostics;
using Wire.Amqp.Client.Channels;
using Wire.Amqp.Client.Connections;
using Wire.Transport.Pending;

namespace Wire.Amqp.Client.Publishing;

/// <summary>
/// Finds the message over which the broker closes the connection again and again, where unconfirmed messages are sent again. A message that
/// was under way in all such losses but one is a suspect: suspects are sent alone, one at a time on the whole connection. So the one that
/// is under way at the next such loss is the cause, and fails; the others are confirmed. Thread-safe.
/// </summary>
/// <remarks>
/// A publisher takes the turn before it sends a suspect. From then on nothing of others is written, and when what they have written before
/// is confirmed, the suspect goes. What goes without confirms is not waited for, since nobody knows when the broker has dealt with it.
/// </remarks>
internal sealed class Suspects
{
    /// <summary>The number of such losses after which a message is not sent again.</summary>
    public const int MostLosses = 3;

    private readonly Lock _gate = new();
    private readonly HashSet<Publisher> _waiting = [];
    private volatile Turn? _turn;

    /// <summary>
    /// Counts the loss of a connection for the messages that were under way, if the broker has closed it over an error.
    /// </summary>
    /// <param name="unconfirmed">The messages that were under way; afterwards those that must not be sent again.</param>
    /// <param name="end">Why the connection was lost.</param>
    /// <returns>Those that may be sent again, in their order.</returns>
    public static OperationQueue<Publication> TakeInnocent(ref OperationQueue<Publication> unconfirmed, Exception end)
    {
        if (end is not AmqpConnectionException { Reason: { ReplyCode: >= ReplyCodes.LeastOfConnectionErrors, IsOfSecret: false } })
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

    /// <summary>Returns whether nothing of a publisher may go out, because another one has the turn.</summary>
    public bool HoldsBack(Publisher publisher) => _turn is { } turn && turn.Sender != publisher;

    /// <summary>Asks whether a publisher may send; if another one has the turn, this one is notified when it is over.</summary>
    public bool MayGo(Publisher publisher) => !HoldsBack(publisher) || !TryWait(publisher);

    /// <summary>
    /// Asks for the turn to send suspects: null if another publisher has it, and this one is notified when it is over. The publisher is
    /// notified as well when it is alone.
    /// </summary>
    public Turn? TryBegin(Publisher publisher, Link link)
    {
        Turn turn;
        lock (_gate)
        {
            if (_turn is not null)
            {
                _waiting.Add(publisher);
                return null;
            }

            _turn = turn = new Turn(publisher, link);
        }

        BeginToLook(turn);
        return turn;
    }

    /// <summary>Nothing of a publisher is under way any more, for which the one that has the turn may wait.</summary>
    public void Idle()
    {
        if (_turn is { IsAlone: false } turn)
        {
            BeginToLook(turn);
        }
    }

    /// <summary>Ends the turn of a publisher: it has no suspect any more.</summary>
    public void End(Turn turn)
    {
        Publisher[] waiting;
        lock (_gate)
        {
            Debug.Assert(_turn == turn, "A turn is ended once.");
            _turn = null;
            waiting = [.. _waiting];
            _waiting.Clear();
        }

        // On the pool: each has a lock of its own.
        foreach (Publisher next in waiting)
        {
            ThreadPool.UnsafeQueueUserWorkItem(static publisher => publisher.RoomMade(), next, preferLocal: false);
        }
    }

    private bool TryWait(Publisher publisher)
    {
        lock (_gate)
        {
            if (!HoldsBack(publisher))
            {
                return false;
            }

            _waiting.Add(publisher);
            return true;
        }
    }

    // On the pool, as it takes the turn of each channel.
    private static void BeginToLook(Turn turn) =>
        ThreadPool.UnsafeQueueUserWorkItem(static turn => turn.Look(), turn, preferLocal: false);

    /// <summary>The turn of a publisher: nothing of others goes out until it ends.</summary>
    internal sealed class Turn(Publisher sender, Link link)
    {
        private volatile bool _isAlone;

        /// <summary>The publisher.</summary>
        public Publisher Sender => sender;

        /// <summary>Gets whether nothing is under way on the connection but what the publisher has sent in this turn.</summary>
        public bool IsAlone => _isAlone;

        /// <summary>Notifies the publisher if it is alone. Once nothing of a channel is under way, that stays so.</summary>
        public void Look()
        {
            if (_isAlone)
            {
                return;
            }

            foreach (LinkChannel channel in link.Channels)
            {
                // After what is being written.
                lock (channel.SendQueue.Gate)
                {
                    if (channel.Publishing is { HasUnconfirmed: true })
                    {
                        return;
                    }
                }
            }

            _isAlone = true;
            sender.RoomMade();
        }
    }
}
