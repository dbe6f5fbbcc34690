using System.Data.Common;
using Microsoft.Data.Sqlite;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Npgsql;
using Wire;
using Wire.RabbitMQ;
using Wire.RabbitMQ.Outbox;

namespace Shop;

/// <summary>An outbox in a host.</summary>
internal static class Hosted
{
    public static async Task RunAsync(Uri uri, string file)
    {
        string queue = $"outbox-{Guid.NewGuid():N}";
        var services = new ServiceCollection();
        var store = new OutboxStore(OutboxDatabase.Sqlite, () => new SqliteConnection($"Data Source={file}"));
        var handled = new TaskCompletionSource();

        #region host
        services.AddWireRabbitMQ(options =>
        {
            options.ConnectionFactory.Uri = uri;
            options.Serializer = new SerializerOptions { TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<ShopMessage>() };
        })
        .UseConventions()
        .AddWireOutbox(store, new OutboxSenderOptions { InboxRetention = TimeSpan.FromDays(30) })
        .AddConsumer(queue, consumer => consumer.Handle<OrderPlaced, BillingHandler>());
        #endregion

        services.AddSingleton(handled);
        await using ServiceProvider provider = services.BuildServiceProvider();
        IHostedLifecycleService[] hosted = [.. provider.GetServices<IHostedService>().Cast<IHostedLifecycleService>()];
        foreach (IHostedService service in hosted)
        {
            await service.StartAsync(default);
        }

        var outbox = provider.GetRequiredService<WireOutbox>();
        await using (DbConnection database = new SqliteConnection($"Data Source={file}"))
        {
            await database.OpenAsync();
            await using DbTransaction transaction = await database.BeginTransactionAsync();
            await outbox.AddAsync(transaction, new OrderPlaced(2, "Bob")); // to the exchange Shop.OrderPlaced
            await store.CommitAsync(transaction);
        }

        await handled.Task;
        foreach (IHostedLifecycleService service in hosted.Reverse())
        {
            await service.StopAsync(default);
        }

        Console.WriteLine("A handler of a host has billed an order, and added a message.");
        WireConnection connection = await provider.GetRequiredService<WireConnections>().GetPublishingAsync();
        await connection.Topology.DeleteQueueAsync(queue);
        await connection.Topology.DeleteQueueAsync($"{queue}.error");
        await connection.Topology.DeleteExchangeAsync(typeof(OrderPlaced).FullName!);
        foreach (IHostedLifecycleService service in hosted.Reverse())
        {
            await service.StoppedAsync(default);
        }
    }

    /// <summary>A store on PostgreSQL.</summary>
    public static OutboxStore StoreOf(string connectionString)
    {
        #region postgresql
        NpgsqlDataSource source = NpgsqlDataSource.Create(connectionString);
        var store = new OutboxStore(OutboxDatabase.PostgreSql, source, new OutboxTables { Schema = "shop" });
        #endregion

        return store;
    }

    #region handler
    internal sealed class BillingHandler(WireInbox inbox, WireOutbox outbox, TaskCompletionSource handled) : IMessageHandler<OrderPlaced>
    {
        public async Task HandleAsync(OrderPlaced order, MessageContext context) => await inbox.HandleAsync(context, async transaction =>
        {
            await BillAsync(order, transaction);
            await outbox.AddAsync(
                transaction, new OrderBilled(order.Number), new PublishOptions { OrderingKey = order.Customer, Mandatory = false });
            handled.TrySetResult();
        });
    }
    #endregion

    private static async Task BillAsync(OrderPlaced order, DbTransaction transaction)
    {
        await using DbCommand command = transaction.Connection!.CreateCommand();
        command.Transaction = transaction;
        command.CommandText = $"INSERT INTO bills VALUES ({order.Number})";
        await command.ExecuteNonQueryAsync();
    }
}
