using System.Buffers;
using Wire.Amqp.Client.Channels;
using Wire.Amqp.Client.Publishing;
using Wire.Amqp.V091;
using Wire.Transport.Pending;

namespace Wire.Amqp.Client;

/// <summary>Publishing.</summary>
public sealed partial class AmqpChannel : IThreadPoolWorkItem
{
    // The turn of the channel: guards the row and what is written, so that the order of messages is that of the calls.
    private readonly Lock _gate = new();
    private readonly long _streamAbove;

    // What waits for room. Not empty while it is being emptied, so that nothing overtakes.
    private OperationQueue<Publication> _row;
    private int _waiting;
    private bool _isDraining;

    /// <summary>Publishes an object to an exchange.</summary>
    /// <param name="exchange">The exchange; empty for the default one.</param>
    /// <param name="routingKey">The routing key; the name of a queue with the default exchange.</param>
    /// <param name="message">The object; may be null.</param>
    /// <param name="cancellationToken">Ends the task. A message that waits is not published then; one that has been written may still arrive.</param>
    /// <inheritdoc cref="PublishAsync{T}(in BasicPublish, in BasicProperties, T, FrameWriting?, CancellationToken)"/>
    public ValueTask PublishAsync<T>(string exchange, string routingKey, T message, CancellationToken cancellationToken = default) =>
        PublishAsync(new BasicPublish { Exchange = exchange, RoutingKey = routingKey }, default, message, null, cancellationToken);

    /// <summary>Publishes an object: it is serialized straight into the frames that are sent.</summary>
    /// <param name="method">Where to. Texts that are given as bytes are not looked at again after the task has ended.</param>
    /// <param name="properties">What the message says of itself. Content type and type are filled in where they are absent, the content encoding always.</param>
    /// <param name="message">The object; may be null. Nearly always it is read before this returns; where the message has to wait, when its turn has come. So leave it as it is until the task has ended.</param>
    /// <param name="writing">Who sends; the connection's <see cref="AmqpConnectionOptions.Writing"/> when left out.</param>
    /// <param name="cancellationToken">Ends the task. A message that waits is not published then; one that has been written may still arrive.</param>
    /// <returns>
    /// A task that ends, on a channel with confirms, when the broker has confirmed the message; without, when it has been written (background) or
    /// sent (inline). Await it once; AsTask() makes one for Task.WhenAll.
    /// </returns>
    /// <exception cref="ArgumentException">A text does not fit its field, or the properties do not fit a frame. Nothing was sent.</exception>
    /// <exception cref="AmqpPublishException">The message came back, was refused, or is not known to have arrived.</exception>
    /// <exception cref="AmqpChannelException">The broker has closed the channel before. Nothing was sent.</exception>
    /// <exception cref="AmqpConnectionException">The connection is lost. Nothing was sent, or, without confirms, it is not known what has arrived.</exception>
    /// <exception cref="ObjectDisposedException">The channel or the connection has been closed by the program. Nothing was sent.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="ObjectGraphException">The object refers to itself, is nested too deeply or is beyond another limit.</exception>
    /// <exception cref="UnsupportedTypeException">The object holds something of a type that the serializer does not support.</exception>
    public ValueTask PublishAsync<T>(in BasicPublish method, in BasicProperties properties, T message, FrameWriting? writing = null, CancellationToken cancellationToken = default) =>
        Publish(new ObjectContent<T>(_body, message), in method, in properties, writing ?? _writing, cancellationToken);

    /// <summary>Publishes a body that is there already.</summary>
    /// <param name="method">Where to.</param>
    /// <param name="properties">What the message says of itself.</param>
    /// <param name="body">The body, which stays as it is until the task has ended.</param>
    /// <param name="writing">Who sends; the connection's <see cref="AmqpConnectionOptions.Writing"/> when left out.</param>
    /// <param name="cancellationToken">Ends the task.</param>
    /// <inheritdoc cref="PublishAsync{T}(in BasicPublish, in BasicProperties, T, FrameWriting?, CancellationToken)"/>
    public ValueTask PublishBytesAsync(in BasicPublish method, in BasicProperties properties, in ReadOnlySequence<byte> body, FrameWriting? writing = null, CancellationToken cancellationToken = default) =>
        Publish(new BytesContent(body), in method, in properties, writing ?? _writing, cancellationToken);

