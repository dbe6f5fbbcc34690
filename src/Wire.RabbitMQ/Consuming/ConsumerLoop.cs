using Microsoft.Extensions.Logging;
using Wire.Amqp.Client;
using Wire.Amqp.Client.Consuming;
using Wire.RabbitMQ.Connections;
using Wire.Transport.Recovery;

namespace Wire.RabbitMQ.Consuming;

/// <summary>
/// The sequential control flow of a running consumer, free of races: one subscription after another, with pauses between attempts, and
/// finally the stop. A subscription survives the loss of its connection if the client recovers it.
/// </summary>
internal sealed class ConsumerLoop(
    WireConnection connection, WireConsumerOptions options, WireTopology? topology, StreamPosition position, MessageProcessor processor,
    Func<IDelivery, ValueTask> handle, ILogger logger, CancellationTokenSource handlers, CancellationTokenSource deadline,
    CancellationToken stopping)
{
    /// <summary>The time that it waits for a connection that is down before logging that it continues to wait.</summary>
    public static readonly TimeSpan RecoveryTimeout = TimeSpan.FromSeconds(30);

    private static readonly TimeSpan FirstPause = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan LongestPause = TimeSpan.FromSeconds(5);

    // The time for handlers that ignore their token, and for a broker that does not answer.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(5);

    private readonly Reconnector _reconnector = new(FirstPause, LongestPause);
    private readonly ConsumptionEnds _ends = new(logger, options.Queue, processor);

    /// <summary>The current subscription.</summary>
    public Subscription? Current { get; private set; }

    /// <summary>Gets the reason why it does not consume, as far as it is known; null since it has begun to.</summary>
    public Exception? Error { get; private set; }

    /// <summary>Gets or sets how many messages are handled at a time.</summary>
    public int Concurrency
    {
        get => processor.Concurrency;
        set
        {
            processor.Concurrency = value;
            if (Current is { } current)
            {
                current.Consumer.Concurrency = Deliveries;
            }
        }
    }

    // With keys only in the order in which they come: what is handled side by side is decided behind.
    private int Deliveries => options.OrderingKey is null ? processor.Concurrency : 1;

    /// <summary>Begins to consume.</summary>
    public async Task<Subscription> SubscribeAsync(CancellationToken cancellationToken)
    {
        var channelOptions = new AmqpChannelOptions { Confirms = false, Prefetch = options.EffectivePrefetch, AckDelay = options.AckDelay };
        var events = new ChannelEvents(Lost: _ends.Report);
        IMessageChannel channel;
        using (var either = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, stopping))
        {
            channel = await connection.OpenChannelAsync(channelOptions, events, RecoveryTimeout, either.Token).ConfigureAwait(false);
        }

        try
        {
            // A handler may stop the consumer before the broker's answer arrives: it counts as started, and stops as usual.
            using var answered = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
            using CancellationTokenRegistration stopped = stopping.UnsafeRegister(
                static source => ((CancellationTokenSource)source!).CancelAfter(Patience), answered);
            var consumeOptions = new AmqpConsumeOptions
            {
                ConsumerTag = options.ConsumerTag,
                Exclusive = options.Exclusive,
                Arguments = options.Arguments,
                Concurrency = Deliveries,
                AcknowledgeWhenHandled = false,
                Position = position,
            };
            IMessageConsumer consumer = await channel.ConsumeAsync(
                options.Queue, handle, consumeOptions, answered.Token).ConfigureAwait(false);
            ConsumerLog.Started(logger, options.Queue, Concurrency, options.EffectivePrefetch);
            Error = null;
            Current = new Subscription(channel, consumer);

            // It may have been changed meanwhile.
            consumer.Concurrency = Deliveries;
            return Current;
        }
        catch (Exception e)
        {
            if (e is AmqpChannelException refusal)
            {
                Refused(refusal.Reason);
            }

            await channel.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Consumes until it is stopped.</summary>
    /// <returns>The error of a connection that has ended permanently; null when it was stopped.</returns>
    public async Task<Exception?> RunAsync(Subscription? subscription)
    {
        Exception? lost = null;
        try
        {
            if (subscription is not null)
            {
                _reconnector.StartClock();
            }

            while (true)
            {
                subscription ??= await _reconnector.RunAsync<Subscription>(
                    async token => await SubscribeAgainAsync(token).ConfigureAwait(false),
                    _ => !connection.IsClosed,
                    ReportAttempt,
                    stopping).ConfigureAwait(false);
                _ends.Report(Error = await ReasonAsync(subscription).ConfigureAwait(false));
                await TryAsync(subscription.Channel.DisposeAsync().AsTask()).ConfigureAwait(false);
                subscription = null;
            }
        }
        catch (OperationCanceledException) when (stopping.IsCancellationRequested)
        {
            // The consumer was stopped.
        }
        catch (Exception e) when (connection.IsClosed && !stopping.IsCancellationRequested)
        {
            ConsumerLog.ClosedForGood(logger, options.Queue, e);
            lost = e;
        }

        await StopAsync(subscription).ConfigureAwait(false);
        ConsumerLog.Stopped(logger, options.Queue);
        return lost;
    }

    // Parts of it may have been deleted since.
    private async Task<Subscription> SubscribeAgainAsync(CancellationToken cancellationToken)
    {
        if (topology is not null)
        {
            await topology.DeclareAsync(connection.Topology, cancellationToken).ConfigureAwait(false);
        }

        return await SubscribeAsync(cancellationToken).ConfigureAwait(false);
    }

    // Null where the program has closed the connection.
    private async Task<Exception?> ReasonAsync(Subscription subscription)
    {
        try
        {
            await subscription.Consumer.Ended.WaitAsync(stopping).ConfigureAwait(false);
            return null;
        }
        catch (Exception e) when (e is not OperationCanceledException || !stopping.IsCancellationRequested)
        {
            switch (e)
            {
                case AmqpConsumerException { InnerException: AmqpChannelException refusal }:
                    Refused(refusal.Reason);
                    break;
                case AmqpConsumerException:
                    // What comes back under its name may be another stream.
                    position.Restart();
                    break;
            }

            return e;
        }
    }

    private void Refused(AmqpCloseReason reason)
    {
        if (reason.IsOfStreamOffset)
        {
            position.TryGiveUp();
        }
        else if (reason.IsMissing)
        {
            position.Restart();
        }
    }

    private void ReportAttempt(int number, Exception? error)
    {
        if (error is not null)
        {
            Error = error;
            ConsumerLog.CannotConsume(logger, options.Queue, _reconnector.Pause, error);
        }
    }

    // Unstarted deliveries return to the queue at once, not only when the last handler has ended.
    private async Task StopAsync(Subscription? subscription)
    {
        bool isEndless = options.StopTimeout == Timeout.InfiniteTimeSpan;
        deadline.CancelAfter(isEndless ? Timeout.InfiniteTimeSpan : options.StopTimeout + Patience);
        using CancellationTokenRegistration ended = handlers.Token.UnsafeRegister(
            static source => ((CancellationTokenSource)source!).CancelAfter(Patience), deadline);
        Task LeaveAsync() => subscription?.Consumer.DisposeAsync().AsTask() ?? Task.CompletedTask;

        // With keys the queue goes to the next consumer when handlers have ended: that must not get the next of a key before.
        Task? consuming = options.OrderingKey is null ? LeaveAsync() : null;
        bool haveEnded = await EndHandlersAsync(processor.DrainAsync()).ConfigureAwait(false);
        if (isEndless)
        {
            // Handlers had all the time that they needed, and the broker has no more than usual.
            deadline.CancelAfter(Patience);
        }

        if (haveEnded)
        {
            await TryAsync((consuming ?? LeaveAsync()).WaitAsync(Patience, deadline.Token)).ConfigureAwait(false);
        }

        if (subscription is not null)
        {
            await TryAsync(subscription.Channel.DisposeAsync().AsTask().WaitAsync(Patience, deadline.Token)).ConfigureAwait(false);
        }
    }

    // False if some do not end.
    private async Task<bool> EndHandlersAsync(Task drained)
    {
        await drained.WaitAsync(options.StopTimeout, handlers.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (drained.IsCompleted)
        {
            return true;
        }

        ConsumerLog.HandlersAreCancelled(logger, options.Queue, processor.Running, options.StopTimeout);
        await TryAsync(handlers.CancelAsync()).ConfigureAwait(false);
        await drained.WaitAsync(deadline.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (!drained.IsCompleted)
        {
            ConsumerLog.HandlersAbandoned(logger, options.Queue, processor.Running);
        }

        return drained.IsCompleted;
    }

    /// <summary>
    /// Waits for something that may fail without consequence, because unsettled messages go back to the broker; it is logged.
    /// </summary>
    private async Task TryAsync(Task task)
    {
        try
        {
            await task.ConfigureAwait(false);
        }
        catch (Exception e) when (
            e is IOException or AmqpChannelException or TimeoutException or OperationCanceledException or ObjectDisposedException)
        {
            ConsumerLog.NotTold(logger, options.Queue, e);
        }
        catch (Exception e)
        {
            ConsumerLog.Unexpected(logger, options.Queue, e);
        }
    }
}

/// <summary>The consumption of a queue on a channel, which is its alone.</summary>
internal sealed record Subscription(IMessageChannel Channel, IMessageConsumer Consumer);
