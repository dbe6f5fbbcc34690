using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Storage;

namespace Wire.RabbitMQ.Outbox.EntityFrameworkCore;

/// <summary>Messages of a context, whose model has the tables: <see cref="OutboxModel"/>.</summary>
public static class OutboxContext
{
    /// <summary>
    /// Adds a message to the outbox, as a change of the context: it is sent when SaveChanges, or the transaction around it, has succeeded.
    /// </summary>
    /// <param name="context">The context.</param>
    /// <param name="outbox">The outbox. Its serializer writes the message at once.</param>
    /// <param name="exchange">The exchange; empty for the default one.</param>
    /// <param name="routingKey">The routing key; the name of a queue with the default exchange.</param>
    /// <param name="message">The object; may be null.</param>
    /// <param name="options">The options of the message: mandatory and persistent where left out.</param>
    /// <exception cref="ArgumentException">
    /// The exchange or routing key is longer than 255 bytes or not valid UTF-16, or a header cannot be written.
    /// </exception>
    /// <exception cref="InvalidOperationException">The model of the context has no outbox.</exception>
    public static void AddToOutbox<T>(
        this DbContext context, WireOutbox outbox, string exchange, string routingKey, T message, PublishOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(outbox);
        Add(context, outbox.CreateMessage(exchange, routingKey, message, options));
    }

    /// <summary>Adds a message to the outbox, as a change of the context, for the exchange of its type.</summary>
    /// <param name="context">The context.</param>
    /// <param name="outbox">The outbox.</param>
    /// <param name="message">The object, not null.</param>
    /// <param name="options">The options of the message.</param>
    /// <exception cref="InvalidOperationException">The model of the context has no outbox, or there are no conventions.</exception>
    public static void AddToOutbox<T>(this DbContext context, WireOutbox outbox, T message, PublishOptions? options = null)
        where T : notnull
    {
        ArgumentNullException.ThrowIfNull(outbox);
        Add(context, outbox.CreateMessage(message, options));
    }

    /// <summary>
    /// Handles a message once, in a transaction of a context: what the handler changes in the context is saved and committed with the note
    /// that it was handled. All is rolled back when the handler fails, and when it decides on another outcome than <see
    /// cref="MessageOutcome.Ack"/>.
    /// </summary>
    /// <param name="inbox">The inbox.</param>
    /// <param name="database">The context, without changes: one for each message. Its execution strategy may repeat the handler.</param>
    /// <param name="context">The message.</param>
    /// <param name="handler">Handles it. It is not called when the message was handled before.</param>
    /// <param name="cancellationToken">Ends the attempt.</param>
    /// <returns>False when it was handled before.</returns>
    /// <exception cref="ArgumentException">The message has no id.</exception>
    public static Task<bool> HandleAsync(
        this WireInbox inbox, DbContext database, MessageContext context, Func<Task> handler, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(inbox);
        ArgumentNullException.ThrowIfNull(database);
        ArgumentNullException.ThrowIfNull(context);
        ArgumentNullException.ThrowIfNull(handler);
        return database.Database.CreateExecutionStrategy().ExecuteAsync(
            async token =>
            {
                // What an attempt before has left.
                database.ChangeTracker.Clear();
                IDbContextTransaction transaction = await database.Database.BeginTransactionAsync(token).ConfigureAwait(false);
                await using (transaction.ConfigureAwait(false))
                {
                    if (!await inbox.TryBeginAsync(transaction.GetDbTransaction(), context, token).ConfigureAwait(false))
                    {
                        return false;
                    }

                    await handler().ConfigureAwait(false);
                    if (context.Outcome == MessageOutcome.Ack)
                    {
                        await database.SaveChangesAsync(token).ConfigureAwait(false);
                        await transaction.CommitAsync(token).ConfigureAwait(false);
                    }

                    return true;
                }
            },
            cancellationToken);
    }

    private static void Add(DbContext context, OutboxMessage message)
    {
        ArgumentNullException.ThrowIfNull(context);
        if (context.Model.FindEntityType(typeof(OutboxMessage)) is null)
        {
            throw new InvalidOperationException(
                $"The model of {context.GetType().Name} has no outbox: call modelBuilder.{nameof(OutboxModel.UseWireOutbox)}() in its " +
                "OnModelCreating, and add a migration.");
        }

        context.Add(message);
    }
}
