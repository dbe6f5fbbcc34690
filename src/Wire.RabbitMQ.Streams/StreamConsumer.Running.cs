using System.Diagnostics;
using Wire.Amqp;
using Wire.RabbitMQ.Streams.Consuming;
using Wire.RabbitMQ.Streams.Links;

namespace Wire.RabbitMQ.Streams;

public sealed partial class StreamConsumer
{
    private readonly Lock _gate = new();

    // The one that is being served; null between two.
    private Subscription? _subscription;

    private volatile bool _isActive;

    // Whether somebody has asked how it ends.
    private volatile bool _isWatched;

    private bool IsClosing => _closing.IsCancellationRequested;

    private void Close()
    {
        // Not under the lock: what waits goes on in here. A subscription that begins to be served meanwhile stops by itself.
        _closing.Cancel();
        lock (_gate)
        {
            _subscription?.Stop();
        }
    }

    private async Task RunAsync(Subscription first)
    {
        Exception? error = null;
        try
        {
            Subscription? subscription = first;
            while (subscription is not null)
            {
                long since = Stopwatch.GetTimestamp();
                Exception? reason = await ServeAsync(subscription).ConfigureAwait(false);
                if (reason is not null && !_client.Recovery.IsEnabled)
                {
                    throw new StreamConnectionException($"The consumer of '{Stream}' has ended{Where()}, since it is not to connect again: {reason.Message}", reason);
                }

                subscription = IsClosing ? null : await ComeBackAsync(since, reason).ConfigureAwait(false);
            }
        }
        catch (OperationCanceledException) when (IsClosing)
        {
            // It was on its way back when it was closed.
        }
        catch (Exception e)
        {
            error = e;
        }

        _tracker.Dispose();
        _thread.Close();
        _chunk.Dispose();
        if (error is null)
        {
            _completion.TrySetResult();
        }
        else if (_completion.TrySetException(error))
        {
            // Whoever does not look at it is not told of it once more when it is collected.
            _ = _completion.Task.Exception;
            if (!_isWatched)
            {
                Trace.TraceError(error.Message);
            }
        }
    }

