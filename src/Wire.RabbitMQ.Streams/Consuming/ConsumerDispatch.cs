using System.Runtime.CompilerServices;
using Wire.RabbitMQ.Streams.Diagnostics;

namespace Wire.RabbitMQ.Streams.Consuming;

/// <summary>The way of messages to a handler.</summary>
internal abstract class ConsumerDispatch
{
    /// <summary>Gets whether the handler gets all messages of a chunk at once, and fails for all of them.</summary>
    public virtual bool TakesAll => false;

    /// <summary>Gets the dispatch of one consumer of several that share this one, with its options.</summary>
    /// <exception cref="ArgumentException">An option is for another kind of handler.</exception>
    public virtual ConsumerDispatch For(string stream, StreamConsumerOptions options) => options.Decoders == 1
        ? this
        : throw new ArgumentException(
            $"{nameof(StreamConsumerOptions)}.{nameof(StreamConsumerOptions.Decoders)} is for handlers of objects: the one of '{stream}' "
            + "gets messages. Leave it out, or consume objects.",
            nameof(options));

    /// <summary>Gets whether what the handler gets can be read from a message; where it throws, it was the handler.</summary>
    public virtual bool IsReadable(in StreamMessage message) => true;

    /// <summary>The messages of a chunk are about to be handled.</summary>
    public virtual void Begin(ReadOnlyMemory<StreamMessage> messages)
    {
    }

    /// <summary>The messages of the chunk are not valid any more when this returns.</summary>
    public virtual void End()
    {
    }

    /// <summary>The consumer has ended.</summary>
    public virtual void Close()
    {
    }

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

/// <summary>Calls the handler for one message.</summary>
internal interface IMessageCall
{
    ValueTask Call(in StreamMessage message, int index, ProcessSpans? spans);
}

/// <summary>Handles one message after the other.</summary>
/// <typeparam name="TCall">Calls the handler: a struct, so that the call is none of its own.</typeparam>
internal abstract class SequentialDispatch<TCall>(TCall call) : ConsumerDispatch
    where TCall : struct, IMessageCall
{
    /// <inheritdoc/>
    /// <remarks>On its own: as a part of its callers, the parts of the loop would be calls, and structs would go through memory.</remarks>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public sealed override bool CallHandler(
        ReadOnlySpan<StreamMessage> messages,
        Subscription subscription,
        StreamPosition position,
        ProcessSpans? spans,
        ref int next,
        out ValueTask pending)
    {
        ulong first = next < messages.Length ? messages[next].Offset - messages[next].Index : 0;
        for (; next < messages.Length && !subscription.IsInterrupted; next++)
        {
            // Nearly always the default one, which has nothing to ask for.
            ValueTask handled = call.Call(in messages[next], next, spans);
            if (handled != default && !HasEnded(handled))
            {
                pending = handled;
                return true;
            }

            position.Handled(first + messages[next].Index);
        }

        pending = default;
        return false;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static bool HasEnded(ValueTask handled)
    {
        if (!handled.IsCompleted)
        {
            return false;
        }

        handled.GetAwaiter().GetResult();
        return true;
    }
}

/// <summary>Handles messages as they are.</summary>
internal sealed class MessageDispatch(Func<StreamMessage, ValueTask> handler)
    : SequentialDispatch<MessageDispatch.Caller>(new Caller(handler))
{
    internal readonly struct Caller(Func<StreamMessage, ValueTask> handler) : IMessageCall
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public ValueTask Call(in StreamMessage message, int index, ProcessSpans? spans) =>
            spans is null ? handler(message) : spans.RunAsync(message, handler);
    }
}

/// <summary>Finds out about objects that have failed.</summary>
internal static class Objects
{
    public static bool CanRead<T>(in StreamMessage message)
    {
        try
        {
            message.Read<T>();
            return true;
        }
        catch (Exception)
        {
            // It was thrown before, and is reported.
            return false;
        }
    }
}

/// <summary>Handles objects.</summary>
internal sealed class TypedDispatch<T>(Func<T, StreamMessage, ValueTask> handler)
    : SequentialDispatch<TypedDispatch<T>.Caller>(new Caller(handler))
{
    private readonly Func<T, StreamMessage, ValueTask> _handler = handler;

    public override bool IsReadable(in StreamMessage message) => Objects.CanRead<T>(message);

    public override ConsumerDispatch For(string stream, StreamConsumerOptions options) => options.Decoders == 1
        ? this
        : new AheadDispatch<T>(_handler, new ObjectsAhead<T>($"Streams, consumer of {stream}", options.Decoders));

    internal readonly struct Caller : IMessageCall
    {
        private readonly Func<T, StreamMessage, ValueTask> _handler;
        private readonly Func<StreamMessage, ValueTask> _handle;

        // Null if null was published.
        public Caller(Func<T, StreamMessage, ValueTask> handler) =>
            (_handler, _handle) = (handler, message => handler(message.Read<T>()!, message));

        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public ValueTask Call(in StreamMessage message, int index, ProcessSpans? spans) =>
            spans is null ? _handler(message.Read<T>()!, message) : spans.RunAsync(message, _handle);
    }
}

/// <summary>Handles objects that several threads read ahead.</summary>
internal sealed class AheadDispatch<T>(Func<T, StreamMessage, ValueTask> handler, ObjectsAhead<T> objects)
    : SequentialDispatch<AheadDispatch<T>.Caller>(new Caller(handler, objects))
{
    private readonly ObjectsAhead<T> _objects = objects;

    public override bool IsReadable(in StreamMessage message) => Objects.CanRead<T>(message);

    public override void Begin(ReadOnlyMemory<StreamMessage> messages) => _objects.Begin(messages);

    public override void End() => _objects.End();

    public override void Close() => _objects.Dispose();

    internal readonly struct Caller(Func<T, StreamMessage, ValueTask> handler, ObjectsAhead<T> objects) : IMessageCall
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public ValueTask Call(in StreamMessage message, int index, ProcessSpans? spans)
        {
            // Null if null was published.
            T value = objects.Take(index, in message)!;
            return spans is null ? handler(value, message) : RunAsync(handler, spans, value, message);
        }

        // On its own: what the lambda captures would be allocated where no one listens, too.
        private static ValueTask RunAsync(
            Func<T, StreamMessage, ValueTask> handler, ProcessSpans spans, T value, StreamMessage message) =>
            spans.RunAsync(message, each => handler(value, each));
    }
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
