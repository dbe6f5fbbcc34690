using System.Text;
using System.Text.Json.Serialization;
using Microsoft.Extensions.Logging;
using RabbitMQ.Client;
using Wire;
using Wire.RabbitMQ;

namespace Shop;

#region context
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, PropertyNameCaseInsensitive = true)]
[JsonSerializable(typeof(OrderPlaced))]
[JsonSerializable(typeof(OrderShipped))]
internal sealed partial class ShopJson : JsonSerializerContext;
#endregion

/// <summary>Messages that are no Wire payloads, as docs/rabbitmq-bodies.md shows them.</summary>
internal static class Bodies
{
    public static async Task RunAsync(Uri uri)
    {
        using ILoggerFactory loggers = LoggerFactory.Create(logging => logging.AddConsole().SetMinimumLevel(LogLevel.Error));
        await using WireConnection connection = await WireConnection.ConnectAsync(uri.ToString());
        string orders = $"bodies-{Guid.NewGuid():N}";
        await connection.Topology.DeclareQueueAsync(orders);
        var options = new SerializerOptions { TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<ShopMessage>() };
        var done = new TaskCompletionSource();
        int left = 3;

        #region formats
        var json = new JsonBodyFormat(ShopJson.Default); // or new JsonBodyFormat(), by reflection
        WireBodySerializer serializer = new WireBodySerializer(options)
            .Writing<OrderPlaced>(json) // orders leave as JSON, everything else as Wire payloads
            .Reading(new TextBodyFormat()); // and texts are read, too
        #endregion

        var consumerOptions = new WireConsumerOptions { Queue = orders };
        await using var consumer = new WireConsumer(connection, serializer, consumerOptions, loggers.CreateLogger<WireConsumer>());

        #region handle
        consumer.Handle<OrderPlaced>((order, context) => Show($"{order.Customer} pays {order.Total} ({context.ContentType})"));
        consumer.Handle<OrderShipped>((order, context) => Show($"{order.Parcels} parcels ({context.ContentType})"));
        consumer.Handle<string>((text, context) => Show($"{text} ({context.ContentType})"));
        #endregion

        Task Show(string line)
        {
            Console.WriteLine($"  {line}");
            if (Interlocked.Decrement(ref left) == 0)
            {
                done.SetResult();
            }

            return Task.CompletedTask;
        }

        try
        {
            await consumer.StartAsync();
            await using var publisher = new WirePublisher(connection, serializer, logger: loggers.CreateLogger<WirePublisher>());
            await publisher.PublishAsync("", orders, new OrderPlaced(Guid.NewGuid(), "Ada", 19.90m));
            await publisher.PublishAsync("", orders, new OrderShipped(Guid.NewGuid(), DateTime.UtcNow, 2));

            // Another program, which has never heard of Wire.
            await using IConnection other = await new ConnectionFactory { Uri = uri }.CreateConnectionAsync();
            await using IChannel channel = await other.CreateChannelAsync();
            var properties = new BasicProperties { ContentType = "text/plain" };
            await channel.BasicPublishAsync("", orders, mandatory: true, properties, Encoding.UTF8.GetBytes("closed on Monday"));
            await done.Task;
            await consumer.StopAsync();
        }
        finally
        {
            await connection.Topology.DeleteQueueAsync(orders);
            await connection.Topology.DeleteQueueAsync($"{orders}.error");
        }
    }

    #region masstransit
    /// <summary>MassTransit's names of exchanges.</summary>
    internal sealed class MassTransitConventions : WireConventions
    {
        public override string ExchangeOf(Type type) => $"{type.Namespace}:{type.Name}";
    }

    internal static WireBodySerializer Moving(SerializerOptions options) => new WireBodySerializer(options)
        .Writing<ShopMessage>(new MassTransitBodyFormat(new JsonBodyFormat())) // as long as there are services that read these
        .Reading(new NServiceBusBodyReader(new JsonBodyFormat()));
    #endregion
}
