using System.Data.Common;
using System.Globalization;
using Microsoft.Data.Sqlite;
using Microsoft.EntityFrameworkCore;
using Npgsql;

namespace Wire.RabbitMQ.Outbox.Tests.Testing;

/// <summary>A database of a test's own.</summary>
public sealed class TestDatabase : IAsyncDisposable
{
    public const string Sqlite = "sqlite";
    public const string PostgreSql = "postgresql";

    private readonly Func<ValueTask> _drop;

    private TestDatabase(string kind, string connectionString, Func<ValueTask> drop)
    {
        Kind = kind;
        ConnectionString = connectionString;
        _drop = drop;
        Store = StoreOf(kind, connectionString);
    }

    public string Kind { get; }

    public string ConnectionString { get; }

    public OutboxStore Store { get; }

    /// <summary>Makes a database, with the tables of the outbox.</summary>
    public static async Task<TestDatabase> CreateAsync(string kind)
    {
        TestDatabase database = await CreateEmptyAsync(kind);
        await database.Store.EnsureCreatedAsync();
        return database;
    }

    /// <summary>Makes a database without a table.</summary>
    public static async Task<TestDatabase> CreateEmptyAsync(string kind)
    {
        string name = $"wire_{Guid.NewGuid():N}";
        if (kind == Sqlite)
        {
            string folder = Directory.CreateTempSubdirectory(name).FullName;
            var file = new TestDatabase(kind, $"Data Source={Path.Combine(folder, "shop.db")}", () =>
            {
                SqliteConnection.ClearAllPools();
                Directory.Delete(folder, recursive: true);
                return ValueTask.CompletedTask;
            });
            await file.ExecuteAsync("PRAGMA journal_mode = WAL");
            return file;
        }

        string server = Environment.GetEnvironmentVariable("WIRE_POSTGRES") is { Length: > 0 } given ? given
            : throw new InvalidOperationException(
                "WIRE_POSTGRES is not set: run ./test.sh, or eval \"$(eng/postgres.sh start)\" before dotnet test.");
        await OnServerAsync($"CREATE DATABASE {name}");
        return new TestDatabase(kind, new NpgsqlConnectionStringBuilder(server) { Database = name }.ConnectionString, async () =>
        {
            NpgsqlConnection.ClearAllPools();
            await OnServerAsync($"DROP DATABASE {name} WITH (FORCE)");
        });

        async Task OnServerAsync(string statement)
        {
            await using var connection = new NpgsqlConnection(server);
            await connection.OpenAsync();
            await using var command = new NpgsqlCommand(statement, connection);
            await command.ExecuteNonQueryAsync();
        }
    }

    public static OutboxStore StoreOf(string kind, string connectionString, OutboxTables? tables = null) => new(
        kind == Sqlite ? OutboxDatabase.Sqlite : OutboxDatabase.PostgreSql, () => Connect(kind, connectionString), tables);

    /// <summary>Opens a connection, which waits for others in short steps.</summary>
    public static DbConnection Connect(string kind, string connectionString)
    {
        if (kind != Sqlite)
        {
            return new NpgsqlConnection(connectionString);
        }

        var connection = new SqliteConnection(connectionString);
        connection.Open();
        using SqliteCommand command = connection.CreateCommand();
        command.CommandText = "PRAGMA busy_timeout = 20000; PRAGMA synchronous = NORMAL";
        command.ExecuteNonQuery();
        return connection;
    }

    public async Task<DbConnection> OpenAsync() => await Store.OpenAsync(CancellationToken.None);

    public DbContextOptionsBuilder Use(DbContextOptionsBuilder options) =>
        Kind == Sqlite ? options.UseSqlite(ConnectionString) : options.UseNpgsql(ConnectionString);

    public async Task ExecuteAsync(string statement)
    {
        await using DbConnection connection = await OpenAsync();
        await using DbCommand command = connection.CreateCommand();
        command.CommandText = statement;
        await command.ExecuteNonQueryAsync();
    }

    public async Task<string?> AskAsync(string statement)
    {
        await using DbConnection connection = await OpenAsync();
        await using DbCommand command = connection.CreateCommand();
        command.CommandText = statement;
        return Convert.ToString(await command.ExecuteScalarAsync(), CultureInfo.InvariantCulture);
    }

    public async Task<int> NumberAsync(string statement) => int.Parse((await AskAsync(statement))!, CultureInfo.InvariantCulture);

    /// <summary>Runs work in a transaction, which is committed.</summary>
    public async Task<T> CommitAsync<T>(Func<DbTransaction, Task<T>> work)
    {
        await using DbConnection connection = await OpenAsync();
        await using DbTransaction transaction = await connection.BeginTransactionAsync();
        T result = await work(transaction);
        await Store.CommitAsync(transaction);
        return result;
    }

    public Task CommitAsync(Func<DbTransaction, Task> work) => CommitAsync(async transaction =>
    {
        await work(transaction);
        return true;
    });

    public ValueTask DisposeAsync() => _drop();
}