    /// <inheritdoc cref="PublishBytesAsync(in BasicPublish, in BasicProperties, in ReadOnlySequence{byte}, FrameWriting?, CancellationToken)"/>
    public ValueTask PublishBytesAsync(in BasicPublish method, in BasicProperties properties, ReadOnlyMemory<byte> body, FrameWriting? writing = null, CancellationToken cancellationToken = default) =>
        Publish(new BytesContent(new ReadOnlySequence<byte>(body)), in method, in properties, writing ?? _writing, cancellationToken);

    /// <summary>Publishes a body that the caller writes straight into the frames that are sent.</summary>
    /// <param name="method">Where to.</param>
    /// <param name="properties">What the message says of itself.</param>
    /// <param name="state">What is handed to <paramref name="write"/>.</param>
    /// <param name="write">Writes the body, of which all is gathered before it is sent. It is called in the channel's turn: it must not wait, nor publish on the same channel.</param>
    /// <param name="writing">Who sends; the connection's <see cref="AmqpConnectionOptions.Writing"/> when left out.</param>
    /// <param name="cancellationToken">Ends the task.</param>
    /// <inheritdoc cref="PublishAsync{T}(in BasicPublish, in BasicProperties, T, FrameWriting?, CancellationToken)"/>
    public ValueTask PublishWrittenAsync<TState>(
        in BasicPublish method,
        in BasicProperties properties,
        TState state,
        Action<IBufferWriter<byte>, TState> write,
        FrameWriting? writing = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(write);
        return Publish(new WrittenContent<TState>(write, state), in method, in properties, writing ?? _writing, cancellationToken);
    }

    /// <summary>Writes what waits, as far as there is room.</summary>
    void IThreadPoolWorkItem.Execute()
    {
        while (TryWriteNext(out Drained next))
        {
            if (next.Signal)
            {
                next.Life.Outbox.Signal(next.Writing, next.Mark);
            }

            if (next.Parts.HasRest)
            {
                WriteRest(ref next);
            }

            if (next.IsDone)
            {
                next.Publication.Finish(next.Error);
            }
        }
    }

    /// <summary>There may be room for what waits.</summary>
    internal void RoomMade()
    {
        // Whoever has made room has done so before this looks, and whoever waits has said so before he looked for room: one of them sees the other.
        Interlocked.MemoryBarrier();
        if (Volatile.Read(ref _waiting) == 0)
        {
            return;
        }

        lock (_gate)
        {
            if (_row.IsEmpty || _isDraining)
            {
                return;
            }

            _isDraining = true;
        }

        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    /// <summary>A message that waits has been cancelled: it leaves the row at once.</summary>
    internal void Leave(UnwrittenPublication publication)
    {
        lock (_gate)
        {
            if (!publication.IsWaiting)
            {
                return;
            }

            publication.IsWaiting = false;
            _row.Remove(publication);
            Interlocked.Decrement(ref _waiting);
        }

        publication.Finish(null);
    }

    private ValueTask Publish<TContent>(in TContent content, in BasicPublish method, in BasicProperties properties, FrameWriting writing, CancellationToken cancellationToken)
        where TContent : struct, IContent
    {
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled(cancellationToken);
        }

        ValueTask task = default;
        Publication? publication = null;
        MessageParts parts;
        int inFlight = 0;
        bool signal;
        long mark;
        ChannelLife life;
        try
        {
            lock (_gate)
            {
                ThrowIfClosed();
                if (!_row.IsEmpty || !TryGetRoom(out life!))
                {
                    return Enqueue(in content, in method, in properties, writing, cancellationToken);
                }

                AmqpBuffer output = life.Outbox.Open();
                long start = output.Length;
                parts = MessageFrames.Write(output, life.Number, in method, in properties, in content, FramingOf(life, writing));
                if (IsFollowed(life) || (parts.HasRest && life.Channel.Link.IsOnLoop))
                {
                    // There is nobody to send it to before the next life; or this thread receives, and may not wait for the socket.
                    output.Truncate(start);
                    return Enqueue(in content, in method, in properties, writing, cancellationToken);
                }

                if (life.Ring is { } ring)
                {
                    publication = _resends ? UnwrittenPublication<TContent>.Take(this, in content, in method, in properties, writing) : WrittenPublication.Take();
                    Address(publication, in method, in properties);
                    task = publication.Begin(cancellationToken, parts.IsAttached);
                    inFlight = ring.Add(publication);
                }

                signal = Commit(life, output.Length - start, in parts, publication, writing, inFlight, out mark);
            }
        }
        catch (Exception e)
        {
            return ValueTask.FromException(e);
        }

        if (signal)
        {
            // One alone is sent by whoever publishes it, and what has come together while much is in flight by whoever has made it enough: to wake another
            // thread costs more.
            life.Outbox.Signal(inFlight is 1 or > ConfirmHold.HoldsFrom ? FrameWriting.Inline : writing, mark);
        }

        if (parts.HasRest && !TryWriteRest(life, in content, in parts, writing, publication, out mark, out Exception? error))
        {
            return publication is null ? ValueTask.FromException(error) : task;
        }

        return writing == FrameWriting.Inline && publication is null ? SentAsync(life, mark, parts.IsAttached, cancellationToken) : task;
    }

