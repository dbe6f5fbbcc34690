using Microsoft.Extensions.Logging;
using Wire.Amqp.Client;
using Wire.Amqp.Client.Consuming;
using Wire.Amqp.Client.Diagnostics;
using Wire.Amqp.V091;
using Wire.RabbitMQ.Connections;
using Wire.RabbitMQ.Delays;
using Wire.RabbitMQ.Diagnostics;
using Wire.RabbitMQ.Requests;
using Wire.Transport.Pending;

namespace Wire.RabbitMQ.Consuming;

/// <summary>
/// Settles messages that were not simply handled: their handlers, or the policy for failures, have decided otherwise. Thread-safe.
/// </summary>
/// <param name="options">How the queue is consumed.</param>
/// <param name="position">Knows whether the queue is a stream.</param>
/// <param name="errorQueue">The destination of messages that cannot be handled.</param>
/// <param name="delays">The queues for messages that are put aside.</param>
/// <param name="replies">Sends error replies; null if there are no requests.</param>
/// <param name="logger">Where to log.</param>
/// <param name="stopping">Fires when no handlers may start any more.</param>
/// <param name="handlersEnd">Fires when handlers have to end.</param>
internal sealed class OutcomeSettler(
    WireConsumerOptions options,
    StreamPosition position,
    ErrorQueue errorQueue,
    DelayQueues delays,
    ReplySender? replies,
    ILogger logger,
    CancellationToken stopping,
    CancellationToken handlersEnd)
{
    // For a message that no queue has accepted, until it is returned.
    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(1);

    /// <summary>Does what was decided. Returns how the delivery is settled.</summary>
    /// <param name="delivery">The message.</param>
    /// <param name="id">Its id.</param>
    /// <param name="outcome">What was decided.</param>
    /// <param name="error">The failure of its handler; null if that has decided.</param>
    /// <param name="attempts">The number of attempts since it has come.</param>
    /// <param name="telemetry">Its span and numbers, which end here.</param>
    public async ValueTask<Settlement> SettleAsync(
        IDelivery delivery, string? id, MessageOutcome outcome, Exception? error, int attempts, ProcessTelemetry telemetry)
    {
        if (outcome.Kind is not (OutcomeKind.LastFailure or OutcomeKind.TryLater or OutcomeKind.NotYet))
        {
            ConsumerLog.Decided(logger, options.Queue, id, outcome, error);
        }

        string? reason = error is null ? null : FailureReason.HandlerFailed;
        switch (outcome.Kind)
        {
            case OutcomeKind.Ack:
                Stop(telemetry, reason, error?.Message);
                await (error is null ? Task.CompletedTask : RefuseAsync(delivery, error)).ConfigureAwait(false);
                return Settlement.Ack;
            case OutcomeKind.Requeue:
                Stop(telemetry, reason, error?.Message);

                // A stream does not take it back: it is handled again here.
                await PauseAsync(position.IsOfStream(delivery.Properties) ? Pause : TimeSpan.Zero).ConfigureAwait(false);
                return Settlement.Requeue;
            case OutcomeKind.Reject:
                var rejection = new RejectedException("The handler has rejected the message.", error);
                Stop(telemetry, FailureReason.Rejected, rejection.Message);
                await RefuseAsync(delivery, rejection).ConfigureAwait(false);
                return Settlement.Reject;
            case OutcomeKind.Fail:
                return await FailAsync(
                    delivery, id, new Failure(FailureReason.Rejected, new RejectedException(outcome.Reason!, error), attempts), telemetry)
                    .ConfigureAwait(false);
            case OutcomeKind.Defer or OutcomeKind.TryLater or OutcomeKind.NotYet:
                return await WaitAsync(delivery, id, outcome, error, attempts, telemetry).ConfigureAwait(false);
            default:
                return await FailAsync(
                    delivery, id, new Failure(FailureReason.HandlerFailed, error!, attempts), telemetry).ConfigureAwait(false);
        }
    }

    /// <summary>Settles a message that the consumer does not want. A requester is told.</summary>
    public async ValueTask<Settlement> LeaveOutAsync(IDelivery delivery, ProcessTelemetry telemetry)
    {
        telemetry.Stop();
        Telemetry.Count(Telemetry.Unwanted, options.Queue);
        if (!delivery.Properties.ReplyTo.IsEmpty)
        {
            await RefuseAsync(
                delivery,
                new RejectedException($"{nameof(WireConsumerOptions.Where)} of the consumer of '{options.Queue}' does not want it.", null))
                .ConfigureAwait(false);
        }

        return Settlement.Ack;
    }

    /// <summary>Moves a message that cannot be handled to where such messages go. Returns how the delivery is settled.</summary>
    public async ValueTask<Settlement> FailAsync(IDelivery delivery, string? id, Failure failure, ProcessTelemetry telemetry)
    {
        failure = failure with { Attempts = failure.Attempts + ReturnedDelivery.StateOf(delivery).Attempts };
        if (options.OnFailure == FailureAction.DeadLetter)
        {
            Stop(telemetry, failure.Reason, failure.Exception.Message);
            ConsumerLog.Rejected(logger, options.Queue, id, failure.Reason, failure.Exception);
            await RefuseAsync(delivery, failure.Exception).ConfigureAwait(false);
            return Settlement.Reject;
        }

        if (!await PublishAsync(
            delivery,
            () => errorQueue.PublishAsync(delivery, failure, handlersEnd),
            e => ConsumerLog.ErrorQueueRefuses(logger, options.Queue, id, errorQueue.Name, Pause, e),
            throwsRefusals: false).ConfigureAwait(false))
        {
            Stop(telemetry, failure.Reason, failure.Exception.Message);
            return Settlement.Requeue;
        }

        Stop(telemetry, failure.Reason, failure.Exception.Message);
        Telemetry.Count(Telemetry.ErrorQueued, options.Queue, failure.Reason);
        ConsumerLog.SentToErrorQueue(logger, options.Queue, id, failure.Reason, errorQueue.Name, failure.Exception);
        await RefuseAsync(delivery, failure.Exception).ConfigureAwait(false);
        return Settlement.Ack;
    }

    /// <summary>Waits before a message goes back that would come again at once; returns false when the consumer is being stopped.</summary>
    public ValueTask<bool> PauseAsync() => PauseAsync(Pause);

    /// <summary>Waits; returns false when the consumer is being stopped.</summary>
    public async ValueTask<bool> PauseAsync(TimeSpan pause)
    {
        if (pause > TimeSpan.Zero)
        {
            await Task.Delay(pause, stopping).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }

        return !stopping.IsCancellationRequested;
    }

    // Has it wait in a delay queue.
    private async ValueTask<Settlement> WaitAsync(
        IDelivery delivery, string? id, MessageOutcome outcome, Exception? error, int attempts, ProcessTelemetry telemetry)
    {
        RetryState before = ReturnedDelivery.StateOf(delivery);
        RetryState state = before with
        {
            Retries = before.Retries + (outcome.Kind == OutcomeKind.TryLater ? 1 : 0),
            Deferrals = before.Deferrals + (outcome.Kind == OutcomeKind.Defer ? 1 : 0),
            Attempts = before.Attempts + (error is null ? 0 : attempts),
            Waited = before.Waited + DelayLevel.InMilliseconds(outcome.Wait.Time),
        };
        if (Obstacle(delivery, state) is { } obstacle)
        {
            if (outcome.Kind == OutcomeKind.TryLater && replies is not null && !delivery.Properties.ReplyTo.IsEmpty)
            {
                // As the last failure of any request: the requester is told, and it is settled.
                RequestLog.HandlerFailed(logger, options.Queue, id, attempts, error!);
                Stop(telemetry, FailureReason.HandlerFailed, error!.Message);
                await RefuseAsync(delivery, error!).ConfigureAwait(false);
                return Settlement.Ack;
            }

            Exception reason = outcome.Kind == OutcomeKind.TryLater ? error! : Both(error, obstacle);
            return await FailAsync(
                delivery, id, new Failure(FailureReason.HandlerFailed, reason, attempts), telemetry).ConfigureAwait(false);
        }

        try
        {
            if (!await PublishAsync(
                delivery,
                () => delays.PublishAsync(delivery, outcome.Wait, state, handlersEnd),
                e => ConsumerLog.DelayQueueRefuses(logger, options.Queue, id, Pause, e),
                throwsRefusals: true).ConfigureAwait(false))
            {
                Stop(telemetry, error is null ? null : FailureReason.HandlerFailed, error?.Message);
                return Settlement.Requeue;
            }
        }
        catch (Exception e) when (IsRefusal(e))
        {
            return await FailAsync(
                delivery, id, new Failure(FailureReason.HandlerFailed, Both(error, e), attempts), telemetry).ConfigureAwait(false);
        }

        Stop(telemetry, error is null ? null : FailureReason.HandlerFailed, error?.Message);
        if (outcome.Kind == OutcomeKind.TryLater)
        {
            Telemetry.Count(Telemetry.Retries, options.Queue);
            ConsumerLog.Delayed(logger, options.Queue, id, state.Attempts, state.Retries, outcome.Wait.Time, error!);
        }

        return Settlement.Ack;
    }

    // Its headers leave no room for its history, or the broker never takes the queue.
    private static bool IsRefusal(Exception e) => e
        is ArgumentException
        or InvalidOperationException { InnerException: AmqpChannelException }
        or AmqpPublishException { Failure: AmqpPublishFailure.Refused };

    private static Exception Both(Exception? error, Exception obstacle) =>
        error is null ? obstacle : new AggregateException(error, obstacle);

    // Null for none.
    private InvalidOperationException? Obstacle(IDelivery delivery, RetryState state)
    {
        BasicProperties properties = delivery.Properties;
        return options.GoesAway
            ? new InvalidOperationException(
                "A message of a queue that goes away by itself cannot be deferred: it would stay in a delay queue for ever.")
            : position.IsOfStream(in properties)
            ? new InvalidOperationException(
                "A message of a stream cannot be deferred: it would come to all consumers of the stream once more.")
            : state.Outlives(in properties)
                ? new InvalidOperationException("The message cannot be deferred: it would expire before it comes back.")
                : null;
    }

    /// <summary>
    /// Publishes a copy to another queue. False where the message has to go back to its own, so that others are handled meanwhile; one that
    /// has been there before stays instead, and is tried again: a quorum queue drops what comes back too often.
    /// </summary>
    private async ValueTask<bool> PublishAsync(
        IDelivery delivery, Func<Task> publish, Action<Exception> failed, bool throwsRefusals)
    {
        // The copy would come in addition to the message.
        while (!delivery.Lost.IsCancellationRequested)
        {
            try
            {
                await publish().ConfigureAwait(false);
                return true;
            }
            catch (Exception e) when (!throwsRefusals || !IsRefusal(e))
            {
                failed(e);
            }

            if (!await PauseAsync().ConfigureAwait(false)
                || delivery.Properties.Headers.Integer(MessageContext.DeliveryCountKey) is null or 0)
            {
                break;
            }
        }

        return false;
    }

    // A listener of the program that throws must not bring back a message of which there is a copy.
    private void Stop(ProcessTelemetry telemetry, string? reason = null, string? message = null)
    {
        try
        {
            telemetry.Stop(reason, message);
        }
        catch (Exception e)
        {
            ConsumerLog.Unexpected(logger, options.Queue, e);
        }
    }

    // For the requester of a handler that never got the request, or whose error reply failed.
    private Task RefuseAsync(IDelivery delivery, Exception reason) =>
        replies?.RefuseAsync(delivery.Properties, reason, handlersEnd) ?? Task.CompletedTask;
}
