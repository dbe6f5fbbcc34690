using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Wire;
using Wire.Amqp.Client;
using Wire.RabbitMQ;

namespace Parcels;

/// <summary>Publishers, consumers and requesters of Wire.RabbitMQ, over the direct lane.</summary>
internal static class OverTheLane
{
    public static async Task RunAsync(AmqpConnection publishing, AmqpConnection consuming)
    {
        await using AmqpChannel topology = await consuming.OpenChannelAsync();
        string queue = $"parcels-{Guid.NewGuid():N}";
        await topology.Topology.DeclareQueueAsync(queue, AmqpQueueOptions.Temporary);
        var came = new TaskCompletionSource();
        void Seen(ParcelArrived parcel)
        {
            Console.WriteLine($"  {parcel.Number} has arrived");
            came.SetResult();
        }

        using ILoggerFactory loggers = LoggerFactory.Create(logging => logging.AddConsole().SetMinimumLevel(LogLevel.Warning));
        var serializer = new WireBodySerializer(new SerializerOptions
        {
            TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<ParcelMessage>(),
        });
        await using var publisher = new WirePublisher(publishing, serializer, logger: loggers.CreateLogger<WirePublisher>());
        await using var requester = new WireRequester(publishing, serializer, logger: loggers.CreateLogger<WireRequester>());

        // An error queue would outlive the queue, which goes with its connection.
        var options = new WireConsumerOptions { Queue = queue, OnFailure = FailureAction.DeadLetter };
        await using var consumer = new WireConsumer(consuming, serializer, options, loggers.CreateLogger<WireConsumer>());
        consumer.Handle<ParcelArrived>((parcel, context) =>
        {
            Seen(parcel);
            return Task.CompletedTask;
        });
        consumer.Reply<ParcelSent, ParcelArrived>((parcel, context) => Task.FromResult(new ParcelArrived(parcel.Number, DateTime.UtcNow)));
        await consumer.StartAsync();
        await publisher.PublishAsync("", queue, new ParcelArrived(1, DateTime.UtcNow));
        await came.Task;
        ParcelArrived reply = await requester.RequestAsync<ParcelSent, ParcelArrived>(
            "", queue, new ParcelSent(2, "Ada", 2.5), timeout: TimeSpan.FromSeconds(5));
        Console.WriteLine($"  {reply.Number} has arrived, as was asked");
    }

    public static async Task HostAsync(Uri uri)
    {
        string queue = $"parcels-hosted-{Guid.NewGuid():N}";
        var came = new TaskCompletionSource<ParcelMessage>();
        var services = new ServiceCollection();
        services.AddLogging(logging => logging.AddConsole().SetMinimumLevel(LogLevel.Warning));

        services.AddWireRabbitMQ(options =>
        {
            options.ConnectionFactory.Uri = uri;
            options.ConfigureLane = lane => lane with { Writing = FrameWriting.Inline }; // what only the lane has
            options.Serializer = new SerializerOptions { TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<ParcelMessage>() };
        })
        .Declare((topology, token) => topology.DeclareQueueAsync(queue, new AmqpQueueOptions { Durable = false, AutoDelete = true }, token))
        .AddConsumer(
            new WireConsumerOptions { Queue = queue, OnFailure = FailureAction.DeadLetter },
            consumer => consumer.Handle<ParcelMessage>((parcel, context) =>
            {
                came.SetResult(parcel);
                return Task.CompletedTask;
            }));

        // What a generic host does by itself.
        await using ServiceProvider provider = services.BuildServiceProvider();
        IHostedService[] hosted = [.. provider.GetServices<IHostedService>()];
        foreach (IHostedService service in hosted)
        {
            await service.StartAsync(default);
        }

        await provider.GetRequiredService<WirePublisher>().PublishAsync("", queue, new ParcelSent(3, "Bob", 1));
        Console.WriteLine($"  {(await came.Task).Number} came in a host");
        foreach (IHostedService service in hosted)
        {
            await service.StopAsync(default);
        }
    }
}
