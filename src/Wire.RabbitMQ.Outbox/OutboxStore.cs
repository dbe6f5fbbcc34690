using System.Data;
using System.Data.Common;
using Wire.RabbitMQ.Outbox.Statements;

namespace Wire.RabbitMQ.Outbox;

/// <summary>
/// The database that has the outbox and the inbox of a program: what <see cref="WireOutbox"/>, <see cref="WireInbox"/> and <see
/// cref="OutboxSender"/> share. Thread-safe.
/// </summary>
public sealed class OutboxStore
{
    private readonly Func<DbConnection> _connect;

    /// <summary>Makes a store on connections that a function makes.</summary>
    /// <param name="database">The SQL of the database.</param>
    /// <param name="connect">Makes a connection, which is opened and disposed of here; called on any thread.</param>
    /// <param name="tables">The names of the tables; <see cref="OutboxTables.Default"/> when left out.</param>
    public OutboxStore(OutboxDatabase database, Func<DbConnection> connect, OutboxTables? tables = null)
    {
        ArgumentNullException.ThrowIfNull(database);
        ArgumentNullException.ThrowIfNull(connect);
        Database = database;
        Tables = tables ?? OutboxTables.Default;
        _connect = connect;
        Outbox = new OutboxStatements(database, database.Name(Tables, Tables.Outbox));
        Inbox = new InboxStatements(database, database.Name(Tables, Tables.Inbox));
    }

    /// <summary>Makes a store on connections of a data source, which stays the caller's.</summary>
    /// <param name="database">The SQL of the database.</param>
    /// <param name="source">The source of connections.</param>
    /// <param name="tables">The names of the tables; <see cref="OutboxTables.Default"/> when left out.</param>
    public OutboxStore(OutboxDatabase database, DbDataSource source, OutboxTables? tables = null)
        : this(database, source is null ? throw new ArgumentNullException(nameof(source)) : source.CreateConnection, tables)
    {
    }

    /// <summary>Gets the SQL of the database.</summary>
    public OutboxDatabase Database { get; }

    /// <summary>Gets the names of the tables.</summary>
    public OutboxTables Tables { get; }

    /// <summary>
    /// Gets the statements that create both tables with their indexes, where they are not there: for a migration.
    /// </summary>
    public string CreateScript => Database.Create(Tables);

    /// <summary>Gets what is asked of the outbox.</summary>
    internal OutboxStatements Outbox { get; }

    /// <summary>Gets what is asked of the inbox.</summary>
    internal InboxStatements Inbox { get; }

    /// <summary>Occurs when messages have been committed, on any thread.</summary>
    internal event Action? Woken;

    /// <summary>Creates both tables with their indexes, where they are not there. Several programs may do that at the same time.</summary>
    /// <param name="cancellationToken">Ends the attempt.</param>
    /// <exception cref="DbException">The database refuses, or is not reached.</exception>
    public Task EnsureCreatedAsync(CancellationToken cancellationToken = default) => InTransactionAsync(
        async transaction =>
        {
            await Outbox.LockAsync(transaction, cancellationToken).ConfigureAwait(false);
            await transaction.ExecuteAsync(CreateScript, cancellationToken).ConfigureAwait(false);
        },
        cancellationToken);

    /// <summary>Counts the messages that wait in the outbox, whether they are claimed or not.</summary>
    /// <param name="cancellationToken">Ends the attempt.</param>
    /// <exception cref="DbException">The database refuses, or is not reached.</exception>
    public async Task<long> CountAsync(CancellationToken cancellationToken = default)
    {
        DbConnection connection = await OpenAsync(cancellationToken).ConfigureAwait(false);
        await using (connection.ConfigureAwait(false))
        {
            // In no transaction, which in SQLite would wait for those that write.
            return await Outbox.CountAsync(connection, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>
    /// Commits a transaction and wakes the senders on this store, which otherwise look after their <see
    /// cref="OutboxSenderOptions.PollInterval"/>.
    /// </summary>
    /// <param name="transaction">The transaction.</param>
    /// <param name="cancellationToken">Ends the attempt; whether it was committed is not known then.</param>
    /// <exception cref="DbException">The database refuses, or is not reached.</exception>
    public async Task CommitAsync(DbTransaction transaction, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(transaction);
        await transaction.CommitAsync(cancellationToken).ConfigureAwait(false);
        Wake();
    }

    /// <summary>Wakes the senders on this store: to be called after a commit. It does not wait for them.</summary>
    public void Wake() => Woken?.Invoke();

    /// <summary>Runs work in a transaction, and commits it.</summary>
    internal Task InTransactionAsync(Func<DbTransaction, Task> work, CancellationToken cancellationToken) => InTransactionAsync(
        async transaction =>
        {
            await work(transaction).ConfigureAwait(false);
            return true;
        },
        cancellationToken);

    /// <summary>Runs work in a transaction, and commits it.</summary>
    internal async Task<T> InTransactionAsync<T>(Func<DbTransaction, Task<T>> work, CancellationToken cancellationToken)
    {
        DbConnection connection = await OpenAsync(cancellationToken).ConfigureAwait(false);
        await using (connection.ConfigureAwait(false))
        {
            DbTransaction transaction = await connection.BeginTransactionAsync(Database.Isolation, cancellationToken)
                .ConfigureAwait(false);
            await using (transaction.ConfigureAwait(false))
            {
                T result = await work(transaction).ConfigureAwait(false);

                // One that is given up may have been done, and claims would be held by nobody.
                await transaction.CommitAsync(CancellationToken.None).ConfigureAwait(false);
                return result;
            }
        }
    }

    /// <summary>Opens a connection.</summary>
    /// <exception cref="InvalidOperationException">The program's function gives none.</exception>
    internal async Task<DbConnection> OpenAsync(CancellationToken cancellationToken)
    {
        DbConnection connection = _connect() ?? throw new InvalidOperationException(
            $"The function that makes connections for the {nameof(OutboxStore)} has returned null: return a new connection each time.");
        try
        {
            if (connection.State != ConnectionState.Open)
            {
                await connection.OpenAsync(cancellationToken).ConfigureAwait(false);
            }

            return connection;
        }
        catch
        {
            await connection.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }
}
