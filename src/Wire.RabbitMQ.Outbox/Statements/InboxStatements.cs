using System.Data.Common;

namespace Wire.RabbitMQ.Outbox.Statements;

/// <summary>Everything that is asked of the inbox. Thread-safe.</summary>
internal sealed class InboxStatements(OutboxDatabase database, string table)
{
    private readonly string _enter = database.Enter(table);
    private readonly string _purge = database.Purge(table);

    /// <summary>Notes a message as handled; false when it was before.</summary>
    public async Task<bool> TryEnterAsync(
        DbTransaction transaction, string consumer, string messageId, CancellationToken cancellationToken) =>
        await transaction.Command(_enter).With("consumer", consumer).With("message", messageId).ExecuteAsync(cancellationToken)
            .ConfigureAwait(false) == 1;

    /// <summary>Deletes messages that were handled before a time.</summary>
    /// <returns>The number of messages that it has deleted.</returns>
    public Task<int> PurgeAsync(DbTransaction transaction, TimeSpan age, int count, CancellationToken cancellationToken) =>
        transaction.Command(_purge).With("time", (long)age.TotalMilliseconds).With("count", count).ExecuteAsync(cancellationToken);
}
