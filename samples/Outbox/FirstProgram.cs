#region first usings
using System.Data.Common;
using Microsoft.Data.Sqlite;
using Wire;
using Wire.RabbitMQ;
using Wire.RabbitMQ.Outbox;
#endregion

namespace Shop;

/// <summary>The first program of docs/rabbitmq-outbox.md: an order that is saved and sent, and billed once.</summary>
internal static class FirstProgram
{
    public static async Task RunAsync(string uri, string file)
    {
        await ExecuteAsync(file, "CREATE TABLE orders (number INTEGER, customer TEXT); CREATE TABLE bills (number INTEGER)");

        #region first
        await using WireConnection connection = await WireConnection.ConnectAsync(uri); // amqp://guest:guest@localhost/
        var serializer = new WireBodySerializer(new SerializerOptions
        {
            TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<ShopMessage>(), // what a message may name
        });
        await connection.Topology.DeclareQueueAsync("orders");

        var store = new OutboxStore(OutboxDatabase.Sqlite, () => new SqliteConnection($"Data Source={file}"));
        await store.EnsureCreatedAsync(); // wire_outbox and wire_inbox
        var outbox = new WireOutbox(store, serializer);
        var inbox = new WireInbox(store);

        await using var publisher = new WirePublisher(connection, serializer);
        await using var sender = new OutboxSender(store, publisher); // with a logger, in a program
        sender.Start();

        var billed = new TaskCompletionSource();
        await using var consumer = new WireConsumer(connection, serializer, new WireConsumerOptions { Queue = "orders" });
        consumer.HandleOnce<OrderPlaced>(inbox, async (order, context, transaction) =>
        {
            await ExecuteAsync(transaction, $"INSERT INTO bills VALUES ({order.Number})"); // committed when this ends, or not at all
            billed.TrySetResult();
        });
        await consumer.StartAsync();

        await using DbConnection database = new SqliteConnection($"Data Source={file}");
        await database.OpenAsync();
        await using (DbTransaction transaction = await database.BeginTransactionAsync())
        {
            await ExecuteAsync(transaction, "INSERT INTO orders VALUES (1, 'Ada')");
            await outbox.AddAsync(transaction, "", "orders", new OrderPlaced(1, "Ada"));
            await store.CommitAsync(transaction); // both, or neither; and the sender wakes up
        }

        await billed.Task;
        #endregion

        await consumer.StopAsync();
        Console.WriteLine("An order was saved, sent and billed.");
        await connection.Topology.DeleteQueueAsync("orders");
        await connection.Topology.DeleteQueueAsync("orders.error");
    }

    private static async Task ExecuteAsync(DbTransaction transaction, string statement)
    {
        await using DbCommand command = transaction.Connection!.CreateCommand();
        command.Transaction = transaction;
        command.CommandText = statement;
        await command.ExecuteNonQueryAsync();
    }

    private static async Task ExecuteAsync(string file, string statement)
    {
        await using var connection = new SqliteConnection($"Data Source={file}");
        await connection.OpenAsync();
        await using DbTransaction transaction = await connection.BeginTransactionAsync();
        await ExecuteAsync(transaction, statement);
        await transaction.CommitAsync();
    }
}
