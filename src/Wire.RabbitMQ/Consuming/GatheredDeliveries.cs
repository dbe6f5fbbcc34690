using System.Buffers;
using Microsoft.Extensions.Logging;
using Wire.Amqp;
using Wire.Amqp.Client.Consuming;
using Wire.RabbitMQ.Connections;
using Wire.RabbitMQ.Copies;
using Wire.RabbitMQ.Delays;
using Wire.Transport.Pending;

namespace Wire.RabbitMQ.Consuming;

/// <summary>
/// Has each message of a gathered delivery handled like a delivery of its own. What is not acknowledged goes back to the queue without the
/// others. Thread-safe.
/// </summary>
/// <param name="options">How the queue is consumed.</param>
/// <param name="position">Knows whether the queue is a stream.</param>
/// <param name="processor">What handles deliveries.</param>
/// <param name="copies">What publishes those that go back.</param>
/// <param name="maxBytes">The number of bytes that a delivery may grow to.</param>
/// <param name="pause">Waits before something that failed is tried again; false when the consumer is being stopped.</param>
/// <param name="logger">Where to log.</param>
/// <param name="stopping">Fires when no handlers may start any more.</param>
/// <param name="handlersEnd">Fires when handlers have to end.</param>
internal sealed class GatheredDeliveries(
    WireConsumerOptions options, StreamPosition position, MessageProcessor processor, CopyPublisher copies, long maxBytes,
    Func<ValueTask<bool>> pause, ILogger logger, CancellationToken stopping, CancellationToken handlersEnd)
{
    private int _pumps;

    /// <summary>Returns the handler of all deliveries.</summary>
    /// <param name="handle">Handles one that is a message.</param>
    public Func<IDelivery, ValueTask> Around(Func<IDelivery, ValueTask> handle) =>
        delivery => IsGathered(delivery) ? HandleAsync(delivery, handle) : handle(delivery);

    // With keys they are only told apart here, one after the other, and are over later.
    private bool IsKeyed => options.OrderingKey is not null;

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
        delivery.Keep();
        if (!DeliveryProperties.TryRead(ref delivery, options.Queue, out _, out _, out Failure failure)
            || Read(delivery, ref failure) is not { } messages)
        {
            Task refused = RefuseAsync(delivery, failure);
            await (IsKeyed ? Task.CompletedTask : refused).ConfigureAwait(false);
            return;
        }

        var gathered = new GatheredDelivery(delivery, messages, EndAsync);
        var turns = new Turns(messages.Length);
        if (!ComesTooOften(gathered))
        {
            await PumpAsync(gathered, handle, turns, helps: false).ConfigureAwait(false);
            await turns.Ended.ConfigureAwait(false);
        }

        for (int i = turns.Taken; i < messages.Length; i++)
        {
            gathered.PartOf(i).Release();
        }

        await (IsKeyed ? Task.CompletedTask : gathered.Ended!).ConfigureAwait(false);
    }

    private async Task RefuseAsync(IDelivery delivery, Failure failure)
    {
        await processor.HandleAsync(delivery, failure).ConfigureAwait(false);
        delivery.Release();
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

    // One of these runs for each delivery, and takes its messages one after the other. While fewer run than messages may be handled at a
    // time, others help: with more, they would only wait for each other.
    private async Task PumpAsync(GatheredDelivery gathered, Func<IDelivery, ValueTask> handle, Turns turns, bool helps)
    {
        Interlocked.Increment(ref _pumps);
        bool hasLeft = false;
        try
        {
            while (!stopping.IsCancellationRequested
                && !gathered.Whole.Lost.IsCancellationRequested
                && !(hasLeft = helps && TryLeave())
                && turns.TryTake(out int number))
            {
                GatheredDelivery.Part part = gathered.PartOf(number);
                if (IsKeyed)
                {
                    await handle(part).ConfigureAwait(false);
                    continue;
                }

                if (Volatile.Read(ref _pumps) < processor.Concurrency && turns.TryAdd(processor.Concurrency))
                {
                    _ = Task.Run(() => PumpAsync(gathered, handle, turns, helps: true));
                }

                await handle(part).ConfigureAwait(false);
                part.Release();
            }
        }
        finally
        {
            if (!hasLeft)
            {
                Interlocked.Decrement(ref _pumps);
            }

            turns.Leave();
        }
    }

    // While there are too many: only so many leave.
    private bool TryLeave()
    {
        int pumps = Volatile.Read(ref _pumps);
        while (pumps > processor.Concurrency)
        {
            int before = Interlocked.CompareExchange(ref _pumps, pumps - 1, pumps);
            if (before == pumps)
            {
                return true;
            }

            pumps = before;
        }

        return false;
    }

    // Long before all of them would fail for it: one of them may end the process each time, and take the others with it.
    private bool ComesTooOften(GatheredDelivery gathered) =>
        gathered.Count > 1
        && options.MaxDeliveries is { } most
        && gathered.Whole.Properties.Headers.Integer(MessageContext.DeliveryCountKey) >= (most + 1) / 2;

    private async Task EndAsync(GatheredDelivery gathered)
    {
        IDelivery whole = gathered.Whole;
        try
        {
            if (await SettlementAsync(gathered).ConfigureAwait(false) is { } settlement)
            {
                whole.Settle(settlement);
            }
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

    // Null where it returns with its channel, at its place.
    private async Task<Settlement?> SettlementAsync(GatheredDelivery gathered)
    {
        IDelivery whole = gathered.Whole;
        GatheredDelivery.Part[] rejected = gathered.Where(settlement => settlement == Settlement.Reject);
        GatheredDelivery.Part[] returned = gathered.Where(settlement => settlement is null or Settlement.Requeue);
        if (rejected.Length + returned.Length == 0)
        {
            return Settlement.Ack;
        }

        bool isWhole = !Array.Exists(returned, part => part.Settlement is null);
        if (whole.Lost.IsCancellationRequested || (!isWhole && (IsKeyed || position.IsOfStream(whole.Properties))))
        {
            return null;
        }

        if (ComesTooOften(gathered))
        {
            return await TryPublishAsync(gathered, returned.Select(AloneAs)).ConfigureAwait(false);
        }

        // One at a time means in the order of the queue, which goes before that none is handled twice.
        return returned.Length == gathered.Count || (!isWhole && processor.Concurrency == 1)
            ? Settlement.Requeue
            : await TryPublishAsync(
                gathered,
                rejected.Select(AloneAs).Concat(returned.Length < 2 ? returned.Select(AloneAs) : [TogetherAs(whole, returned)]))
                .ConfigureAwait(false);
    }

    private static Copy AloneAs(GatheredDelivery.Part part) => new(part, part.Body);

    private static Copy TogetherAs(IDelivery whole, GatheredDelivery.Part[] parts)
    {
        using var writer = new GatheredBodyWriter();
        foreach (GatheredDelivery.Part part in parts)
        {
            writer.Add(part.Message.Properties, part.Message.Body.Span);
        }

        return new(whole, new ReadOnlySequence<byte>(writer.Written.ToArray()));
    }

    // Until all are there, as the whole would come in addition to those that are. Rejected ones go alone: the broker rejects them then.
    private async Task<Settlement> TryPublishAsync(GatheredDelivery gathered, IEnumerable<Copy> all)
    {
        Copy[] missing = [.. all];
        while (true)
        {
            Task[] attempts = [.. missing.Select(PublishAsync)];
            await Task.WhenAll(attempts).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            missing = [.. missing.Where((_, i) => !attempts[i].IsCompletedSuccessfully)];
            if (missing.Length == 0)
            {
                return Settlement.Ack;
            }

            Exception? reason = Array.Find(attempts, attempt => attempt.IsFaulted)?.Exception!.GetBaseException();
            ConsumerLog.NotAlone(
                logger, options.Queue, gathered.Whole.Properties.MessageId.Text(), missing.Length, reason);
            if (gathered.Whole.Lost.IsCancellationRequested || !await pause().ConfigureAwait(false))
            {
                return Settlement.Requeue;
            }
        }
    }

    private async Task PublishAsync(Copy copy)
    {
        IDelivery delivery = copy.Of;
        try
        {
            await PublishAsync(copy, _ => RetryHeaders.Create(
                options.Queue, delivery, ReturnedDelivery.StateOf(delivery), null)).ConfigureAwait(false);
        }
        catch (ArgumentException)
        {
            // They leave no room for where it came from, and will not the next time.
            await PublishAsync(copy, _ => delivery.Properties).ConfigureAwait(false);
        }
    }

    private Task PublishAsync(Copy copy, Func<int, Amqp.V091.BasicProperties> makeProperties) =>
        copies.PublishAsync(options.Queue, static _ => Task.CompletedTask, makeProperties, copy.Body, handlersEnd);

    private readonly record struct Copy(IDelivery Of, ReadOnlySequence<byte> Body);

    /// <summary>The turns of messages, and what takes them. Thread-safe.</summary>
    private sealed class Turns(int count)
    {
        private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private int _next;
        private int _pumps = 1;

        /// <summary>Gets the number of turns that were taken.</summary>
        public int Taken => Math.Min(Volatile.Read(ref _next), count);

        /// <summary>Ends when nothing takes turns any more.</summary>
        public Task Ended => _ended.Task;

        public bool TryTake(out int number)
        {
            number = Interlocked.Increment(ref _next) - 1;
            return number < count;
        }

        /// <summary>Adds something that takes turns, where there are some left and no more than so many take them.</summary>
        public bool TryAdd(int limit)
        {
            int pumps = Volatile.Read(ref _pumps);
            return pumps < limit && Taken < count && Interlocked.CompareExchange(ref _pumps, pumps + 1, pumps) == pumps;
        }

        public void Leave()
        {
            if (Interlocked.Decrement(ref _pumps) == 0)
            {
                _ended.SetResult();
            }
        }
    }
}
