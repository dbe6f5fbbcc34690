using Microsoft.Extensions.Logging;
using Wire;
using Wire.RabbitMQ;

namespace Shop;

/// <summary>Many objects in one message, as docs/rabbitmq-gathering.md shows it.</summary>
internal static class Gathered
{
    public static async Task RunAsync(Uri uri)
    {
        const int Parcels = 2_000;
        using ILoggerFactory loggers = LoggerFactory.Create(logging => logging.AddConsole().SetMinimumLevel(LogLevel.Error));
        await using WireConnection connection = await WireConnection.ConnectAsync(uri.ToString());
        var serializer = new WireBodySerializer(new SerializerOptions
        {
            TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<ShopMessage>(),
        });
        string queue = $"gathered-{Guid.NewGuid():N}";
        await connection.Topology.DeclareQueueAsync(queue);

        #region gathering
        var options = new WirePublisherOptions().Gathering<OrderShipped>(new GatheringOptions { MaxCount = 500 });
        await using var publisher = new WirePublisher(connection, serializer, options);
        var confirmed = new List<Task>();
        for (int i = 0; i < Parcels; i++)
        {
            confirmed.Add(publisher.PublishAsync("", queue, new OrderShipped(Guid.NewGuid(), DateTime.UtcNow, i)).AsTask());
        }

        await Task.WhenAll(confirmed);
        #endregion

        uint messages = (await connection.Topology.FindQueueAsync(queue))!.MessageCount;
        var done = new TaskCompletionSource();
        int handled = 0;
        await using var consumer = new WireConsumer(
            connection, serializer, new WireConsumerOptions { Queue = queue, OnFailure = FailureAction.DeadLetter },
            loggers.CreateLogger<WireConsumer>());
        consumer.Handle<OrderShipped>((_, _) =>
        {
            if (Interlocked.Increment(ref handled) == Parcels)
            {
                done.SetResult();
            }

            return Task.CompletedTask;
        });
        await consumer.StartAsync();
        await done.Task;
        await consumer.StopAsync();
        await connection.Topology.DeleteQueueAsync(queue);
        Console.WriteLine($"{Parcels:N0} orders were shipped in {(messages < Parcels / 10 ? "a few messages" : $"{messages} messages")}.");
    }
}
