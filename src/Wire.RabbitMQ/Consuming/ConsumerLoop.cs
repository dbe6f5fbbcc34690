using Microsoft.Extensions.Logging;
using RabbitMQ.Client.Exceptions;
using Wire.Amqp.Client.Consuming;
using Wire.RabbitMQ.Connections;
using Wire.RabbitMQ.Diagnostics;
using Wire.Transport.Recovery;

namespace Wire.RabbitMQ.Consuming;

/// <summary>
/// The life of a running consumer, told in one place and one after the other, so that nothing races: one subscription after another, with pauses while
/// there can be none, and at last the way to stop.
/// </summary>
internal sealed class ConsumerLoop(ChannelSource source, WireConsumerOptions options, MessagePump pump, ILogger logger, CancellationTokenSource handlers, CancellationToken stopping)
{
    private static readonly TimeSpan FirstPause = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan LongestPause = TimeSpan.FromSeconds(5);

    // For handlers that do not end although their token has fired, and for a broker that does not answer.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(5);

    private readonly Reconnector _reconnector = new(FirstPause, LongestPause);
    private string _consumerTag = "";

    /// <summary>The channel of the current subscription.</summary>
    public Subscription? Current { get; private set; }

    /// <summary>Begins to consume.</summary>
    public async Task<Subscription> SubscribeAsync(CancellationToken cancellationToken)
    {
        IBrokerChannel channel = await source.OpenAsync(new ChannelUse(), cancellationToken).ConfigureAwait(false);
        Subscription? subscription = null;
        try
        {
            await channel.LimitAsync(options.EffectivePrefetch, cancellationToken).ConfigureAwait(false);
            subscription = new Subscription(channel, pump, options.EffectivePrefetch, options.AckDelay, logger);
            Dictionary<string, object?>? arguments = options.Arguments is null ? null : new(options.Arguments);
            _consumerTag = await channel.ConsumeAsync(
                options.Queue, autoAck: false, options.ConsumerTag, options.Exclusive, arguments, cancellationToken).ConfigureAwait(false);
            ConsumerLog.Started(logger, options.Queue, options.MaxConcurrency, options.EffectivePrefetch);
            return Current = subscription;
        }
        catch (OperationCanceledException) when (subscription is { HasDelivered: true } && stopping.IsCancellationRequested)
        {
            // A handler has stopped the consumer before the broker's answer was looked at: it has been started, and stops as it does at any time.
            return Current = subscription;
        }
        catch
        {
            subscription?.Dispose();
            await channel.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Consumes until it is stopped.</summary>
    /// <returns>Why there is nothing more to consume from, where the connection is closed for good; null when it was stopped.</returns>
    public async Task<ConnectionLostException?> RunAsync(Subscription? subscription)
    {
        ConnectionLostException? lost = null;
        try
        {
            if (subscription is not null)
            {
                _reconnector.Begin();
            }

            while (true)
            {
                subscription ??= await _reconnector.RunAsync<Subscription>(async token => await SubscribeAsync(token).ConfigureAwait(false), IsPassing, TellAttempt, stopping)
                    .ConfigureAwait(false);
                string reason = await subscription.Ended.WaitAsync(stopping).ConfigureAwait(false);
                Telemetry.ChannelsLost.Add(1);
                ConsumerLog.Ended(logger, options.Queue, reason);
                await DropAsync(subscription).ConfigureAwait(false);
                subscription = null;
            }
        }
        catch (OperationCanceledException) when (stopping.IsCancellationRequested)
        {
            // As it should.
        }
        catch (ConnectionLostException e) when (source.Connection.IsClosedForGood)
        {
            ConsumerLog.ClosedForGood(logger, options.Queue, e);
            lost = e;
        }

        await StopAsync(subscription).ConfigureAwait(false);
        ConsumerLog.Stopped(logger, options.Queue);
        return lost;
    }

    // The queue does not exist, another consumer has it for itself, the connection is down: each may pass.
    private bool IsPassing(Exception e) => e is not ConnectionLostException || !source.Connection.IsClosedForGood;

    private void TellAttempt(int number, Exception? error)
    {
        if (error is not null)
        {
            ConsumerLog.CannotConsume(logger, options.Queue, _reconnector.Pause, error);
        }
    }

    private async Task StopAsync(Subscription? subscription)
    {
        Task drained = pump.DrainAsync();
        if (subscription is not null)
        {
            await TryAsync(subscription.Channel.CancelAsync(_consumerTag, CancellationToken.None).WaitAsync(Patience)).ConfigureAwait(false);
        }

        // What has not been started is for others, at once and not only when the last handler has ended.
        foreach (Delivery delivery in pump.TakeWaiting())
        {
            delivery.Subscription.Settle(delivery.Tag, Settlement.Requeue);
            delivery.Release();
        }

        await EndHandlersAsync(drained).ConfigureAwait(false);
        if (subscription is not null)
        {
            await TryAsync(subscription.TellAllAsync().WaitAsync(Patience)).ConfigureAwait(false);
            await TryAsync(DropAsync(subscription).WaitAsync(Patience)).ConfigureAwait(false);
        }
    }

    private async Task EndHandlersAsync(Task drained)
    {
        await drained.WaitAsync(options.StopTimeout, handlers.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (drained.IsCompleted)
        {
            return;
        }

        ConsumerLog.HandlersAreCancelled(logger, options.Queue, pump.Running, options.StopTimeout);
        await TryAsync(handlers.CancelAsync()).ConfigureAwait(false);
        await drained.WaitAsync(Patience).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (!drained.IsCompleted)
        {
            ConsumerLog.HandlersAreLeft(logger, options.Queue, pump.Running);
        }
    }

    private async Task DropAsync(Subscription subscription)
    {
        subscription.Dispose();
        foreach (Delivery delivery in pump.TakeWaiting())
        {
            delivery.Release();
        }

        await TryAsync(subscription.Channel.DisposeAsync().AsTask()).ConfigureAwait(false);
    }

    /// <summary>Waits for something that may fail without consequence, because the broker gets back what it was not told of; it is logged.</summary>
    private async Task TryAsync(Task task)
    {
        try
        {
            await task.ConfigureAwait(false);
        }
        catch (Exception e) when (e is RabbitMQClientException or IOException or TimeoutException or OperationCanceledException or ObjectDisposedException)
        {
            ConsumerLog.NotTold(logger, 0, e);
        }
        catch (Exception e)
        {
            ConsumerLog.Unexpected(logger, options.Queue, e);
        }
    }
}
