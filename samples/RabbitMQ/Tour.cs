using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;
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
        #region connection
        await using WireConnection connection = await WireConnection.ConnectAsync(uri.ToString());
        var serializer = new WireBodySerializer(new SerializerOptions
        {
            TypeFilter = TypeFilter.Default.AllowDerivedFrom<ShopMessage>(), // what a message may name
        });
        #endregion

        string orders = $"shop-{Guid.NewGuid():N}";

        #region declare
        await connection.DeclareQueueAsync(orders, AmqpQueueOptions.Temporary);
        await connection.DeclareExchangeAsync("shop", "topic");
        await connection.BindQueueAsync(orders, "shop", "order.*");
        #endregion

        await PublishAndConsumeAsync(connection, serializer, orders);
        await RequestAsync(connection, serializer);
        await connection.DeleteExchangeAsync("shop");

        #region client
        var factory = new ConnectionFactory { Uri = uri };
        await using WireConnection overClient = await factory.ConnectWireAsync();
        #endregion

        await RequestAsync(overClient, serializer);
        await using IConnection own = await factory.CreateConnectionAsync();
        await using IChannel channel = await own.CreateChannelAsync();
        await OwnChannelAsync(channel, serializer);
        await HostAsync(uri);
    }

    private static async Task PublishAndConsumeAsync(WireConnection connection, WireBodySerializer serializer, string orders)
    {
        #region publish
        await using var publisher = new WirePublisher(connection, serializer);
        await publisher.PublishAsync("", orders, new OrderPlaced(Guid.NewGuid(), "Ada", 19.90m)); // confirmed when it returns

        ShopMessage[] batch = [new GiftPlaced(Guid.NewGuid(), "Bob", 5m, "Happy birthday"), new OrderShipped(Guid.NewGuid(), DateTime.UtcNow, 2)];
        await Task.WhenAll(batch.Select(message => publisher.PublishAsync("", orders, message).AsTask()));
        #endregion

        var all = new TaskCompletionSource();
        int handled = 0;
        void Seen(string what)
        {
            Console.WriteLine($"  {what}");
            if (Interlocked.Increment(ref handled) == 3)
            {
                all.SetResult();
            }
        }

        #region consume
        await using var consumer = new WireConsumer(connection, serializer, new WireConsumerOptions { Queue = orders, MaxConcurrency = 8 });
        consumer.Handle<OrderPlaced>((order, context) =>
        {
            Seen($"{order.GetType().Name} for {order.Customer}, attempt {context.Attempt}"); // GiftPlaced comes here too
            return Task.CompletedTask;
        });
        consumer.Handle<ShopMessage>((message, context) =>
        {
            Seen($"{message.GetType().Name}, with nothing more special to handle it");
            return Task.CompletedTask;
        });
        await consumer.StartAsync();
        #endregion

        await all.Task;

        #region stop
        await consumer.StopAsync(); // handlers that run come to their end, what has not begun stays in the queue
        #endregion
    }

    private static async Task RequestAsync(WireConnection connection, WireBodySerializer serializer)
    {
        string quotes = $"shop-quotes-{Guid.NewGuid():N}";
        await connection.DeclareQueueAsync(quotes, AmqpQueueOptions.Temporary);

        #region request
        await using var responder = new WireConsumer(connection, serializer, new WireConsumerOptions { Queue = quotes });
        responder.Reply<Quote, Price>((quote, context) => Task.FromResult(new Price(quote.Pieces * 1.5m, "EUR")));
        await responder.StartAsync();

        await using var requester = new WireRequester(connection, serializer);
        Price price = await requester.RequestAsync<Quote, Price>("", quotes, new Quote("pencil", 12), timeout: TimeSpan.FromSeconds(5));
        #endregion

        Console.WriteLine($"  12 pencils: {price.Amount} {price.Currency}");
    }

    private static async Task OwnChannelAsync(IChannel channel, WireBodySerializer serializer)
    {
        string queue = (await channel.QueueDeclareAsync()).QueueName;

        #region channel
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
        await channel.BasicConsumeAsync(queue, autoAck: false, consumer);
        await done.Task;
    }

    private static async Task HostAsync(Uri uri)
    {
        var services = new ServiceCollection();
        string queue = $"shop-hosted-{Guid.NewGuid():N}";
        services.AddSingleton<Counter>();

        #region hosting
        services.AddWireRabbitMQ(options =>
        {
            options.ConnectionFactory.Uri = uri;
            options.Serializer = new SerializerOptions { TypeFilter = TypeFilter.Default.AllowDerivedFrom<ShopMessage>() };
        })
        .Declare((topology, token) => topology.DeclareQueueAsync(queue, AmqpQueueOptions.Temporary, token))
        .AddConsumer(queue, consumer => consumer
            .Handle<OrderPlaced, OrderHandler>()
            .Handle<OrderShipped>((shipped, context) => Console.Out.WriteLineAsync($"  {shipped.Parcels} parcels are on their way")));
        #endregion

        // What a generic host does by itself.
        await using ServiceProvider provider = services.BuildServiceProvider();
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

/// <summary>Something that a handler needs.</summary>
internal sealed class Counter
{
    private readonly TaskCompletionSource _counted = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public Task Counted => _counted.Task;

    public void Count() => _counted.TrySetResult();
}

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
