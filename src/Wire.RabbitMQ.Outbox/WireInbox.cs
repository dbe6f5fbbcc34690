using System.Data.Common;

namespace Wire.RabbitMQ.Outbox;

/// <summary>
/// Notes the messages that were handled, in the transaction of their handlers: one that comes again is not handled again. Thread-safe,
/// though a transaction is not.
/// </summary>
/// <remarks>
/// The broker delivers at least once. With the work of the handler and the note of it in one transaction, a message has the effect of one
/// that is delivered once, as far as that effect is in this database: rows, and messages in its outbox.
/// </remarks>
public sealed class WireInbox
{
    private readonly OutboxStore _store;

    /// <summary>Makes an inbox.</summary>
    /// <param name="store">The database.</param>
    public WireInbox(OutboxStore store)
    {
        ArgumentNullException.ThrowIfNull(store);
        _store = store;
    }

    /// <summary>Notes a message as handled by the consumer of its queue, unless it is noted already.</summary>
    /// <param name="transaction">
    /// The transaction in which the message is handled, of the database of the store. The caller commits it, or rolls it back where the
    /// handler fails, so that the message can come again.
    /// </param>
    /// <param name="context">The message.</param>
    /// <param name="cancellationToken">Ends the attempt.</param>
    /// <returns>False when it was handled before, so that there is nothing to do.</returns>
    /// <exception cref="ArgumentException">The message has no id.</exception>
    /// <exception cref="InvalidOperationException">The transaction has ended.</exception>
    /// <exception cref="DbException">The database refuses, as when the tables are not there.</exception>
    public Task<bool> TryBeginAsync(DbTransaction transaction, MessageContext context, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(context);
        return TryBeginAsync(transaction, context.Queue, IdOf(context), cancellationToken);
    }

    /// <summary>Notes a message as handled, unless it is noted already.</summary>
    /// <param name="transaction">The transaction in which the message is handled.</param>
    /// <param name="consumer">
    /// The name of the consumer, at most 255 bytes: each handles a message once. It has to stay the same as long as messages may come
    /// again.
    /// </param>
    /// <param name="messageId">The id of the message.</param>
    /// <param name="cancellationToken">Ends the attempt.</param>
    /// <returns>False when it was handled before, so that there is nothing to do.</returns>
    /// <exception cref="ArgumentException">The consumer or the id is empty.</exception>
    /// <exception cref="InvalidOperationException">The transaction has ended.</exception>
    /// <exception cref="DbException">The database refuses, as when the tables are not there.</exception>
    public Task<bool> TryBeginAsync(
        DbTransaction transaction, string consumer, string messageId, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(transaction);
        ArgumentException.ThrowIfNullOrEmpty(consumer);
        ArgumentException.ThrowIfNullOrEmpty(messageId);
        return _store.Inbox.TryEnterAsync(transaction, consumer, messageId, cancellationToken);
    }

    /// <summary>
    /// Handles a message once, in a transaction of its own, which is committed when the handler succeeds; then the senders on the store are
    /// woken. It is rolled back when the handler fails, and when it decides on another outcome than <see cref="MessageOutcome.Ack"/>.
    /// </summary>
    /// <param name="context">The message.</param>
    /// <param name="handler">Handles it, with the transaction. It is not called when the message was handled before.</param>
    /// <param name="cancellationToken">Ends the attempt.</param>
    /// <returns>False when it was handled before.</returns>
    /// <exception cref="ArgumentException">The message has no id.</exception>
    /// <exception cref="DbException">The database refuses, or is not reached.</exception>
    public async Task<bool> HandleAsync(
        MessageContext context, Func<DbTransaction, Task> handler, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(context);
        ArgumentNullException.ThrowIfNull(handler);
        DbConnection connection = await _store.OpenAsync(cancellationToken).ConfigureAwait(false);
        await using (connection.ConfigureAwait(false))
        {
            // Disposed of without a commit, it is rolled back.
            DbTransaction transaction = await connection.BeginTransactionAsync(cancellationToken).ConfigureAwait(false);
            await using (transaction.ConfigureAwait(false))
            {
                if (!await TryBeginAsync(transaction, context, cancellationToken).ConfigureAwait(false))
                {
                    return false;
                }

                await handler(transaction).ConfigureAwait(false);
                if (context.Outcome == MessageOutcome.Ack)
                {
                    await _store.CommitAsync(transaction, cancellationToken).ConfigureAwait(false);
                }

                return true;
            }
        }
    }

    private static string IdOf(MessageContext context) => context.MessageId is { Length: > 0 } id ? id : throw new ArgumentException(
        $"The message from '{context.Queue}' has no id, by which it could be known when it comes again: have its publisher set one, or " +
        $"call {nameof(TryBeginAsync)} with an id of your own, such as the number of an order.",
        nameof(context));
}
