namespace Wire.RabbitMQ.Streams.Consuming;

/// <summary>The way of messages to a handler.</summary>
internal abstract class ConsumerDispatch
{
    /// <summary>Says whether the handler gets all messages of a chunk at once, and so fails for all of them.</summary>
    public virtual bool TakesAll => false;

    /// <summary>
    /// Hands messages over, one after the other, until there are no more, the subscription is interrupted, or a handler has not ended yet.
    /// </summary>
    /// <param name="messages">The messages of a chunk, not all of them handled.</param>
    /// <param name="subscription">The subscription that they came on.</param>
    /// <param name="position">Called for each one that has been handled.</param>
    /// <param name="next">
    /// The index of the message that is to be handled; afterwards of the one that is being handled, has failed, or is next.
    /// </param>
    /// <param name="pending">The handler that has not ended.</param>
    /// <returns>Whether there is such a handler.</returns>
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
