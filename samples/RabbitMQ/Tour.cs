#region services
using Microsoft.Extensions.DependencyInjection;
#endregion
using Microsoft.Extensions.Hosting;
#region logging
using Microsoft.Extensions.Logging;
#endregion
#region client usings
using RabbitMQ.Client;
using RabbitMQ.Client.Events;
#endregion
#region usings
using Wire;
using Wire.Amqp.Client;
using Wire.RabbitMQ;
#endregion

namespace Shop;

/// <summary>A bit of everything, as docs/rabbitmq.md shows it.</summary>
internal static class Tour
{
    public static async Task RunAsync(Uri uri)
    {
        string exchange = $"shop-{Guid.NewGuid():N}";
        string orders = $"{exchange}-orders";

        #region connection
        using ILoggerFactory loggers = LoggerFactory.Create(logging => logging.AddConsole().SetMinimumLevel(LogLevel.Warning));
        await using WireConnection connection = await WireConnection.ConnectAsync(uri.ToString());
        var serializer = new WireBodySerializer(new SerializerOptions
        {
            TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<ShopMessage>(), // what a message may name
        });
        #endregion

        try
        {
            #region declare
            await connection.Topology.DeclareQueueAsync(orders); // durable, as queues are unless told otherwise
            await connection.Topology.DeclareExchangeAsync(exchange, "topic");
            await connection.Topology.BindQueueAsync(orders, exchange, "order.*");
            #endregion

            await PublishAndConsumeAsync(connection, serializer, loggers, exchange, orders);
            await RequestAsync(connection, serializer, loggers);

            #region events
            await using AmqpConnection watched = await AmqpConnection.ConnectAsync(uri.ToString());
            watched.Lost += error => Console.WriteLine($"  {error.Message}");
            watched.Recovered += () => Console.WriteLine("  The connection is back.");
            await using var overWatched = new WirePublisher(watched, serializer, logger: loggers.CreateLogger<WirePublisher>());
            #endregion

            await overWatched.PublishAsync("", orders, new OrderPlaced(Guid.NewGuid(), "Erin", 4m));
            await HostOverLaneAsync(uri, orders);
        }
        finally
        {
            // They would outlive the program, and so would the error queue, which the consumer has declared.
            await connection.Topology.DeleteQueueAsync(orders);
            await connection.Topology.DeleteQueueAsync($"{orders}.error");
            await connection.Topology.DeleteExchangeAsync(exchange);
        }

        #region client
        var factory = new ConnectionFactory { Uri = uri };
        await using WireConnection overClient = await factory.ConnectWireAsync();
        #endregion

        await RequestAsync(overClient, serializer, loggers);
        await OwnChannelAsync(uri, serializer);
        await HostAsync(uri);
    }

    private static async Task PublishAndConsumeAsync(
        WireConnection connection, WireBodySerializer serializer, ILoggerFactory loggers, string exchange, string orders)
    {
        #region publish
        await using var publisher = new WirePublisher(connection, serializer, logger: loggers.CreateLogger<WirePublisher>());
        await publisher.PublishAsync(exchange, "order.placed", new OrderPlaced(Guid.NewGuid(), "Ada", 19.90m)); // confirmed when it returns

        ShopMessage[] batch =
            [new GiftPlaced(Guid.NewGuid(), "Bob", 5m, "Happy birthday"), new OrderShipped(Guid.NewGuid(), DateTime.UtcNow, 2)];
        await Task.WhenAll(batch.Select(message => publisher.PublishAsync("", orders, message).AsTask())); // "": straight to the queue
        #endregion

        #region consume
        int handled = 0;
        var options = new WireConsumerOptions { Queue = orders, MaxConcurrency = 8 };
        await using var consumer = new WireConsumer(connection, serializer, options, loggers.CreateLogger<WireConsumer>());
        consumer.Handle<OrderPlaced>((order, context) =>
        {
            Console.WriteLine($"  {order.GetType().Name} for {order.Customer}, attempt {context.Attempt}"); // GiftPlaced comes here too
            Interlocked.Increment(ref handled); // others run at the same time
            return Task.CompletedTask;
        });
        consumer.Handle<ShopMessage>((message, context) =>
        {
            Console.WriteLine($"  {message.GetType().Name}, with nothing more special to handle it");
            Interlocked.Increment(ref handled);
            return Task.CompletedTask;
        });
        await consumer.StartAsync();
        #endregion

        while (Volatile.Read(ref handled) < 3)
        {
            await Task.Delay(10);
        }

        #region stop
        await consumer.StopAsync(); // handlers that run come to their end, what has not begun stays in the queue
        #endregion
    }

