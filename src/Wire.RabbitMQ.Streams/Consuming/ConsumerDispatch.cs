using Wire.RabbitMQ.Streams.Diagnostics;

namespace Wire.RabbitMQ.Streams.Consuming;

/// <summary>The way of messages to a handler.</summary>
internal abstract class ConsumerDispatch
{
    /// <summary>Gets whether the handler gets all messages of a chunk at once, and fails for all of them.</summary>
    public virtual bool TakesAll => false;

    /// <summary>
    /// Delivers messages in order, until there are no more, the subscription is interrupted, or a handler is still running.
    /// </summary>
    /// <param name="messages">The messages of a chunk, not all of them handled.</param>
    /// <param name="subscription">The subscription that they came on.</param>
    /// <param name="position">Called for each handled message.</param>
    /// <param name="spans">Makes the spans of handlers; null while no one listens.</param>
    /// <param name="next">
    /// The index of the next message to handle; afterwards that of the running, failed or next one.
    /// </param>
    /// <param name="pending">The handler that has not ended.</param>
    /// <returns>True if a handler is still running.</returns>
    public abstract bool CallHandler(
        ReadOnlySpan<StreamMessage> messages,
        Subscription subscription,
        StreamPosition position,
        ProcessSpans? spans,
        ref int next,
        out ValueTask pending);
}

/// <summary>Handles one message after the other.</summary>
internal sealed class MessageDispatch(Func<StreamMessage, ValueTask> handler) : ConsumerDispatch
{
    public override bool CallHandler(
        ReadOnlySpan<StreamMessage> messages,
        Subscription subscription,
        StreamPosition position,
        ProcessSpans? spans,
        ref int next,
        out ValueTask pending)
    {
        for (; next < messages.Length && !subscription.IsInterrupted; next++)
        {
            pending = spans is null ? handler(messages[next]) : spans.RunAsync(messages[next], handler);
            if (!pending.IsCompleted)
            {
                return true;
            }

            pending.GetAwaiter().GetResult();
            position.Handled(messages[next].Offset);
        }

        pending = default;
        return false;
    }
}

/// <summary>Handles one object after the other.</summary>
internal sealed class TypedDispatch<T> : ConsumerDispatch
{
    private readonly Func<T, StreamMessage, ValueTask> _handler;
    private readonly Func<StreamMessage, ValueTask> _handle;

    public TypedDispatch(Func<T, StreamMessage, ValueTask> handler) => (_handler, _handle) = (handler, HandleAsync);

    public override bool CallHandler(
        ReadOnlySpan<StreamMessage> messages,
        Subscription subscription,
        StreamPosition position,
        ProcessSpans? spans,
        ref int next,
        out ValueTask pending)
    {
        for (; next < messages.Length && !subscription.IsInterrupted; next++)
        {
            pending = spans is null ? HandleAsync(messages[next]) : spans.RunAsync(messages[next], _handle);
            if (!pending.IsCompleted)
            {
                return true;
            }

            pending.GetAwaiter().GetResult();
            position.Handled(messages[next].Offset);
        }

        pending = default;
        return false;
    }

    // Null if null was published.
    private ValueTask HandleAsync(StreamMessage message) => _handler(message.Read<T>()!, message);
}

/// <summary>Handles all messages of a chunk at once.</summary>
internal sealed class BatchDispatch(StreamBatchHandler handler) : ConsumerDispatch
{
    public override bool TakesAll => true;

    public override bool CallHandler(
        ReadOnlySpan<StreamMessage> messages,
        Subscription subscription,
        StreamPosition position,
        ProcessSpans? spans,
        ref int next,
        out ValueTask pending)
    {
        pending = default;
        if (!subscription.IsInterrupted)
        {
            if (spans is null)
            {
                handler(messages[next..]);
            }
            else
            {
                spans.Run(messages[next..], handler);
            }

            next = messages.Length;
            position.Handled(messages[^1].Offset);
        }

        return false;
    }
}
