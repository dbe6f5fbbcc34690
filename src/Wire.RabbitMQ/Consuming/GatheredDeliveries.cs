using Microsoft.Extensions.Logging;
using Wire.Amqp;
using Wire.RabbitMQ.Connections;
using Wire.RabbitMQ.Copies;
using Wire.RabbitMQ.Delays;
using Wire.Transport.Pending;

namespace Wire.RabbitMQ.Consuming;

/// <summary>
/// Has each message of a gathered delivery handled like a delivery of its own. What is not acknowledged goes back to the queue alone.
/// Thread-safe.
/// </summary>
/// <param name="options">How the queue is consumed.</param>
/// <param name="processor">What handles deliveries.</param>
/// <param name="copies">What publishes those that go back.</param>
/// <param name="maxBytes">The number of bytes that a delivery may grow to.</param>
/// <param name="pause">Waits before a delivery goes back that would come again at once.</param>
/// <param name="logger">Where to log.</param>
/// <param name="handlersEnd">Fires when handlers have to end.</param>
internal sealed class GatheredDeliveries(
    WireConsumerOptions options, MessageProcessor processor, CopyPublisher copies, long maxBytes, Func<ValueTask<bool>> pause,
    ILogger logger, CancellationToken handlersEnd)
{
    /// <summary>Returns the handler of all deliveries.</summary>
    /// <param name="handle">Handles one that is a message.</param>
    public Func<IDelivery, ValueTask> Around(Func<IDelivery, ValueTask> handle) =>
        delivery => IsGathered(delivery) ? HandleAsync(delivery, handle) : handle(delivery);

    // One whose properties are damaged is none.
    private static bool IsGathered(IDelivery delivery)
    {
        try
        {
            return GatheredBody.IsContentType(delivery.Properties.ContentType);
        }
        catch (AmqpFormatException)
        {
            return false;
        }
    }

    private async ValueTask HandleAsync(IDelivery delivery, Func<IDelivery, ValueTask> handle)
    {
        if (!MessageProcessor.TryReadHeaders(ref delivery, options.Queue, out Failure failure)
            || Read(delivery, ref failure) is not { } messages)
        {
            await processor.HandleAsync(delivery, failure).ConfigureAwait(false);
            return;
        }

        delivery.Keep();
        var gathered = new GatheredDelivery(delivery, messages, EndAsync);
        if (ComesTooOften(delivery) && messages.Length > 1)
        {
            // One of them may end the process each time, and take the others with it.
            handle = AloneAsync;
        }

        // Not more of them wait for their turn than may have it.
        int limit = processor.Concurrency;
        int waiting = 0;
        using var ended = new SemaphoreSlim(0);
        foreach (IDelivery part in gathered.Parts)
        {
            ValueTask handled = handle(part);
            if (handled.IsCompletedSuccessfully)
            {
                handled.GetAwaiter().GetResult();
                continue;
            }

            _ = TellAsync(handled, ended);
            if (++waiting == limit)
            {
                await ended.WaitAsync(CancellationToken.None).ConfigureAwait(false);
                waiting--;
            }
        }

        for (; waiting > 0; waiting--)
        {
            await ended.WaitAsync(CancellationToken.None).ConfigureAwait(false);
        }

        // With keys they end later; what is of a stream, and is not handled any more, never.
        await (gathered.Ended ?? Task.CompletedTask).ConfigureAwait(false);
    }

    private static async Task TellAsync(ValueTask handled, SemaphoreSlim ended)
    {
        await handled.ConfigureAwait(false);
        ended.Release();
    }

    private static ValueTask AloneAsync(IDelivery part)
    {
        part.Settle(Settlement.Requeue);
        return default;
    }

    private GatheredMessage[]? Read(IDelivery delivery, ref Failure failure)
    {
        try
        {
            return GatheredBody.Read(delivery.Properties, delivery.Body, maxBytes);
        }
        catch (AmqpFormatException e)
        {
            failure = new Failure(
                e.Error == AmqpFormatError.TooLarge ? FailureReason.TooLarge : FailureReason.Undecodable, e, 0);
            return null;
        }
    }

    // Long before all of them would fail for it.
    private bool ComesTooOften(IDelivery delivery) =>
        options.MaxDeliveries is { } most && delivery.Properties.Headers.Integer(MessageContext.DeliveryCountKey) >= (most + 1) / 2;

    private async Task EndAsync(IDelivery whole, IReadOnlyList<IDelivery> left)
    {
        try
        {
            bool isDone = left.Count == 0 || await TryGoAloneAsync(whole, left).ConfigureAwait(false);
            whole.Settle(isDone ? Settlement.Ack : Settlement.Requeue);
        }
        catch (Exception e)
        {
            // The channel has ended or is about to: the broker redelivers unsettled messages.
            ConsumerLog.NotTold(logger, options.Queue, e);
        }
        finally
        {
            whole.Release();
        }
    }

    // Each alone, so that the broker rejects it, counts it and keeps it apart. False where all come again together.
    private async Task<bool> TryGoAloneAsync(IDelivery whole, IReadOnlyList<IDelivery> left)
    {
        if (whole.Lost.IsCancellationRequested)
        {
            return false;
        }

        try
        {
            await Task.WhenAll(left.Select(PublishAsync)).ConfigureAwait(false);
            return true;
        }
        catch (Exception e)
        {
            ConsumerLog.NotAlone(logger, options.Queue, whole.Properties.MessageId.Text(), left.Count, e);
            await pause().ConfigureAwait(false);
            return false;
        }
    }

    private Task PublishAsync(IDelivery part) => copies.PublishAsync(
        options.Queue,
        static _ => Task.CompletedTask,
        _ => RetryHeaders.Create(options.Queue, part, ReturnedDelivery.StateOf(part), null),
        part.Body,
        handlersEnd);
}
