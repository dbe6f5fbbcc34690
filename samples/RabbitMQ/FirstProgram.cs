#region first usings
using Microsoft.Extensions.Logging;
using Wire;
using Wire.RabbitMQ;
#endregion

namespace Shop;

/// <summary>The first program of docs/rabbitmq.md: an order out, and in again.</summary>
internal static class FirstProgram
{
    public static async Task RunAsync(string uri)
    {
        #region first
        using ILoggerFactory loggers = LoggerFactory.Create(logging => logging.AddConsole().SetMinimumLevel(LogLevel.Warning));
        await using WireConnection connection = await WireConnection.ConnectAsync(uri); // amqp://guest:guest@localhost/
        var serializer = new WireBodySerializer(new SerializerOptions
        {
            TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<ShopMessage>(), // what a message may name
        });
        await connection.Topology.DeclareQueueAsync("orders");

        var handled = new TaskCompletionSource();
        var options = new WireConsumerOptions { Queue = "orders" };
        await using var consumer = new WireConsumer(connection, serializer, options, loggers.CreateLogger<WireConsumer>());
        consumer.Handle<OrderPlaced>((order, context) =>
        {
            Console.WriteLine($"{order.Customer} pays {order.Total}");
            handled.TrySetResult();
            return Task.CompletedTask; // now the message is acknowledged
        });
        await consumer.StartAsync();

        await using var publisher = new WirePublisher(connection, serializer, logger: loggers.CreateLogger<WirePublisher>());
        await publisher.PublishAsync("", "orders", new OrderPlaced(Guid.NewGuid(), "Ada", 19.90m)); // the broker has it
        await handled.Task;
        #endregion

        await consumer.StopAsync();
        await connection.Topology.DeleteQueueAsync("orders");
        await connection.Topology.DeleteQueueAsync("orders.error");
    }
}
