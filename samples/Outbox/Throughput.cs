using System.Data.Common;
using System.Diagnostics;
using Microsoft.Data.Sqlite;
using Npgsql;
using Quickstart;
using Wire;
using Wire.RabbitMQ;
using Wire.RabbitMQ.Outbox;

namespace Shop;

/// <summary>How many messages a sender sends, beside a publisher that has them in memory.</summary>
internal static class Throughput
{
    private const int Messages = 20_000;
    private const int Rounds = 5;

    public static async Task RunAsync(string uri, string file)
    {
        await using WireConnection connection = await WireConnection.ConnectAsync(uri);
        var serializer = new WireBodySerializer(new SerializerOptions());
        await using var publisher = new WirePublisher(connection, serializer);
        string queue = $"outbox-{Guid.NewGuid():N}";
        await connection.Topology.DeclareQueueAsync(queue);
        var table = new Table();
        table.Add("messages/s", "added", "sent", "published", "sent to published");
        await using var opened = new SqliteConnection($"Data Source={file}");
        await opened.OpenAsync();
        await ExecuteAsync(opened, "PRAGMA journal_mode = WAL");
        await MeasureAsync("SQLite", OutboxDatabase.Sqlite, () => new SqliteConnection($"Data Source={file}"), OutboxTables.Default);
        if (Environment.GetEnvironmentVariable("WIRE_POSTGRES") is { Length: > 0 } server)
        {
            await using NpgsqlDataSource source = NpgsqlDataSource.Create(server);
            var tables = new OutboxTables { Outbox = "sample_outbox", Inbox = "sample_inbox" };
            await MeasureAsync("PostgreSQL", OutboxDatabase.PostgreSql, source.CreateConnection, tables);
            await using NpgsqlConnection dropping = await source.OpenConnectionAsync();
            await ExecuteAsync(dropping, "DROP TABLE sample_outbox, sample_inbox");
        }

        table.Print();
        await connection.Topology.DeleteQueueAsync(queue);

        // The median of rounds, after one that compiles.
        async Task MeasureAsync(string name, OutboxDatabase database, Func<DbConnection> connect, OutboxTables tables)
        {
            var store = new OutboxStore(database, connect, tables);
            await store.EnsureCreatedAsync();
            var outbox = new WireOutbox(store, serializer);
            await using var sender = new OutboxSender(store, publisher);
            var rounds = new List<(double Added, double Sent, double Published)>();
            for (int round = 0; round <= Rounds; round++)
            {
                double added = await TimeAsync(() => AddAsync(connect, outbox, queue));
                double sent = await TimeAsync(() => sender.SendAsync());
                double published = await TimeAsync(() => PublishAsync(publisher, queue));
                await connection.Topology.PurgeQueueAsync(queue);
                rounds.Add((added, sent, published));
            }

            rounds.RemoveAt(0);
            (double add, double send, double publish) = (
                Median(rounds.Select(round => round.Added)),
                Median(rounds.Select(round => round.Sent)),
                Median(rounds.Select(round => round.Published)));
            double ratio = Median(rounds.Select(round => round.Published / round.Sent));
            table.Add(name, $"{Messages / add:N0}", $"{Messages / send:N0}", $"{Messages / publish:N0}", $"{ratio:N2}");
        }
    }

    // Transactions of a hundred.
    private static async Task AddAsync(Func<DbConnection> connect, WireOutbox outbox, string queue)
    {
        await using DbConnection connection = connect();
        await connection.OpenAsync();
        for (int number = 0; number < Messages; number += 100)
        {
            await using DbTransaction transaction = await connection.BeginTransactionAsync();
            for (int i = 0; i < 100; i++)
            {
                await outbox.AddAsync(transaction, "", queue, new OrderPlaced(number + i, "Ada"));
            }

            await transaction.CommitAsync();
        }
    }

    private static Task PublishAsync(WirePublisher publisher, string queue) => Task.WhenAll(
        Enumerable.Range(0, Messages).Select(number => publisher.PublishAsync("", queue, new OrderPlaced(number, "Ada")).AsTask()));

    private static async Task ExecuteAsync(DbConnection connection, string statement)
    {
        await using DbCommand command = connection.CreateCommand();
        command.CommandText = statement;
        await command.ExecuteNonQueryAsync();
    }

    private static double Median(IEnumerable<double> values) => values.Order().ElementAt(Rounds / 2);

    private static async Task<double> TimeAsync(Func<Task> work)
    {
        var watch = Stopwatch.StartNew();
        await work();
        return watch.Elapsed.TotalSeconds;
    }
}
