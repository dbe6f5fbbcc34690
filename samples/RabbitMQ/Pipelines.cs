using System.Diagnostics;
using Microsoft.Extensions.Logging;
using Wire;
using Wire.RabbitMQ;

namespace Shop;

/// <summary>What stands around handlers, and how messages come to them, as docs/rabbitmq-handlers.md shows it.</summary>
internal static class Pipelines
{
    public static async Task RunAsync(Uri uri)
    {
        using ILoggerFactory loggers = LoggerFactory.Create(logging => logging.AddConsole().SetMinimumLevel(LogLevel.Error));
        await using WireConnection connection = await WireConnection.ConnectAsync(uri.ToString());
        var serializer = new WireBodySerializer(new SerializerOptions
        {
            TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<ShopMessage>(),
        });
        string orders = $"pipelines-{Guid.NewGuid():N}";
        await connection.Topology.DeclareQueueAsync(orders);
        var done = new TaskCompletionSource();
        int left = 20;

        #region publish
        var publishing = new WirePublisherOptions { Middleware = [new Tenant("north")] };
        await using var publisher = new WirePublisher(connection, serializer, publishing, loggers.CreateLogger<WirePublisher>());
        #endregion

        #region order
        var options = new WireConsumerOptions
        {
            Queue = orders,
            OrderingKey = context => context.RawHeaders.TryGetValue("customer", out var key) ? key.ToString() : null,
            MaxConcurrency = 20,
            PrefetchCount = 200, // what waits for its key counts
        };
        #endregion

        await using var consumer = new WireConsumer(connection, serializer, options, loggers.CreateLogger<WireConsumer>());

        #region use
        consumer.Use(async (message, context, next) =>
        {
            long begun = Stopwatch.GetTimestamp();
            await next(message, context);
            Times.Add(message.GetType(), Stopwatch.GetElapsedTime(begun));
        });
        #endregion

        // Of another queue, as a batch would have one message of each key.
        string shipped = $"{orders}-shipped";
        await connection.Topology.DeclareQueueAsync(shipped);
        var toBatch = new WireConsumerOptions { Queue = shipped, MaxConcurrency = 20 };
        await using var batches = new WireConsumer(connection, serializer, toBatch, loggers.CreateLogger<WireConsumer>());

        #region batch
        batches.HandleBatch<OrderShipped>(
            async (batch, cancellationToken) =>
            {
                await Store.InsertAsync(batch.Select(delivery => delivery.Message), cancellationToken);
                foreach (Delivery<OrderShipped> delivery in batch.Where(delivery => delivery.Message.Parcels < 0))
                {
                    delivery.Context.Outcome = MessageOutcome.Fail("No order has so few parcels."); // this one alone
                }
            },
            new BatchOptions { MaxCount = 10, MaxDelay = TimeSpan.FromMilliseconds(50) });
        #endregion

        consumer.Handle<OrderPlaced>((_, _) =>
        {
            if (Interlocked.Decrement(ref left) == 0)
            {
                done.SetResult();
            }

            return Task.CompletedTask;
        });
        try
        {
            await consumer.StartAsync();
            await batches.StartAsync();
            for (int i = 0; i < 20; i++)
            {
                string customer = i % 2 == 0 ? "Ada" : "Bob";
                var keyed = new PublishOptions { Headers = new Dictionary<string, object?> { ["customer"] = customer } };
                await publisher.PublishAsync("", orders, new OrderPlaced(Guid.NewGuid(), customer, i), keyed);
                await publisher.PublishAsync("", shipped, new OrderShipped(Guid.NewGuid(), DateTime.UtcNow, i));
            }

            await done.Task;
            await consumer.StopAsync();
            await batches.StopAsync();
            Console.WriteLine($"  {Times.Count} messages were timed");
            await publisher.PublishAsync("", orders, new OrderPlaced(Guid.NewGuid(), "Ada", 1m));
            await ReadAsync(connection, serializer, orders);
        }
        finally
        {
            foreach (string queue in (string[])[orders, shipped])
            {
                await connection.Topology.DeleteQueueAsync(queue);
                await connection.Topology.DeleteQueueAsync($"{queue}.error");
            }
        }
    }

    private static async Task ReadAsync(WireConnection connection, WireBodySerializer serializer, string orders)
    {
        #region loop
        await using var reader = new WireConsumer(
            connection, serializer, new WireConsumerOptions { Queue = orders, MaxConcurrency = 1 });
        await foreach ((OrderPlaced order, MessageContext context) in reader.ReadAllAsync<OrderPlaced>())
        {
            Console.WriteLine($"  {order.Customer} of {context.Headers["tenant"]}"); // acknowledged with the next
            context.Outcome = MessageOutcome.Ack; // or here, as this one is the last
            break;
        }
        #endregion
    }

    #region tenant
    /// <summary>Adds a header to every message.</summary>
    internal sealed class Tenant(string name) : IPublishMiddleware
    {
        public ValueTask PublishAsync(Publication publication, PublishHandler next, CancellationToken cancellationToken)
        {
            PublishOptions options = publication.Options ?? new PublishOptions();
            var headers = new Dictionary<string, object?>(options.Headers ?? new Dictionary<string, object?>()) { ["tenant"] = name };
            return next(publication with { Options = options with { Headers = headers } }, cancellationToken);
        }
    }
    #endregion

    private static class Store
    {
        public static Task InsertAsync(IEnumerable<OrderShipped> shipped, CancellationToken cancellationToken) =>
            Task.Delay(shipped.Any() ? 1 : 0, cancellationToken);
    }

    private static class Times
    {
        private static int _count;

        public static int Count => _count;

        public static void Add(Type type, TimeSpan time) => _count += time > TimeSpan.Zero && type.IsClass ? 1 : 0;
    }
}
