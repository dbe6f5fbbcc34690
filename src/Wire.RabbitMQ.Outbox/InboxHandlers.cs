using System.Data.Common;

namespace Wire.RabbitMQ.Outbox;

/// <summary>Handlers of messages that are handled once, in a transaction.</summary>
public static class InboxHandlers
{
    /// <summary>
    /// Adds a function that handles messages of a type once, each in a transaction: <see cref="WireInbox.HandleAsync"/>. A message that
    /// was handled before is acknowledged.
    /// </summary>
    /// <param name="consumer">The consumer, which has not been started.</param>
    /// <param name="inbox">The inbox.</param>
    /// <param name="handler">Handles a message, with the transaction, which it neither commits nor rolls back.</param>
    /// <exception cref="ArgumentException">There is a handler for this type already.</exception>
    /// <exception cref="InvalidOperationException">The consumer has been started.</exception>
    public static void HandleOnce<T>(
        this WireConsumer consumer, WireInbox inbox, Func<T, MessageContext, DbTransaction, Task> handler)
    {
        ArgumentNullException.ThrowIfNull(consumer);
        consumer.Handle(Once(inbox, handler));
    }

    /// <summary>
    /// Adds a function that handles messages of a type once, each in a transaction: <see cref="WireInbox.HandleAsync"/>. A message that
    /// was handled before is acknowledged.
    /// </summary>
    /// <param name="consumer">The consumer.</param>
    /// <param name="inbox">The inbox.</param>
    /// <param name="handler">Handles a message, with the transaction, which it neither commits nor rolls back.</param>
    /// <exception cref="ArgumentException">There is a handler for this type already.</exception>
    public static WireConsumerBuilder HandleOnce<T>(
        this WireConsumerBuilder consumer, WireInbox inbox, Func<T, MessageContext, DbTransaction, Task> handler)
    {
        ArgumentNullException.ThrowIfNull(consumer);
        return consumer.Handle(Once(inbox, handler));
    }

    private static Func<T, MessageContext, Task> Once<T>(WireInbox inbox, Func<T, MessageContext, DbTransaction, Task> handler)
    {
        ArgumentNullException.ThrowIfNull(inbox);
        ArgumentNullException.ThrowIfNull(handler);
        return (message, context) => inbox.HandleAsync(
            context, transaction => handler(message, context, transaction), context.CancellationToken);
    }
}
