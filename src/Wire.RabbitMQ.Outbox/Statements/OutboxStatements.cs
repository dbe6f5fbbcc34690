using System.Data;
using System.Data.Common;
using System.Globalization;

namespace Wire.RabbitMQ.Outbox.Statements;

/// <summary>Everything that is asked of the outbox. Thread-safe.</summary>
internal sealed class OutboxStatements(OutboxDatabase database, string table)
{
    private const string Columns =
        "id, message_id, exchange, routing_key, ordering_key, message_type, properties, body, created_at, due_at, claim, attempts, " +
        "last_error";

    // A text for people: longer ones say no more.
    private const int LongestError = 1000;

    private readonly string _count = $"SELECT COUNT(*) FROM {table}";
    private readonly string? _lock = database.Lock(table);
    private readonly string _claim = database.Claim(table, Columns);

    private readonly string _add =
        $"INSERT INTO {table} (message_id, exchange, routing_key, ordering_key, message_type, properties, body, created_at, due_at, " +
        "attempts) VALUES (@message, @exchange, @routing, @ordering, @type, @properties, @body, @created, 0, 0)";

    private readonly string _fail =
        $"UPDATE {table} SET attempts = attempts + 1, last_error = @error, due_at = {database.Now} + @pause, claim = NULL " +
        "WHERE id = @id AND claim = @claim";

    /// <summary>Adds a message.</summary>
    public Task AddAsync(DbTransaction transaction, OutboxMessage message, CancellationToken cancellationToken) =>
        transaction.Command(_add)
            .With("message", message.MessageId)
            .With("exchange", message.Exchange)
            .With("routing", message.RoutingKey)
            .With("ordering", message.OrderingKey)
            .With("type", message.MessageType)
            .With("properties", DbType.Binary, message.Properties)
            .With("body", DbType.Binary, message.Body)
            .With("created", message.CreatedAt)
            .ExecuteAsync(cancellationToken);

    /// <summary>Waits for others that claim, until the transaction ends.</summary>
    public Task LockAsync(DbTransaction transaction, CancellationToken cancellationToken) =>
        _lock is null ? Task.CompletedTask : transaction.ExecuteAsync(_lock, cancellationToken);

    /// <summary>Counts the messages.</summary>
    public async Task<long> CountAsync(DbConnection connection, CancellationToken cancellationToken)
    {
        DbCommand command = connection.CreateCommand();
        command.CommandText = _count;
        await using (command.ConfigureAwait(false))
        {
            object? count = await command.ExecuteScalarAsync(cancellationToken).ConfigureAwait(false);
            return Convert.ToInt64(count, CultureInfo.InvariantCulture);
        }
    }

    /// <summary>Claims messages that are due.</summary>
    /// <param name="transaction">The transaction.</param>
    /// <param name="claim">The claim.</param>
    /// <param name="time">The time for which they are not due to others.</param>
    /// <param name="count">The most messages.</param>
    /// <param name="cancellationToken">Ends the attempt.</param>
    /// <returns>The messages, in the order of their ids.</returns>
    public async Task<OutboxMessage[]> ClaimAsync(
        DbTransaction transaction, string claim, TimeSpan time, int count, CancellationToken cancellationToken)
    {
        await LockAsync(transaction, cancellationToken).ConfigureAwait(false);
        DbCommand command = transaction.Command(_claim)
            .With("claim", claim).With("time", Milliseconds(time)).With("count", count);
        await using (command.ConfigureAwait(false))
        {
            DbDataReader rows = await command.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
            await using (rows.ConfigureAwait(false))
            {
                var messages = new List<OutboxMessage>();
                while (await rows.ReadAsync(cancellationToken).ConfigureAwait(false))
                {
                    messages.Add(Read(rows));
                }

                return [.. messages.OrderBy(message => message.Id)];
            }
        }
    }

    /// <summary>Deletes messages, which have been sent: also where another has claimed them meanwhile.</summary>
    public Task DeleteAsync(DbTransaction transaction, IEnumerable<long> ids, CancellationToken cancellationToken) =>
        transaction.ExecuteAsync($"DELETE FROM {table} WHERE id IN ({List(ids)})", cancellationToken);

    /// <summary>Makes claimed messages due again.</summary>
    public Task ReleaseAsync(DbTransaction transaction, string claim, IEnumerable<long> ids, CancellationToken cancellationToken) =>
        transaction.Command($"UPDATE {table} SET due_at = {database.Now}, claim = NULL WHERE claim = @claim AND id IN ({List(ids)})")
            .With("claim", claim).ExecuteAsync(cancellationToken);

    /// <summary>Notes the failure of a claimed message, which is due again after a pause.</summary>
    public Task FailAsync(
        DbTransaction transaction, string claim, long id, string error, TimeSpan pause, CancellationToken cancellationToken) =>
        transaction.Command(_fail)
            .With("error", Beginning(error))
            .With("pause", Milliseconds(pause))
            .With("id", id)
            .With("claim", claim)
            .ExecuteAsync(cancellationToken);

    // A database takes no half of a surrogate pair.
    private static string Beginning(string error) => error.Length <= LongestError ? error
        : error[..(char.IsHighSurrogate(error[LongestError - 1]) ? LongestError - 1 : LongestError)];

    private static OutboxMessage Read(DbDataReader row) => new()
    {
        Id = row.GetInt64(0),
        MessageId = row.GetString(1),
        Exchange = row.GetString(2),
        RoutingKey = row.GetString(3),
        OrderingKey = Text(row, 4),
        MessageType = Text(row, 5),
        Properties = row.GetFieldValue<byte[]>(6),
        Body = row.GetFieldValue<byte[]>(7),
        CreatedAt = row.GetInt64(8),
        DueAt = row.GetInt64(9),
        Claim = Text(row, 10),
        Attempts = row.GetInt32(11),
        LastError = Text(row, 12),
    };

    private static string? Text(DbDataReader row, int column) => row.IsDBNull(column) ? null : row.GetString(column);

    // Numbers of the database's own.
    private static string List(IEnumerable<long> ids) => string.Join(',', ids.Select(id => id.ToString(CultureInfo.InvariantCulture)));

    private static long Milliseconds(TimeSpan time) => (long)time.TotalMilliseconds;
}
