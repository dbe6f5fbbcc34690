using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.Logging;
using Wire.Amqp.Client.Consuming;
using Wire.RabbitMQ.Connections;
using Wire.RabbitMQ.Diagnostics;
using Wire.RabbitMQ.Requests;

namespace Wire.RabbitMQ.Consuming;

/// <summary>What becomes of a delivery: decodes it, has it handled as often as its retry policy says, and finds a place for what cannot be handled. Thread-safe.</summary>
internal sealed class MessageProcessor(
    IBrokerConnection connection, WireConsumerOptions options, WireBodySerializer serializer, HandlerTable handlers, ErrorQueue errorQueue, ReplySender? replies, ILogger logger, CancellationToken stopping, CancellationToken handlersEnd)
{
    private readonly DuplicateWindow _duplicates = new(options.DuplicateWindow);

    /// <summary>Handles a delivery.</summary>
    /// <returns>What to tell the broker.</returns>
    public async ValueTask<Settlement> ProcessAsync(Delivery delivery)
    {
        ProcessTelemetry telemetry = default;
        try
        {
            telemetry = ProcessTelemetry.Start(options.Queue, new DeliveredMessage(
                connection,
                delivery.Exchange,
                delivery.RoutingKey,
                delivery.Tag,
                delivery.Body.Length,
                delivery.Properties.MessageId,
                delivery.Properties));
            bool duplicate = _duplicates.Contains(delivery.Properties.MessageId);
            if (duplicate)
            {
                ProcessTelemetry.Count(Telemetry.Duplicates, options.Queue);
            }

            for (int attempt = 1; ; attempt++)
            {
                if (!TryDecode(delivery, out object? message, out MessageHandler? handler, out Failure failure))
                {
                    return await FailAsync(delivery, failure with { Attempts = attempt - 1 }, telemetry).ConfigureAwait(false);
                }

                var context = new MessageContext(options.Queue, delivery, attempt, duplicate, handlersEnd);
                try
                {
                    Task task = handler(message, context) ?? throw new InvalidOperationException($"The handler of {message.GetType()} has returned null where a task is expected.");
                    await task.ConfigureAwait(false);
                    _duplicates.Add(delivery.Properties.MessageId);
                    telemetry.Stop();
                    return Settlement.Ack;
                }
                catch (Exception e)
                {
                    failure = new Failure(FailureReason.HandlerFailed, e, attempt);
                }
                finally
                {
                    context.End();
                }

                if (handlersEnd.IsCancellationRequested)
                {
                    return GiveBack(delivery, failure, telemetry);
                }

                Exception error = failure.Exception;
                if (options.Retry.IsLast(attempt, ref error))
                {
                    return await FailAsync(delivery, failure with { Exception = error }, telemetry).ConfigureAwait(false);
                }

                TimeSpan pause = options.Retry.DelayBefore(attempt + 1);
                ConsumerLog.AttemptFailed(logger, options.Queue, delivery.Properties.MessageId, attempt, pause, failure.Exception);
                if (!await PauseAsync(pause).ConfigureAwait(false))
                {
                    return GiveBack(delivery, failure, telemetry);
                }

                ProcessTelemetry.Count(Telemetry.Retries, options.Queue);
            }
        }
        catch (Exception e)
        {
            // Such as what listens to spans threw. Nobody else would hear of it, and the message must come again, not at once.
            ConsumerLog.Unexpected(logger, options.Queue, e);
            telemetry.Stop(FailureReason.HandlerFailed, e.Message);
            await PauseAsync(errorQueue.Pause).ConfigureAwait(false);
            return Settlement.Requeue;
        }
    }

    private bool TryDecode(
        Delivery delivery,
        [NotNullWhen(true)] out object? message,
        [NotNullWhen(true)] out MessageHandler? handler,
        out Failure failure)
    {
        message = null;
        handler = null;
        failure = default;
        try
        {
            message = serializer.Read<object>(delivery.Properties, delivery.Body);
        }
        catch (Exception e)
        {
            // Whatever a constructor or setter of a message throws counts as well: the bytes do not become an object.
            failure = new Failure(e is TypeRefusedException ? FailureReason.TypeRefused : FailureReason.Undecodable, e, 0);
            return false;
        }

        if (message is not null && (handler = handlers.Find(message.GetType())) is not null)
        {
            return true;
        }

        string what = message is null ? "the body is null, which is of no type" : $"its type is {message.GetType()}. Add one with Handle<T>";
        failure = new Failure(FailureReason.NoHandler, new InvalidOperationException($"No handler of the consumer of '{options.Queue}' is for this message: {what}."), 0);
        return false;
    }

    private Settlement GiveBack(Delivery delivery, in Failure failure, ProcessTelemetry telemetry)
    {
        telemetry.Stop(failure.Reason, failure.Exception.Message);
        ConsumerLog.GoesBack(logger, options.Queue, delivery.Properties.MessageId, failure.Exception);
        return Settlement.Requeue;
    }

    private async ValueTask<Settlement> FailAsync(Delivery delivery, Failure failure, ProcessTelemetry telemetry)
    {
        string? id = delivery.Properties.MessageId;
        if (options.OnFailure == FailureAction.DeadLetter)
        {
            telemetry.Stop(failure.Reason, failure.Exception.Message);
            ConsumerLog.Rejected(logger, options.Queue, id, failure.Reason, failure.Exception);
            await RefuseAsync(delivery, failure).ConfigureAwait(false);
            return Settlement.Reject;
        }

        try
        {
            await errorQueue.PublishAsync(delivery, failure, handlersEnd).ConfigureAwait(false);
            telemetry.Stop(failure.Reason, failure.Exception.Message);
            ProcessTelemetry.Count(Telemetry.ErrorQueued, options.Queue, failure.Reason);
            ConsumerLog.SentToErrorQueue(logger, options.Queue, id, failure.Reason, errorQueue.Name, failure.Exception);
            await RefuseAsync(delivery, failure).ConfigureAwait(false);
            return Settlement.Ack;
        }
        catch (Exception e)
        {
            telemetry.Stop(failure.Reason, failure.Exception.Message);
            ConsumerLog.ErrorQueueRefuses(logger, options.Queue, id, errorQueue.Name, errorQueue.Pause, e);
            await PauseAsync(errorQueue.Pause).ConfigureAwait(false);
            return Settlement.Requeue;
        }
    }

    // Whoever waits for the reply of a handler that never got the request, or failed to say that it failed.
    private Task RefuseAsync(Delivery delivery, in Failure failure) => replies?.RefuseAsync(delivery.Properties, failure.Exception, handlersEnd) ?? Task.CompletedTask;

    /// <summary>Waits, but not when the consumer is being stopped: then it is false.</summary>
    private async ValueTask<bool> PauseAsync(TimeSpan pause)
    {
        if (pause > TimeSpan.Zero)
        {
            await Task.Delay(pause, stopping).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }

        return !stopping.IsCancellationRequested;
    }
}
