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
    /// <param name="next">
    /// The index of the next message to handle; afterwards that of the running, failed or next one.
    /// </param>
    /// <param name="pending">The handler that has not ended.</param>
    /// <returns>True if a handler is still running.</returns>
    public abstract bool CallHandler(
        ReadOnlySpan<StreamMessage> messages, Subscription subscription, StreamPosition position, ref int next, out ValueTask pending);
}

/// <summary>Handles one message after the other.</summary>
internal sealed class MessageDispatch(Func<StreamMessage, ValueTask> handler) : ConsumerDispatch
{
    public override bool CallHandler(
        ReadOnlySpan<StreamMessage> messages, Subscription subscription, StreamPosition position, ref int next, out ValueTask pending)
    {
        for (; next < messages.Length && !subscription.IsInterrupted; next++)
        {
            pending = handler(messages[next]);
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
internal sealed class TypedDispatch<T>(Func<T, StreamMessage, ValueTask> handler) : ConsumerDispatch
{
    public override bool CallHandler(
        ReadOnlySpan<StreamMessage> messages, Subscription subscription, StreamPosition position, ref int next, out ValueTask pending)
    {
        for (; next < messages.Length && !subscription.IsInterrupted; next++)
        {
            // Null if null was published.
            pending = handler(messages[next].Read<T>()!, messages[next]);
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

/// <summary>Handles all messages of a chunk at once.</summary>
internal sealed class BatchDispatch(StreamBatchHandler handler) : ConsumerDispatch
{
    public override bool TakesAll => true;

    public override bool CallHandler(
        ReadOnlySpan<StreamMessage> messages, Subscription subscription, StreamPosition position, ref int next, out ValueTask pending)
    {
        pending = default;
        if (!subscription.IsInterrupted)
        {
            handler(messages[next..]);
            next = messages.Length;
            position.Handled(messages[^1].Offset);
        }

        return false;
    }
}