    private static async Task RequestAsync(WireConnection connection, WireBodySerializer serializer, ILoggerFactory loggers)
    {
        string quotes = $"shop-{Guid.NewGuid():N}-quotes";

        #region request
        await connection.Topology.DeclareQueueAsync(quotes, AmqpQueueOptions.Temporary); // goes with this connection
        var options = new WireConsumerOptions { Queue = quotes, OnFailure = FailureAction.DeadLetter }; // no error queue, which would stay
        await using var responder = new WireConsumer(connection, serializer, options, loggers.CreateLogger<WireConsumer>());
        responder.Reply<Quote, Price>((quote, context) => Task.FromResult(new Price(quote.Pieces * 1.5m, "EUR")));
        await responder.StartAsync();

        await using var requester = new WireRequester(connection, serializer, logger: loggers.CreateLogger<WireRequester>());
        Price price = await requester.RequestAsync<Quote, Price>("", quotes, new Quote("pencil", 12), timeout: TimeSpan.FromSeconds(5));
        #endregion

        Console.WriteLine($"  12 pencils: {price.Amount} {price.Currency}");
    }

    private static async Task OwnChannelAsync(Uri uri, WireBodySerializer serializer)
    {
        #region channel
        await using IConnection own = await new ConnectionFactory { Uri = uri }.CreateConnectionAsync();
        await using IChannel channel = await own.CreateChannelAsync();
        string queue = (await channel.QueueDeclareAsync()).QueueName;
        await channel.PublishAsync(serializer, "", queue, new OrderPlaced(Guid.NewGuid(), "Cleo", 7m));

        var consumer = new AsyncEventingBasicConsumer(channel);
        consumer.ReceivedAsync += async (_, delivery) =>
        {
            ShopMessage? message = delivery.Read<ShopMessage>(serializer); // in place: the body is valid during the event
            Console.WriteLine($"  {message}");
            await channel.BasicAckAsync(delivery.DeliveryTag, multiple: false);
        };
        #endregion

        var done = new TaskCompletionSource();
        consumer.ReceivedAsync += (_, _) =>
        {
            done.SetResult();
            return Task.CompletedTask;
        };

        #region channel consumed
        await channel.BasicConsumeAsync(queue, autoAck: false, consumer);
        #endregion

        await done.Task;
    }

    private static async Task HostOverLaneAsync(Uri uri, string orders)
    {
        var services = new ServiceCollection();
        services.AddLogging(logging => logging.AddConsole().SetMinimumLevel(LogLevel.Warning));

        #region host over lane
        services.AddWireRabbitMQ(options =>
        {
            options.ConnectionFactory.Uri = uri;
            options.ConfigureLane = lane => lane with { Writing = FrameWriting.Inline }; // what only Wire.Amqp.Client has
            options.Serializer = new SerializerOptions { TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<ShopMessage>() };
        });
        #endregion

        await using ServiceProvider provider = services.BuildServiceProvider();
        await provider.GetRequiredService<WirePublisher>().PublishAsync("", orders, new OrderPlaced(Guid.NewGuid(), "Finn", 5m));
    }

    private static async Task HostAsync(Uri uri)
    {
        var services = new ServiceCollection();
        services.AddLogging(logging => logging.AddConsole().SetMinimumLevel(LogLevel.Warning)); // as a generic host has it
        string queue = $"shop-{Guid.NewGuid():N}-hosted";

        #region hosting
        services.AddSingleton<Counter>();
        services.AddWireRabbitMQ(options =>
        {
            options.ConnectionFactory.Uri = uri;
            options.Serializer = new SerializerOptions { TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<ShopMessage>() };
        })
        .Declare((topology, token) => topology.DeclareQueueAsync(queue, cancellationToken: token))
        .AddConsumer(queue, consumer => consumer
            .Handle<OrderPlaced, OrderHandler>()
            .Handle<OrderShipped>((shipped, context) => Console.Out.WriteLineAsync($"  {shipped.Parcels} parcels are on their way")));
        #endregion

        await using ServiceProvider provider = services.BuildServiceProvider();
        try
        {
            await RunAsHostAsync(provider, queue);
        }
        finally
        {
            WireConnection connection = await provider.GetRequiredService<WireConnections>().GetConsumingAsync();
            await connection.Topology.DeleteQueueAsync(queue);
            await connection.Topology.DeleteQueueAsync($"{queue}.error");
        }
    }

    // What a generic host does by itself.
    private static async Task RunAsHostAsync(ServiceProvider provider, string queue)
    {
        IHostedService[] hosted = [.. provider.GetServices<IHostedService>()];
        foreach (IHostedService service in hosted)
        {
            await service.StartAsync(default);
        }

        await provider.GetRequiredService<WirePublisher>().PublishAsync("", queue, new OrderPlaced(Guid.NewGuid(), "Dora", 3m));
        await provider.GetRequiredService<Counter>().Counted;
        foreach (IHostedService service in hosted)
        {
            await service.StopAsync(default);
        }
    }
}

#region counter
/// <summary>Something that a handler needs.</summary>
internal sealed class Counter
{
    private readonly TaskCompletionSource _counted = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public Task Counted => _counted.Task;

    public void Count() => _counted.TrySetResult();
}
#endregion

#region handler
internal sealed class OrderHandler(Counter counter) : IMessageHandler<OrderPlaced>
{
    public Task HandleAsync(OrderPlaced order, MessageContext context)
    {
        Console.WriteLine($"  {order.Customer} pays {order.Total}");
        counter.Count();
        return Task.CompletedTask;
    }
}
#endregion
