using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Wire;
using Wire.Amqp.Client;
using Wire.RabbitMQ;

namespace Shop;

/// <summary>Exchanges and queues by the types of messages, as docs/rabbitmq-topology.md shows them.</summary>
internal static class Conventions
{
    public static async Task RunAsync(Uri uri)
    {
        var services = new ServiceCollection();
        services.AddLogging(logging => logging.AddConsole().SetMinimumLevel(LogLevel.Error));

        #region conventions
        WireRabbitMQBuilder shop = services.AddWireRabbitMQ(options =>
        {
            options.ConnectionFactory.Uri = uri;
            options.Serializer = new SerializerOptions { TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<ShopMessage>() };
        })
        .UseConventions(WireConventions.WithBases)
        .AddConsumer(
            new WireConsumerOptions { Queue = "billing", QueueOptions = AmqpQueueOptions.Quorum with { MaxLength = 100_000 } },
            consumer => consumer.Handle<OrderPlaced>((order, context) => Console.Out.WriteLineAsync($"  billed: {order.Total}")))
        .AddConsumer("audit", consumer => consumer.Handle<ShopMessage>(
            (message, context) => Console.Out.WriteLineAsync($"  written down: {message.GetType().Name}"))); // each kind of it
        Console.WriteLine(shop.DescribeTopology());
        #endregion

        await using ServiceProvider provider = services.BuildServiceProvider();
        IHostedService[] hosted = [.. provider.GetServices<IHostedService>()];
        foreach (IHostedService service in hosted)
        {
            await service.StartAsync(default);
        }

        var publisher = provider.GetRequiredService<WirePublisher>();

        #region publish by type
        await publisher.PublishAsync(new OrderPlaced(Guid.NewGuid(), "Ada", 19.90m)); // to the exchange Shop.OrderPlaced
        #endregion

        WireConnection connection = await provider.GetRequiredService<WireConnections>().GetPublishingAsync();
        await DeclareAsync(connection.Topology);
        foreach (IHostedService service in hosted)
        {
            await service.StopAsync(default); // when what is handled has been
        }

        await CleanAsync(uri);
    }

    private static async Task DeclareAsync(IAmqpTopology broker)
    {
        #region topology
        WireTopology topology = new WireTopology()
            .AddExchange("shop", "topic")
            .AddQueue("late-orders", new AmqpQueueOptions
            {
                MessageTtl = TimeSpan.FromHours(1),
                DeadLetterExchange = "shop",
                DeadLetterRoutingKey = "order.expired",
            })
            .BindQueue("late-orders", "shop", "order.late");
        await topology.DeclareAsync(broker); // as often as one likes
        #endregion
    }

    private static async Task CleanAsync(Uri uri)
    {
        await using WireConnection connection = await WireConnection.ConnectAsync(uri.ToString());
        foreach (string queue in (string[])["billing", "billing.error", "audit", "audit.error", "late-orders"])
        {
            await connection.Topology.DeleteQueueAsync(queue);
        }

        foreach (string exchange in (string[])["shop", "Shop.OrderPlaced", "Shop.ShopMessage"])
        {
            await connection.Topology.DeleteExchangeAsync(exchange);
        }
    }
}
