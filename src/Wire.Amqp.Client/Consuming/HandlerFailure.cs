using System.Diagnostics;
using Wire.Transport.Pending;

namespace Wire.Amqp.Client.Consuming;

/// <summary>Tells the program of a message that a handler could not handle.</summary>
internal static class HandlerFailure
{
    /// <summary>Calls <see cref="AmqpConsumeOptions.OnError"/>, or writes to the trace where there is none. Does not throw.</summary>
    /// <param name="consumer">The consumer.</param>
    /// <param name="options">Its options.</param>
    /// <param name="delivery">The message.</param>
    /// <param name="tag">Its tag.</param>
    /// <param name="settlement">What becomes of it, where it is acknowledged.</param>
    /// <param name="error">What the handler has thrown, or why the body could not be read.</param>
    public static void Tell(
        AmqpConsumer consumer, AmqpConsumeOptions options, AmqpDelivery delivery, ulong tag, Settlement settlement, Exception error)
    {
        try
        {
            if (options.OnError is { } told)
            {
                told(delivery, error);
            }
            else
            {
                string fate = options.NoAck ? "lost" : settlement == Settlement.Requeue ? "requeued" : "rejected";
                Trace.TraceError(
                    $"The consumer '{consumer.ConsumerTag}' of the queue '{consumer.Queue}' could not handle the message with the " +
                    $"delivery tag {tag}, which is {fate}: {error}");
            }
        }
        catch (Exception e)
        {
            Trace.TraceError(
                $"{nameof(AmqpConsumeOptions.OnError)} of the consumer '{consumer.ConsumerTag}' of the queue '{consumer.Queue}' has " +
                $"thrown: {e}{Environment.NewLine}The error that it was called with: {error}");
        }
    }
}
