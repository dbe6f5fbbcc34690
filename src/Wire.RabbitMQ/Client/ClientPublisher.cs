using System.Diagnostics;
using Wire.Amqp.Client;
using Wire.Amqp.V091;
using Wire.RabbitMQ.Connections;
using Wire.RabbitMQ.Publishing;
using Wire.Transport.Pending;

namespace Wire.RabbitMQ.Client;

/// <summary>
/// A channel with confirms, over one channel of RabbitMQ.Client after another; the confirms are counted here. Messages wait in one queue,
/// and one drain at a time takes, serializes and publishes them, so their order is that of the calls. The drain ends when nothing waits or
/// too much is in flight, and is begun again by a call or a confirmation.
/// </summary>
internal sealed partial class ClientPublisher(ClientConnection connection, AmqpChannelOptions options, ChannelEvents events)
    : IMessageChannel, IThreadPoolWorkItem
{
    private readonly Lock _gate = new();
    private readonly CancellationTokenSource _stop = new();
    private readonly TaskCompletionSource _completion = new(TaskCreationOptions.RunContinuationsAsynchronously);

    // Guarded by the lock. Only the drain opens a channel.
    private WaitQueue<ClientPublication> _waiting;
    private Session? _session;
    private bool _draining;
    private TaskCompletionSource? _emptied;

    public bool IsOpen => !_completion.Task.IsCompleted;

    public int InFlight => _waiting.Count + (_session?.InFlight.Count ?? 0);

    public bool HasRoom => !_draining && _session is not { InFlight.IsFull: true };

    public Task Completion => _completion.Task;

    /// <summary>The current channel of the client, for tests that harm it.</summary>
    internal RawChannel? Raw => _session?.Channel;

    private bool IsFull => _session is { IsClosed: false, InFlight.IsFull: true };

    public ValueTask PublishAsync<T>(
        in BasicPublish method, in BasicProperties properties, T message, IAmqpPublishObserver? observer,
        CancellationToken cancellationToken)
    {
        var publication = ClientPublication<T>.Rent(message);
        ValueTask task = publication.StartWaiting(this, in method, in properties, observer, cancellationToken);
        bool drains;
        Exception? refused = null;
        lock (_gate)
        {
            if (_emptied is not null || _waiting.Count >= options.MaxWaiting)
            {
                drains = false;
                refused = _emptied is not null
                    ? PublishChannel.Disposed()
                    : publication.Overflow(options.MaxWaiting);
            }
            else
            {
                // A cancelled one is skipped in its turn.
                _waiting.Add(publication);
                drains = TryBeginDrain();
                publication = null;
            }
        }

        publication?.Finish(refused);
        if (drains)
        {
            // Only the caller's own message runs on the caller's thread.
            _ = DrainAsync(1);
        }

        return task;
    }

    public Task<IMessageConsumer> ConsumeAsync(
        string queue, Func<IDelivery, ValueTask> handler, AmqpConsumeOptions how, CancellationToken cancellationToken) =>
        throw new NotSupportedException("A channel with confirms publishes.");

    /// <summary>Removes a waiting message that was cancelled from the queue at once.</summary>
    public void Leave(ClientPublication publication)
    {
        lock (_gate)
        {
            if (!_waiting.TryLeave(publication))
            {
                return;
            }

            SignalWhenEmpty();
        }

        publication.Finish(null);
    }

    /// <summary>The drain on the thread pool.</summary>
    void IThreadPoolWorkItem.Execute() => _ = DrainAsync(int.MaxValue);

    /// <summary>
    /// A message is about to be sent. It is in the ring from now on: its confirm may come before the sending call has returned.
    /// </summary>
    /// <returns>False if it must not be sent, because the channel has ended.</returns>
    public bool TryCommit(Session session, ClientPublication publication)
    {
        lock (_gate)
        {
            if (session.IsClosed)
            {
                return false;
            }

            session.InFlight.Add(publication);
            _inHand = null;
            return true;
        }
    }

    /// <summary>Takes no more messages, waits for those that it has until the token fires, and closes its channel.</summary>
    public Task CloseAsync(CancellationToken patience) => CloseAsync(patience, patience);

    public async ValueTask DisposeAsync() =>
        await CloseAsync(new CancellationToken(canceled: true), CancellationToken.None).ConfigureAwait(false);

    private async Task CloseAsync(CancellationToken patience, CancellationToken closing)
    {
        lock (_gate)
        {
            _emptied ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            SignalWhenEmpty();
        }

        await _emptied.Task.WaitAsync(patience).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        await _stop.CancelAsync().ConfigureAwait(false);
        FailWaiting(PublishChannel.Disposed());
        Session? session;
        OperationQueue<ClientPublication> lost = default;
        lock (_gate)
        {
            session = _session is { IsClosed: false } open ? open : null;
            if (session is not null)
            {
                session.IsClosed = true;
                lost = session.InFlight.TakeAll();
            }
        }

        Finish(ref lost, PublishChannel.Disposed());
        _completion.TrySetResult();
        if (session is not null)
        {
            await session.CloseAsync(closing).ConfigureAwait(false);
        }
    }

    // All messages that have been sent and not confirmed.
    private static void Finish(ref OperationQueue<ClientPublication> lost, Exception reason)
    {
        while (lost.TryTake() is { } publication)
        {
            publication.Finish(publication.Unconfirmed(reason));
        }
    }

    private void Confirm(Session session, ulong number, bool multiple, bool acked)
    {
        OperationQueue<ClientPublication> answered;
        bool drain;
        lock (_gate)
        {
            answered = session.InFlight.Remove(number, multiple);
            drain = TryBeginDrain();
            SignalWhenEmpty();
        }

        if (drain)
        {
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        }

        while (answered.TryTake() is { } publication)
        {
            publication.Finish(publication.Answered(acked));
        }
    }

    // A message was returned. Its confirm follows.
    private void Return(Session session, ReturnedMessage returned)
    {
        lock (_gate)
        {
            ClientPublication.Return(session.Returnable, returned);
        }
    }

    // A channel has ended: messages in flight on it fail, and waiting ones use the next one.
    private void Close(Session session, Exception reason)
    {
        OperationQueue<ClientPublication> lost;
        bool drain;
        lock (_gate)
        {
            if (session.IsClosed)
            {
                return;
            }

            session.IsClosed = true;
            lost = session.InFlight.TakeAll();
            drain = TryBeginDrain();
            SignalWhenEmpty();
        }

        if (drain)
        {
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        }

        Finish(ref lost, reason);

        // On another thread: this may run inside an event of the channel.
        _ = Task.Run(() =>
        {
            events.Lost?.Invoke(reason);
            return session.CloseAsync(CancellationToken.None);
        });
    }

    private void FailWaiting(Exception error)
    {
        OperationQueue<ClientPublication> waiting;
        lock (_gate)
        {
            waiting = _waiting.TakeAll();
            SignalWhenEmpty();
        }

        while (waiting.TryTake() is { } failed)
        {
            failed.Finish(error);
        }
    }

    // Returns true if the caller must drain.
    private bool TryBeginDrain()
    {
        Debug.Assert(_gate.IsHeldByCurrentThread, "What waits is guarded by the gate.");
        if (_draining || _waiting.Count == 0 || IsFull)
        {
            return false;
        }

        return _draining = true;
    }

    private void SignalWhenEmpty()
    {
        Debug.Assert(_gate.IsHeldByCurrentThread, "What waits is guarded by the gate.");
        if (_emptied is not null && !_draining && _waiting.Count == 0 && _session is not { InFlight.Count: > 0 })
        {
            _emptied.TrySetResult();
        }
    }

    /// <summary>
    /// A channel of the client, from its opening to its end, with what is in flight on it. There is one at a time, and each has its own
    /// numbers.
    /// </summary>
    internal sealed class Session(ClientPublisher owner, AmqpChannelOptions options) : IRawChannelEvents
    {
        /// <summary>Gets the channel that publishes.</summary>
        public RawChannel? Channel { get; private set; }

        /// <summary>Gets the messages in flight; the publisher's lock guards it.</summary>
        public ConfirmRing<ClientPublication> InFlight { get; } = new(options.MaxInFlight, options.MaxBytesInFlight);

        /// <summary>The messages in flight by return key; the publisher's lock guards it.</summary>
        public ConfirmIndex<ClientPublication, ReturnKey> Returnable => field ??= new(InFlight, ClientPublication.ReturnKeyOf);

        /// <summary>Gets or sets whether the publisher no longer uses it; the publisher's lock guards it.</summary>
        public bool IsClosed { get; set; }

        /// <summary>Opens it.</summary>
        public async Task OpenAsync(ClientConnection connection, CancellationToken cancellationToken) =>
            Channel = await connection.OpenRawAsync(confirms: true, options.Body, this, cancellationToken).ConfigureAwait(false);

        /// <summary>Takes the channel off the connection. Call it outside of its events.</summary>
        public Task CloseAsync(CancellationToken cancellationToken) => Channel?.CloseAsync(cancellationToken) ?? Task.CompletedTask;

        void IRawChannelEvents.Confirmed(ulong number, bool multiple, bool acked) => owner.Confirm(this, number, multiple, acked);

        void IRawChannelEvents.Returned(ReturnedMessage returned) => owner.Return(this, returned);

        void IRawChannelEvents.Closed(Exception reason) => owner.Close(this, reason);
    }
}
