using Microsoft.Extensions.Logging;
using Wire;
using Wire.Amqp.Client;
using Wire.RabbitMQ;

namespace Shop;

/// <summary>Handlers that fail or decide, as docs/rabbitmq-failures.md shows them.</summary>
internal static class Failures
{
    public static async Task RunAsync(Uri uri)
    {
        using ILoggerFactory loggers = LoggerFactory.Create(logging => logging.AddConsole().SetMinimumLevel(LogLevel.Error));
        await using WireConnection connection = await WireConnection.ConnectAsync(uri.ToString());
        var serializer = new WireBodySerializer(new SerializerOptions
        {
            TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<ShopMessage>(),
        });
        string orders = $"shop-{Guid.NewGuid():N}";
        var shop = new Warehouse();
        try
        {
            await connection.Topology.DeclareQueueAsync(orders, AmqpQueueOptions.Quorum);

            #region retries
            var options = new WireConsumerOptions
            {
                Queue = orders,
                Retry = new RetryPolicy
                {
                    MaxAttempts = 2, // at once, while the message is here
                    Delayed = new DelayedRetryPolicy
                    {
                        MaxRetries = 4,
                        Delay = TimeSpan.FromMilliseconds(250), // 250 ms, 500 ms, 1 s, 2 s
                        DelayFor = e => e is HttpRequestException ? TimeSpan.FromSeconds(1) : null, // null: as above
                    },
                },
                OnException = (e, context) => e switch
                {
                    ArgumentException => MessageOutcome.Fail(e.Message), // no attempt will help
                    _ => null, // as the policy says
                },
            };
            #endregion

            await using var consumer = new WireConsumer(connection, serializer, options, loggers.CreateLogger<WireConsumer>());

            #region outcome
            consumer.Handle<OrderPlaced>(async (order, context) =>
            {
                if (order.Total < 0)
                {
                    return MessageOutcome.Fail("The total is negative."); // to the error queue, with this reason
                }

                if (!shop.IsOpen)
                {
                    return MessageOutcome.Defer(TimeSpan.FromMilliseconds(500)); // again later, and others meanwhile
                }

                await shop.ReserveAsync(order);
                return MessageOutcome.Ack;
            });
            #endregion

            await consumer.StartAsync();
            await using var publisher = new WirePublisher(connection, serializer, logger: loggers.CreateLogger<WirePublisher>());
            await publisher.PublishAsync("", orders, new OrderPlaced(Guid.NewGuid(), "Ada", 10m));
            await publisher.PublishAsync("", orders, new OrderPlaced(Guid.NewGuid(), "Bob", 20m));

            #region later
            await publisher.PublishAsync("", orders, new OrderPlaced(Guid.NewGuid(), "Eve", 30m), new PublishOptions
            {
                NotBefore = DateTimeOffset.UtcNow.AddMilliseconds(300),
            });
            #endregion

            await shop.Done;
            await consumer.StopAsync();
        }
        finally
        {
            foreach (string queue in (string[])[orders, $"{orders}.error", .. Delays.Select(delay => $"{orders}.delay.{delay}")])
            {
                await connection.Topology.DeleteQueueAsync(queue);
            }
        }
    }

    private static string[] Delays => ["100ms", "125ms", "150ms", "200ms", "250ms", "500ms", "1s", "2s"];

    /// <summary>Somewhere where not everything works at once.</summary>
    private sealed class Warehouse
    {
        private readonly TaskCompletionSource _done = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private int _asked;
        private int _tried;
        private int _reserved;

        public Task Done => _done.Task;

        /// <summary>Gets whether it is open, which it is from the second question on.</summary>
        public bool IsOpen => Interlocked.Increment(ref _asked) > 1;

        public Task ReserveAsync(OrderPlaced order)
        {
            if (Interlocked.Increment(ref _tried) <= 2)
            {
                throw new TimeoutException("The warehouse does not answer.");
            }

            Console.WriteLine($"  reserved for {order.Customer}");
            if (Interlocked.Increment(ref _reserved) == 3)
            {
                _done.SetResult();
            }

            return Task.CompletedTask;
        }
    }
}
