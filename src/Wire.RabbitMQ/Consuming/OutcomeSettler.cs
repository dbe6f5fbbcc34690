using Microsoft.Extensions.Logging;
using Wire.Amqp.Client.Consuming;
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
/// <param name="errorQueue">The destination of messages that cannot be handled.</param>
/// <param name="delays">The queues for messages that are put aside.</param>
/// <param name="replies">Sends error replies; null if there are no requests.</param>
/// <param name="logger">Where to log.</param>
/// <param name="stopping">Fires when no handlers may start any more.</param>
/// <param name="handlersEnd">Fires when handlers have to end.</param>
internal sealed class OutcomeSettler(
    WireConsumerOptions options,
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
        if (outcome.Kind is not (OutcomeKind.Failed or OutcomeKind.TryLater))
        {
            ConsumerLog.Decided(logger, options.Queue, id, outcome, error);
        }

        string? reason = error is null ? null : FailureReason.HandlerFailed;
        bool isOfStream = StreamPosition.HasOffset(delivery.Properties);
        switch (outcome.Kind)
        {
            case OutcomeKind.Ack:
                telemetry.Stop(reason, error?.Message);
                return Settlement.Ack;
            case OutcomeKind.Requeue:
                telemetry.Stop(reason, error?.Message);

                // A stream does not take it back: it is handled again here.
                await PauseAsync(isOfStream ? Pause : TimeSpan.Zero).ConfigureAwait(false);
                return Settlement.Requeue;
            case OutcomeKind.Reject:
                var rejection = new RejectedException("The handler has rejected the message.", error);
                telemetry.Stop(FailureReason.Rejected, rejection.Message);
                await RefuseAsync(delivery, rejection).ConfigureAwait(false);
                return Settlement.Reject;
            case OutcomeKind.DeadLetter:
                return await FailAsync(
                    delivery, id, new Failure(FailureReason.Rejected, new RejectedException(outcome.Reason!, error), attempts), telemetry)
                    .ConfigureAwait(false);
            case OutcomeKind.Defer when isOfStream:
                error = new InvalidOperationException(
                    "A message of a stream cannot be deferred: it would come to all consumers of the stream once more.", error);
                break;
            case OutcomeKind.Defer:
            case OutcomeKind.TryLater when !isOfStream:
                return await PutAsideAsync(delivery, id, outcome, error, attempts, telemetry).ConfigureAwait(false);
        }

        return await FailAsync(delivery, id, new Failure(FailureReason.HandlerFailed, error!, attempts), telemetry).ConfigureAwait(false);
    }

    /// <summary>Moves a message that cannot be handled to where such messages go. Returns how the delivery is settled.</summary>
    public async ValueTask<Settlement> FailAsync(IDelivery delivery, string? id, Failure failure, ProcessTelemetry telemetry)
    {
        failure = failure with { Attempts = failure.Attempts + ReturnedDelivery.StateOf(delivery).Attempts };
        if (options.OnFailure == FailureAction.DeadLetter)
        {
            telemetry.Stop(failure.Reason, failure.Exception.Message);
            ConsumerLog.Rejected(logger, options.Queue, id, failure.Reason, failure.Exception);
            await RefuseAsync(delivery, failure.Exception).ConfigureAwait(false);
            return Settlement.Reject;
        }

        try
        {
            await errorQueue.PublishAsync(delivery, failure, handlersEnd).ConfigureAwait(false);
            telemetry.Stop(failure.Reason, failure.Exception.Message);
            ProcessTelemetry.Count(Telemetry.ErrorQueued, options.Queue, failure.Reason);
            ConsumerLog.SentToErrorQueue(logger, options.Queue, id, failure.Reason, errorQueue.Name, failure.Exception);
            await RefuseAsync(delivery, failure.Exception).ConfigureAwait(false);
            return Settlement.Ack;
        }
        catch (Exception e)
        {
            telemetry.Stop(failure.Reason, failure.Exception.Message);
            ConsumerLog.ErrorQueueRefuses(logger, options.Queue, id, errorQueue.Name, Pause, e);
            await PauseAsync().ConfigureAwait(false);
            return Settlement.Requeue;
        }
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

    private async ValueTask<Settlement> PutAsideAsync(
        IDelivery delivery, string? id, MessageOutcome outcome, Exception? error, int attempts, ProcessTelemetry telemetry)
    {
        RetryState state = ReturnedDelivery.StateOf(delivery);
        TimeSpan delay = outcome.Delay;
        if (outcome.Kind == OutcomeKind.TryLater)
        {
            state = state with { Retries = state.Retries + 1, Attempts = state.Attempts + attempts };
            delay = options.Retry.Delayed!.Jittered(delay);
        }

        try
        {
            await delays.PublishAsync(delivery, outcome.Delay, delay, state, handlersEnd).ConfigureAwait(false);
        }
        catch (ArgumentException e)
        {
            // Its headers leave no room for its history, or the name of its queue is too long for another.
            var failure = new Failure(FailureReason.HandlerFailed, error is null ? e : new AggregateException(error, e), attempts);
            return await FailAsync(delivery, id, failure, telemetry).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            telemetry.Stop(FailureReason.HandlerFailed, e.Message);
            ConsumerLog.DelayQueueRefuses(logger, options.Queue, id, Pause, e);
            await PauseAsync().ConfigureAwait(false);
            return Settlement.Requeue;
        }

        if (error is null)
        {
            telemetry.Stop();
            return Settlement.Ack;
        }

        telemetry.Stop(FailureReason.HandlerFailed, error.Message);
        ProcessTelemetry.Count(Telemetry.Retries, options.Queue);
        ConsumerLog.PutAside(logger, options.Queue, id, state.Attempts, state.Retries, delay, error);
        return Settlement.Ack;
    }

    // For the requester of a handler that never got the request, or whose error reply failed.
    private Task RefuseAsync(IDelivery delivery, Exception reason) =>
        replies?.RefuseAsync(delivery.Properties, reason, handlersEnd) ?? Task.CompletedTask;
}
