using System.Data;
using Wire.RabbitMQ.Outbox.Databases;

namespace Wire.RabbitMQ.Outbox;

/// <summary>
/// The SQL of a database: types, quoting and the statements that databases have words of their own for. Derive from it for another one.
/// Immutable and thread-safe, as what is derived from it has to be.
/// </summary>
/// <remarks>Parameters are written as <c>@name</c>. Times are milliseconds since 1970, by the clock of the database.</remarks>
public abstract class OutboxDatabase
{
    /// <summary>Gets SQLite from 3.35 on, as Microsoft.Data.Sqlite brings it.</summary>
    public static OutboxDatabase Sqlite { get; } = new SqliteDatabase();

    /// <summary>Gets PostgreSQL from 10 on, for Npgsql.</summary>
    public static OutboxDatabase PostgreSql { get; } = new PostgreSqlDatabase();

    /// <summary>
    /// Gets the expression of the current time in milliseconds: that of the statement, and not of the beginning of the transaction.
    /// </summary>
    public abstract string Now { get; }

    /// <summary>
    /// Gets the type of the outbox's primary key, with all that makes it one: an integer of 64 bits that the database counts up, and never
    /// uses again.
    /// </summary>
    public abstract string Identity { get; }

    /// <summary>
    /// Gets the isolation of the transactions that the store begins by itself: that of the database unless another one is needed, as where
    /// a claim has to see what was committed while it waited.
    /// </summary>
    public virtual IsolationLevel Isolation => IsolationLevel.Unspecified;

    /// <summary>Gets the type of bytes of any length.</summary>
    public abstract string Bytes { get; }

    /// <summary>Gets the type of a text of any length, compared by its code points.</summary>
    public virtual string Text => "TEXT";

    /// <summary>Gets the type of a text of up to 255 bytes that is part of a key.</summary>
    public virtual string Key => Text;

    /// <summary>Returns a name as it stands in statements: in double quotes, those within doubled.</summary>
    /// <param name="name">The name.</param>
    public virtual string Quote(string name)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        return $"\"{name.Replace("\"", "\"\"", StringComparison.Ordinal)}\"";
    }

    /// <summary>
    /// Returns the statement that begins a transaction which claims messages, so that one such runs at a time; null, where a transaction
    /// that writes waits for the others from its beginning.
    /// </summary>
    /// <param name="table">The outbox, quoted.</param>
    public virtual string? Lock(string table) => null;

    /// <summary>
    /// Returns the statement that claims the first messages that are due, in the order of their ids, and of each ordering key only those
    /// before which there is none that is not due. It returns their rows, in any order.
    /// </summary>
    /// <param name="table">The outbox, quoted.</param>
    /// <param name="columns">The columns to be returned.</param>
    /// <remarks>
    /// Parameters: <c>@claim</c> for the column claim; <c>@time</c>, added to <see cref="Now"/>, for due_at; <c>@count</c>, the most rows.
    /// </remarks>
    public virtual string Claim(string table, string columns) =>
        $"""
        UPDATE {table} SET claim = @claim, due_at = {Now} + @time WHERE id IN (
          SELECT id FROM {table} AS one WHERE due_at <= {Now} AND (ordering_key IS NULL OR NOT EXISTS (
            SELECT 1 FROM {table} AS other
            WHERE other.ordering_key = one.ordering_key AND other.id < one.id AND other.due_at > {Now}))
          ORDER BY id LIMIT @count)
        RETURNING {columns}
        """;

    /// <summary>
    /// Returns the statement that writes a row of the inbox and changes one row, or none where there is one with this key. Where another
    /// transaction is writing the same, it waits for that.
    /// </summary>
    /// <param name="table">The inbox, quoted.</param>
    /// <remarks>Parameters: <c>@consumer</c> and <c>@message</c>; handled_at is <see cref="Now"/>.</remarks>
    public virtual string Enter(string table) =>
        $"INSERT INTO {table} (consumer, message_id, handled_at) VALUES (@consumer, @message, {Now}) ON CONFLICT DO NOTHING";

    /// <summary>Returns the statement that deletes rows of the inbox that are older than a time.</summary>
    /// <param name="table">The inbox, quoted.</param>
    /// <remarks>Parameters: <c>@time</c>, the age in milliseconds; <c>@count</c>, the most rows.</remarks>
    public virtual string Purge(string table) =>
        $"""
        DELETE FROM {table} WHERE (consumer, message_id) IN (
          SELECT consumer, message_id FROM {table} WHERE handled_at < {Now} - @time LIMIT @count)
        """;

    /// <summary>Returns the statements that create both tables with their indexes, where they are not there.</summary>
    /// <param name="tables">The names.</param>
    public virtual string Create(OutboxTables tables)
    {
        ArgumentNullException.ThrowIfNull(tables);
        string outbox = Name(tables, tables.Outbox);
        string inbox = Name(tables, tables.Inbox);
        return
            $"""
            CREATE TABLE IF NOT EXISTS {outbox} (
              id {Identity},
              message_id {Key} NOT NULL,
              exchange {Key} NOT NULL,
              routing_key {Key} NOT NULL,
              ordering_key {Key},
              message_type {Text},
              properties {Bytes} NOT NULL,
              body {Bytes} NOT NULL,
              created_at BIGINT NOT NULL,
              due_at BIGINT NOT NULL,
              claim {Key},
              attempts INTEGER NOT NULL,
              last_error {Text}
            );
            CREATE INDEX IF NOT EXISTS {Quote($"ix_{tables.Outbox}_ordering_key")} ON {outbox} (ordering_key, id);
            CREATE TABLE IF NOT EXISTS {inbox} (
              consumer {Key} NOT NULL,
              message_id {Key} NOT NULL,
              handled_at BIGINT NOT NULL,
              PRIMARY KEY (consumer, message_id)
            );
            CREATE INDEX IF NOT EXISTS {Quote($"ix_{tables.Inbox}_handled_at")} ON {inbox} (handled_at);
            """;
    }

    /// <summary>Returns the name of a table, quoted, with its schema.</summary>
    internal string Name(OutboxTables tables, string table) =>
        tables.Schema is { } schema ? $"{Quote(schema)}.{Quote(table)}" : Quote(table);
}
