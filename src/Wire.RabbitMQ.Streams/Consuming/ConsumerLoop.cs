using System.Diagnostics.CodeAnalysis;
using Wire.Transport.Recovery;

namespace Wire.RabbitMQ.Streams.Consuming;

/// <summary>Serves a consumer's subscriptions, one after the other, until it is closed or fails. Thread-safe.</summary>
[SuppressMessage("Design", "CA1001", Justification = "The source of its token has no timer, and is cancelled when it is closed.")]
internal sealed class ConsumerLoop(
    StreamClientOptions client,
    string stream,
    StreamConsumerOptions options,
    Subscriber subscriber,
    ChunkHandler handler,
    OffsetTracker tracker)
{
    private readonly Lock _gate = new();
    private readonly Reconnector _reconnector = new(client.Recovery, StreamConnectionException.IsRefusal);
    private readonly CancellationTokenSource _closing = new();

    // The current subscription; null between two.
    private Subscription? _subscription;
    private volatile bool _isActive;
    private volatile Exception? _interruption;

    /// <summary>Gets whether it gets messages now.</summary>
    public bool IsActive => _isActive;

    /// <summary>Gets the last error while it is not subscribed; null otherwise.</summary>
    public Exception? Interruption => _interruption;

    private bool IsClosing => _closing.IsCancellationRequested;

    /// <summary>Subscribes for the first time.</summary>
    public async Task<Subscription> SubscribeAsync(CancellationToken cancellationToken)
    {
        Subscription first = await subscriber.SubscribeAsync(cancellationToken).ConfigureAwait(false);
        _reconnector.StartClock();
        return first;
    }

    /// <summary>Serves a subscription, and its successors. Ends successfully when it is closed.</summary>
    public async Task RunAsync(Subscription first)
    {
        try
        {
            for (Subscription subscription = first; ;)
            {
                Exception? reason = await ServeAsync(subscription).ConfigureAwait(false);
                if (reason is not null && !client.Recovery.IsEnabled)
                {
                    throw new StreamConnectionException(
                        $"The consumer of '{stream}' has ended{subscriber.Where}, because recovery is off or was given " +
                        $"up: {reason.Message}",
                        reason);
                }

                if (IsClosing)
                {
                    return;
                }

                ObjectDisposedException.ThrowIf(subscriber.IsClosed, typeof(StreamClient));
                Report(0, reason);
                subscription = await _reconnector.RunAsync<Subscription>(
                    async token => await subscriber.SubscribeAsync(token).ConfigureAwait(false),
                    Subscriber.IsPassing,
                    Report,
                    _closing.Token).ConfigureAwait(false);
            }
        }
        catch (OperationCanceledException) when (IsClosing)
        {
            // It was closed during recovery.
        }
    }

    /// <summary>Ends it after the current message.</summary>
    public void Close()
    {
        // Not under the lock, because continuations run here. A subscription that starts meanwhile stops itself.
        _closing.Cancel();
        lock (_gate)
        {
            _subscription?.Stop();
        }
    }

    private void Report(int attempt, Exception? reason)
    {
        _interruption = reason;
        if (!subscriber.IsClosed)
        {
            client.ReportRecovery(new StreamRecovery(stream, options.Name, isProducer: false, attempt, reason));
        }
    }

    // Serves a subscription until it ends, and returns its link. Returns the reason, or null if the consumer is closed.
    private async Task<Exception?> ServeAsync(Subscription subscription)
    {
        lock (_gate)
        {
            _subscription = subscription;
            _isActive = !options.SingleActive;
            if (IsClosing)
            {
                subscription.Stop();
            }
        }

        try
        {
            while (true)
            {
                await subscription;
                switch (subscription.TakeWork(out ReceivedChunk received, out ActiveUpdate update))
                {
                    case SubscriptionWork.End:
                        return subscription.Reason;
                    case SubscriptionWork.Update:
                        subscription.Rest();
                        await AnswerAsync(subscription, update).ConfigureAwait(false);
                        break;
                    case SubscriptionWork.Chunk:
                        await handler.HandleAsync(subscription, received, _closing.Token).ConfigureAwait(false);
                        break;
                }
            }
        }
        catch (Exception e) when (Subscriber.IsPassing(e))
        {
            // An answer is missing: the link is broken, or will be soon.
            return e;
        }
        finally
        {
            _isActive = false;
            subscription.Rest();
            lock (_gate)
            {
                _subscription = null;
            }

            tracker.StoreHandled();
            await subscriber.LeaveAsync(subscription).ConfigureAwait(false);
        }
    }

    private async Task AnswerAsync(Subscription subscription, ActiveUpdate update)
    {
        if (update.IsActive)
        {
            StreamOffset offset = await subscriber.FindAsync(subscription.Link, _closing.Token).ConfigureAwait(false);
            _isActive = true;
            subscription.Link.AnswerUpdate(update.Correlation, offset);
            subscription.Renew();
        }
        else
        {
            // The next one begins after the stored offset, so that is stored first.
            _isActive = false;
            tracker.StoreHandled();
            tracker.Pause();
            subscription.Link.AnswerUpdate(update.Correlation, default);
        }
    }
}