    // Without confirms, inline: until the socket has the bytes, which it nearly always has by now.
    private ValueTask SentAsync(ChannelLife life, long mark, bool isAttached, CancellationToken cancellationToken)
    {
        if (life.Outbox.HasSent(mark))
        {
            return default;
        }

        WrittenPublication publication = WrittenPublication.Take();
        ValueTask task = publication.Begin(cancellationToken, isAttached);
        bool waits;
        lock (_gate)
        {
            waits = life.Outbox.TryWait(publication, mark);
            if (isAttached)
            {
                BufferHold.Begin(publication, life.Outbox, mark);
            }
        }

        if (!waits)
        {
            publication.Finish(SentOrEnded(life, mark));
        }

        return task;
    }

    private static Exception? SentOrEnded(ChannelLife life, long mark) => life.Outbox.HasSent(mark) ? null : LinkChannel.Ended(life.Channel.End!);

    // With the gate.
    private ValueTask Enqueue<TContent>(in TContent content, in BasicPublish method, in BasicProperties properties, FrameWriting writing, CancellationToken cancellationToken)
        where TContent : struct, IContent
    {
        var publication = UnwrittenPublication<TContent>.Take(this, in content, in method, in properties, writing);
        ValueTask task = publication.Begin(cancellationToken);
        if (publication.IsAbandoned)
        {
            // Cancelled in this moment.
            publication.Finish(null);
            return task;
        }

        publication.IsWaiting = true;
        _row.Add(publication);
        Interlocked.Increment(ref _waiting);

        // Room may have been made since it was looked for, and nobody told of it.
        if (!_isDraining && TryGetRoom(out _))
        {
            _isDraining = true;
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        }

        return task;
    }

    // With the gate. Whether the life has ended since it was looked at, as what is serialized may have it, and another one comes.
    private bool IsFollowed(ChannelLife life)
    {
        if (life.Channel.End is not { } end)
        {
            return false;
        }

        ThrowIfClosed();
        return ComesBack(end) ? true : throw LinkChannel.Ended(end);
    }

    private Framing FramingOf(ChannelLife life, FrameWriting writing) => new(life.FrameMax, _streamAbove, writing == FrameWriting.Inline);

    // With the gate. The message, or the first part of it, is to be sent.
    private static bool Commit(ChannelLife life, long bytes, in MessageParts parts, Publication? publication, FrameWriting writing, int inFlight, out long mark)
    {
        bool lingers = writing == FrameWriting.Background && life.MayLinger(inFlight, bytes) && !parts.HasRest;
        bool signal = life.Outbox.Commit(bytes, lingers);
        if (lingers)
        {
            life.Linger();
        }

        mark = life.Outbox.Mark;
        if (parts.HasRest)
        {
            life.Outbox.BeginStream();
        }

        if (parts.IsAttached && publication is not null)
        {
            BufferHold.Begin(publication, life.Outbox, mark);
        }

        return signal;
    }

    private static void Address(Publication publication, in BasicPublish method, in BasicProperties properties)
    {
        if (method.Mandatory)
        {
            (publication.Exchange, publication.RoutingKey, publication.MessageId) = (method.Exchange.IsNull ? "" : method.Exchange, method.RoutingKey, properties.MessageId);
        }
    }

    // With the gate.
    private bool TryGetRoom(out ChannelLife? life)
    {
        life = _life;
        return life is not null
            && life.Channel.End is null
            && life.Channel.Link.Blocked is null
            && !life.Outbox.IsStreaming
            && life.Ring is not { IsFull: true }
            && !life.Outbox.IsFull(_maxUnsentBytes);
    }
}
