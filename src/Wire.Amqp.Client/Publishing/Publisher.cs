using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using Wire.Amqp.Bodies;
using Wire.Amqp.Client.Channels;
using Wire.Amqp.V091;
using Wire.Transport.Pending;

namespace Wire.Amqp.Client.Publishing;

/// <summary>
/// Publishes on a channel: writes each message into what the session of the channel sends, in the order of the calls, or keeps it until
/// there is room. Every message is written by a <see cref="MessageWrite"/>, whether at once or after it has waited.
/// </summary>
internal sealed partial class Publisher(
    RecoveringChannel channel, AmqpConnectionOptions connection, AmqpChannelOptions options, Suspects suspects) : IThreadPoolWorkItem
{
    private readonly long _maxUnsentBytes = connection.MaxUnsentBytes;
    private readonly long _streamAbove = connection.StreamAbove;
    private readonly bool _identifies = options is { Confirms: true, IdentifiesMandatory: true };
    private readonly bool _resends = options.Confirms && connection.Recovery is { IsEnabled: true, ResendUnconfirmed: true };

    // The turn of the channel: guards writing, and all of these.
    private readonly Lock _gate = channel.Gate;

    // Messages that wait for room. Not empty while it is being drained, so that nothing overtakes.
    private WaitQueue<Publication> _queue;
    private int _waiting;
    private bool _isDraining;

    /// <summary>Publishes a message.</summary>
    public ValueTask Publish<TContent>(
        in TContent content,
        in BasicPublish method,
        in BasicProperties properties,
        FrameWriting writing,
        IAmqpPublishObserver? observer,
        CancellationToken cancellationToken)
        where TContent : struct, IContent
    {
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled(cancellationToken);
        }

        if (method.Mandatory && _identifies && properties.MessageId.IsNull)
        {
            return PublishIdentified(in content, in method, properties, writing, observer, cancellationToken);
        }

        ValueTask task = default;
        Publication? publication = null;
        MessageWrite written;

        // Published by the serializer of a message on this channel: written after that message.
        bool isNested = _gate.IsHeldByCurrentThread;
        try
        {
            lock (_gate)
            {
                ThrowIfClosed();
                if (isNested || !_queue.IsEmpty || !TryGetRoom(out ChannelSession? session))
                {
                    return Enqueue(in content, in method, in properties, writing, observer, cancellationToken);
                }

                written = new MessageWrite(session, writing);
                written.Parts = MessageFrames.Write(
                    written.Output, session.Number, in method, in properties, in content, written.FramingFor(_streamAbove));
                if (!MayCommit(in written))
                {
                    return Enqueue(in content, in method, in properties, writing, observer, cancellationToken);
                }

                if (session.Ring is not null || written.Parts.HasRest)
                {
                    publication = _resends || written.Parts.HasRest
                        ? UnwrittenPublication<TContent>.Rent(this, in content, in method, in properties, writing)
                        : WrittenPublication.Rent();
                    Address(publication, in method, in properties);
                    task = publication.StartWaiting(cancellationToken, written.Parts.IsAttached);
                }

                if (written.Parts.HasRest && !publication!.TryHoldBuffer())
                {
                    // Cancelled just now: nothing of it has been sent.
                    written.TakeBack();
                    publication.Finish(null);
                    return task;
                }

                observer?.Written(written.Parts.BodySize);
                written.Commit(publication);
            }
        }
        catch (Exception e)
        {
            return ValueTask.FromException(e);
        }

        if (written.Signal)
        {
            // A single message is sent by its publisher, and messages that were gathered by the publisher of the last of them:
            // to wake another thread costs more.
            written.Session.SendQueue.Signal(
                written.InFlight is 1 or > ConfirmBatcher.HoldsFrom ? FrameWriting.Inline : writing, written.Position);
        }

        if (written.Parts.HasRest)
        {
            WriteRest((UnwrittenPublication)publication!, in written);
        }

        return writing == FrameWriting.Inline && publication is null ? SentAsync(in written, cancellationToken) : task;
    }

    // Two with the same key cannot be distinguished when one is returned.
    private ValueTask PublishIdentified<TContent>(
        in TContent content,
        in BasicPublish method,
        BasicProperties properties,
        FrameWriting writing,
        IAmqpPublishObserver? observer,
        CancellationToken cancellationToken)
        where TContent : struct, IContent
    {
        properties.MessageId = AmqpMessageId.Next();
        return Publish(in content, in method, in properties, writing, observer, cancellationToken);
    }

    /// <summary>Admits waiting messages if there is room.</summary>
    public void RoomMade()
    {
        // Room is made before this looks, and a waiter registers before it looks for room: one of the two sees
        // the other.
        Interlocked.MemoryBarrier();
        MayEndTurn();
        if (Volatile.Read(ref _waiting) == 0)
        {
            return;
        }

        lock (_gate)
        {
            if (_queue.IsEmpty || _isDraining)
            {
                return;
            }

            _isDraining = true;
        }

        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    /// <summary>
    /// Ends a session: its unconfirmed messages wait for the next one if they may be sent again, and fail otherwise.
    /// </summary>
    public void SessionEnded(ChannelSession session, LinkEnd end, bool comesBack)
    {
        OperationQueue<Publication> unconfirmed = session.Ring?.TakeAll() ?? default;
        lock (_gate)
        {
            // The message for which the broker closed the channel may be among them.
            if (comesBack && _resends && channel.IsOpen && end.Error is AmqpConnectionException)
            {
                PutFirst(Suspects.TakeInnocent(ref unconfirmed, end.Error));
            }

            BeginTime();
        }

        MayEndTurn();
        while (unconfirmed.TryTake() is { } publication)
        {
            publication.Finish(AmqpPublishException.Unconfirmed(publication, end.Error));
        }

        MayBeEmpty();
    }

    /// <summary>The channel has ended permanently: all that waits fails.</summary>
    public void Finish(LinkEnd end)
    {
        OperationQueue<Publication> waiting;
        lock (_gate)
        {
            waiting = _queue.TakeAll();
            _waiting = 0;
            _timer?.Dispose();
            EndTurn();
        }

        FailWaiting(ref waiting, end);
        MayBeEmpty();
    }

    /// <summary>Writes waiting messages as far as there is room.</summary>
    void IThreadPoolWorkItem.Execute()
    {
        while (TryWriteNext(out Publication? publication, out MessageWrite written, out bool isDone, out Exception? error))
        {
            if (written.Signal)
            {
                written.Session.SendQueue.Signal(written.Writing, written.Position);
            }

            if (written.Parts.HasRest)
            {
                WriteRest((UnwrittenPublication)publication, in written);
            }
            else if (isDone)
            {
                publication.Finish(error);
            }
        }

        MayEndTurn();
        MayBeEmpty();
    }

    // False when nothing waits or there is no room: then draining stops.
    private bool TryWriteNext(
        [NotNullWhen(true)] out Publication? publication, out MessageWrite written, out bool isDone, out Exception? error)
    {
        written = default;
        publication = null;
        isDone = true;
        error = null;
        lock (_gate)
        {
            if (_queue.First is not { } next || !TryGetRoom(out ChannelSession? session) || !MayGo(next, session))
            {
                _isDraining = false;
                return false;
            }

            publication = _queue.TryTake()!;
            Interlocked.Decrement(ref _waiting);
            if (publication.IsAbandoned)
            {
                return true;
            }

            try
            {
                if (!TryWrite((UnwrittenPublication)publication, session, ref written, ref isDone))
                {
                    // The next session takes it, after the messages of this one.
                    var first = default(OperationQueue<Publication>);
                    first.Add(publication);
                    PutFirst(first);
                    _isDraining = false;
                    return false;
                }
            }
            catch (Exception e)
            {
                error = publication.IsWritten ? AmqpPublishException.Unconfirmed(publication, e) : e;
            }

            return true;
        }
    }

    // False when the session has ended and another one comes.
    private bool TryWrite(UnwrittenPublication publication, ChannelSession session, ref MessageWrite written, ref bool isDone)
    {
        var begun = new MessageWrite(session, publication.Writing);
        begun.Parts = publication.Write(begun.Output, session.Number, begun.FramingFor(_streamAbove));
        if (!MayCommit(in begun))
        {
            return false;
        }

        if ((begun.Parts.IsAttached || begun.Parts.HasRest) && !publication.TryHoldBuffer())
        {
            // Cancelled meanwhile: its task has ended, and its memory may not be used any more.
            begun.TakeBack();
            return true;
        }

        if (session.Ring is not null)
        {
            Address(publication, in publication.Method, in publication.Properties);
        }

        publication.Observer?.Written(begun.Parts.BodySize);
        begun.Commit(publication);
        written = begun;
        isDone = !begun.Parts.HasRest && begun.IsDone(publication);
        return true;
    }

    // Undoes writing if the message can be sent only on the next session, or if this is the receiving thread, which must not wait for the
    // socket.
    private bool MayCommit(in MessageWrite written)
    {
        if (!IsFollowed(written.Session) && !(written.IsStreamedInline && written.Session.Channel.Link.IsOnLoop))
        {
            return true;
        }

        written.TakeBack();
        return false;
    }

    // The rest of a message that is too large to be gathered, of which the first part has been sent: inline here, otherwise on a thread
    // that may wait for the socket. Until it is written, it holds the caller's object.
    private void WriteRest(UnwrittenPublication publication, in MessageWrite written)
    {
        if (written.Writing == FrameWriting.Inline)
        {
            WriteRestHere(publication, written);
        }
        else
        {
            RestOfMessage.Start(this, publication, in written);
        }
    }

    /// <summary>Writes the rest of a message that is too large to be gathered, on this thread, which waits for the socket.</summary>
    public void WriteRestHere(UnwrittenPublication publication, MessageWrite written)
    {
        Exception? error;
        bool isDone;
        try
        {
            publication.WriteRest(written.Session, in written.Parts);
            lock (_gate)
            {
                written.Position = written.Session.SendQueue.Position;
                isDone = written.IsDone(publication);
            }

            error = isDone && written.Writing == FrameWriting.Inline ? written.SentOrEnded() : null;
        }
        catch (Exception e)
        {
            error = written.RestFailed(publication, e);
            isDone = written.Session.Ring is null;
        }

        if (isDone)
        {
            publication.Finish(error);
        }

        publication.ReleaseBuffer();

        // Later messages wait in the queue.
        RoomMade();
        MayBeEmpty();
    }

    // True if the session has ended since the check, for example in the serialized object's code, and another one follows.
    private bool IsFollowed(ChannelSession session)
    {
        if (session.Channel.End is not { } end)
        {
            return false;
        }

        channel.ThrowIfClosed();
        return channel.CanRecoverFrom(end) ? true : throw LinkChannel.Ended(end);
    }

    private static void Address(Publication publication, in BasicPublish method, in BasicProperties properties)
    {
        publication.IsMandatory = method.Mandatory;
        publication.Exchange = method.Exchange.IsNull ? "" : method.Exchange;
        publication.RoutingKey = method.RoutingKey.IsNull ? "" : method.RoutingKey;
        publication.MessageId = properties.MessageId;
        publication.UserId = properties.UserId;
        publication.Expiration = properties.Expiration;
    }

    private bool TryGetRoom([NotNullWhen(true)] out ChannelSession? session)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread, "The session is guarded by the gate.");
        session = channel.Session;
        return session is not null
            && session.Channel.End is null
            && session.Channel.Link.Blocked is null
            && !session.SendQueue.IsStreaming
            && session.Ring is not { IsFull: true }
            && !session.SendQueue.IsFull(_maxUnsentBytes)
            && suspects.MayGo(this);
    }
}
