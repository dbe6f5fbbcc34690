using System.Data.Common;
using System.Globalization;
using Wire.RabbitMQ.Outbox.Tests.Testing;

namespace Wire.RabbitMQ.Outbox.Tests.Killing;

/// <summary>
/// A shop that takes orders, bills and ships them, all with one database, until it is killed: with the rows of one step it adds the message
/// of the next.
/// </summary>
internal static class KilledShop
{
    /// <summary>The tables, without a key that would refuse what comes twice.</summary>
    public const string Tables =
        "CREATE TABLE orders (number INTEGER); CREATE TABLE billed (number INTEGER); CREATE TABLE shipped (number INTEGER)";

    /// <summary>Runs the shop.</summary>
    /// <param name="arguments">The kind of database, its connection string, the broker, the prefix of queues, the last order.</param>
    public static async Task RunAsync(string[] arguments)
    {
        (string kind, string connectionString, string broker, string prefix) = (arguments[0], arguments[1], arguments[2], arguments[3]);
        int last = int.Parse(arguments[4], CultureInfo.InvariantCulture);
        OutboxStore store = TestDatabase.StoreOf(kind, connectionString);
        var outbox = new WireOutbox(store, Shop.Serializer);
        var inbox = new WireInbox(store);
        await using WireConnection connection = await WireConnection.ConnectAsync(broker);
        await using var publisher = new WirePublisher(connection, Shop.Serializer);
        await using var sender = new OutboxSender(store, publisher, new OutboxSenderOptions
        {
            ClaimTime = TimeSpan.FromSeconds(2),
            PollInterval = TimeSpan.FromMilliseconds(100),
            RetryPause = TimeSpan.FromMilliseconds(100),
        });
        await using WireConsumer billing = await ConsumeAsync<OrderPlaced>($"{prefix}.billing", async (order, transaction) =>
        {
            await InsertAsync(transaction, "billed", order.Number);
            await outbox.AddAsync(transaction, "", $"{prefix}.shipping", new OrderBilled(order.Number));
        });
        await using WireConsumer shipping = await ConsumeAsync<OrderBilled>(
            $"{prefix}.shipping", (order, transaction) => InsertAsync(transaction, "shipped", order.Number));
        sender.Start();

        await using DbConnection database = await store.OpenAsync(CancellationToken.None);
        int number = await CountAsync(database, "orders");
        while (number < last)
        {
            await using DbTransaction transaction = await database.BeginTransactionAsync();
            await InsertAsync(transaction, "orders", ++number);
            await outbox.AddAsync(
                transaction, "", $"{prefix}.billing", new OrderPlaced(number, "Ada"),
                number % 8 == 0 ? new PublishOptions { OrderingKey = $"{number % 3}" } : null);
            await store.CommitAsync(transaction);
            Say("taken");

            // SQLite has one writer at a time, and its lock is not fair.
            await Task.Delay(1);
        }

        await Task.Delay(Timeout.Infinite);

        async Task<WireConsumer> ConsumeAsync<T>(string queue, Func<T, DbTransaction, Task> handle)
        {
            var options = new WireConsumerOptions { Queue = queue, MaxConcurrency = 4, PrefetchCount = 50 };
            var consumer = new WireConsumer(connection, Shop.Serializer, options);
            consumer.Handle<T>(async (message, context) =>
            {
                await inbox.HandleAsync(context, transaction => handle(message, transaction), context.CancellationToken);
                Say(typeof(T).Name);
            });
            await consumer.StartAsync();
            return consumer;
        }
    }

    // A line for each commit, after it: the one who kills counts them.
    private static void Say(string step) => Console.WriteLine(step);

    private static async Task<int> CountAsync(DbConnection database, string table)
    {
        await using DbCommand command = database.CreateCommand();
        command.CommandText = $"SELECT COUNT(*) FROM {table}";
        return Convert.ToInt32(await command.ExecuteScalarAsync(), CultureInfo.InvariantCulture);
    }

    private static async Task InsertAsync(DbTransaction transaction, string table, int number)
    {
        await using DbCommand command = transaction.Connection!.CreateCommand();
        command.Transaction = transaction;
        command.CommandText = $"INSERT INTO {table} (number) VALUES ({number.ToString(CultureInfo.InvariantCulture)})";
        await command.ExecuteNonQueryAsync();
    }
}