    // Serves a subscription until it ends, and gives its link back. Says why it has ended, or null where the consumer is closed.
    private async Task<Exception?> ServeAsync(Subscription subscription)
    {
        lock (_gate)
        {
            _subscription = subscription;
            _isActive = !_options.SingleActive;
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
                switch (subscription.Take(out Arrival arrival, out ActiveUpdate update))
                {
                    case SubscriptionWork.End:
                        return subscription.Reason;
                    case SubscriptionWork.Update:
                        await AnswerAsync(subscription, update).ConfigureAwait(false);
                        break;
                    case SubscriptionWork.Chunk:
                        await HandleAsync(subscription, arrival).ConfigureAwait(false);
                        break;
                }
            }
        }
        catch (Exception e) when (IsPassing(e))
        {
            // An answer that did not come: the link is of no use, or will not be.
            return e;
        }
        finally
        {
            _isActive = false;
            lock (_gate)
            {
                _subscription = null;
            }

            subscription.Stop();
            _tracker.StoreHandled();
            _tracker.Pause();
            await LeaveAsync(subscription).ConfigureAwait(false);
        }
    }

    private async Task LeaveAsync(Subscription subscription)
    {
        try
        {
            await subscription.UnsubscribeAsync().ConfigureAwait(false);
        }
        catch (Exception e) when (IsPassing(e))
        {
            // The link has ended meanwhile, and the subscription with it. Where it is only slow, the broker would go on sending on it.
            subscription.Link.Abort($"the subscription to '{Stream}' could not be ended: {e.Message}");
        }

        await _links.ReturnAsync(subscription.Link).ConfigureAwait(false);
    }

    private async Task<Subscription> ComeBackAsync(long since, Exception? reason)
    {
        Tell(0, reason);
        await _pauses.WaitAfterAsync(since, _closing.Token).ConfigureAwait(false);
        for (int attempt = 1; ; attempt++)
        {
            try
            {
                Subscription subscription = await BeginAsync(_closing.Token).ConfigureAwait(false);
                Tell(attempt, null);
                return subscription;
            }
            catch (Exception e) when (IsPassing(e))
            {
                Tell(attempt, e);
                await _pauses.WaitAsync(_closing.Token).ConfigureAwait(false);
            }
        }

        void Tell(int attempt, Exception? reason) => _client.Tell(new StreamRecovery(Stream, Name, isProducer: false, attempt, reason));
    }

    // Subscribes on another link.
    private async Task<Subscription> BeginAsync(CancellationToken cancellationToken)
    {
        StreamLink link = await _links.RentAsync(cancellationToken).ConfigureAwait(false);
        Subscription subscription = NewSubscription(link);
        try
        {
            IReadOnlyDictionary<string, string> properties = Subscribing.Properties(_options, link);
            if (_options.SingleActive)
            {
                // Of several consumers it is the active one that says where it begins, when it is asked.
                await SubscribeAsync(_options.Offset).ConfigureAwait(false);
            }
            else if (_place is { Chunk: not null, Next: { } next })
            {
                // Before it finds out whether the stream is the same one: should it be made anew behind that, this subscription ends.
                await SubscribeAsync(StreamOffset.At(next)).ConfigureAwait(false);
                if (await FindAsync(link, cancellationToken).ConfigureAwait(false) is var offset && offset != StreamOffset.At(next))
                {
                    subscription.Stop();
                    await subscription.UnsubscribeAsync().ConfigureAwait(false);
                    subscription = NewSubscription(link);
                    await SubscribeAsync(offset).ConfigureAwait(false);
                }
            }
            else
            {
                await SubscribeAsync(await FindAsync(link, cancellationToken).ConfigureAwait(false)).ConfigureAwait(false);
            }

            return subscription;

            Task SubscribeAsync(StreamOffset offset) =>
                Subscribing.BeginAsync(link, subscription, Stream, offset, subscription.FirstCredit, properties, subscription.Numbered, cancellationToken);
        }
        catch
        {
            subscription.Stop();
            _tracker.Pause();
            await LeaveAsync(subscription).ConfigureAwait(false);
            throw;
        }
    }

    private Subscription NewSubscription(StreamLink link) => new(link, new CreditWindow(_options.Credit, _options.MaxBytesAhead), _thread);

    private async Task<StreamOffset> FindAsync(StreamLink link, CancellationToken cancellationToken)
    {
        ulong? stored = await _tracker.QueryAsync(link, cancellationToken).ConfigureAwait(false);

        // Where no chunk has come yet, it begins behind what was stored: that goes with its stream.
        bool isAnother = _place.Chunk is { } known
            ? !await PlaceFinder.IsSameAsync(link, Stream, known, cancellationToken).ConfigureAwait(false)
            : _place.Next > 0 && stored is null;
        if (isAnother)
        {
            string where = Where();
            _tracker.Restart();
            TellRecreated(where);
        }

        _tracker.Begin(link, stored);

        // And what another one has handled meanwhile, where there may be others.
        if (!isAnother && stored is { } last && (_place.Chunk is null || (_options.SingleActive && last + 1 > _place.Next)))
        {
            _place.MoveTo(last + 1);
        }

        if (_place.Next is null)
        {
            await PlaceFinder.FixAsync(link, Stream, _options.Offset, _place, cancellationToken).ConfigureAwait(false);
        }

        return _place.Next is { } next ? StreamOffset.At(next) : _options.Offset;
    }

    private async Task AnswerAsync(Subscription subscription, ActiveUpdate update)
    {
        if (update.IsActive)
        {
            StreamOffset offset = await FindAsync(subscription.Link, _closing.Token).ConfigureAwait(false);
            _isActive = true;
            subscription.Link.AnswerUpdate(update.Correlation, offset);
            subscription.Renew();
        }
        else
        {
            // The next one begins behind what is stored, so that comes first.
            _isActive = false;
            _tracker.StoreHandled();
            _tracker.Pause();
            subscription.Link.AnswerUpdate(update.Correlation, default);
        }
    }

    private void TellRecreated(string where)
    {
        if (_options.OnRecreated is { } told)
        {
            try
            {
                told(this);
            }
            catch (Exception e)
            {
                throw new StreamConsumerException($"{nameof(StreamConsumerOptions.OnRecreated)} has thrown: {e.Message}", Stream, null, 0, e);
            }
        }
        else
        {
            Trace.TraceWarning($"The stream '{Stream}' has been deleted and made anew: its consumer, which had come to its end{where}, begins with the first message of the new one.");
        }
    }

    private string Where() => Offset is { } offset ? $" behind offset {offset}" : "";

    // What another attempt may overcome. A client that has been disposed of stays so, and a broker that is too old does too.
    private static bool IsPassing(Exception e) => e is IOException or TimeoutException or StreamException or AmqpFormatException;
}
