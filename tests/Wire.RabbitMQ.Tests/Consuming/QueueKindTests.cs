using System.Collections.Concurrent;
using RabbitMQ.Client;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Consuming;

/// <summary>Queues of every kind, on a connection whose settings are not the usual ones.</summary>
public abstract class QueueKindTests(WireTransport transport)
{
    [Theory]
    [InlineData("classic")]
    [InlineData("quorum")]
    [InlineData("stream")]
    public async Task Each_message_is_handled_once_and_in_order_also_where_the_connection_dispatches_side_by_side(string kind)
    {
        const int Count = 500;
        string queue = Broker.UniqueName("kind");
        ConnectionFactory factory = Broker.Node.Factory();
        factory.ConsumerDispatchConcurrency = 8;
        factory.TopologyRecoveryEnabled = false;
        await using IConnection connection = await factory.CreateConnectionAsync().InTime();
        await using TestConnection tested = await TestConnection.ConnectAsync(transport, factory);
        await using IChannel channel = await connection.CreateChannelAsync().InTime();
        await channel.QueueDeclareAsync(
            queue,
            durable: true,
            exclusive: false,
            autoDelete: false,
            new Dictionary<string, object?> { ["x-queue-type"] = kind }).InTime();
        try
        {
            await using var publisher = tested.Publisher(Shop.Serializer);
            for (int i = 0; i < Count; i++)
            {
                _ = publisher.PublishAsync("", queue, i, new PublishOptions { OrderingKey = "one" }).AsTask();
            }

            await publisher.PublishAsync("", queue, Count, new PublishOptions { OrderingKey = "one" }).AsTask().InTime();
            var handled = new ConcurrentQueue<int>();
            var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            var options = new WireConsumerOptions
            {
                Queue = queue,
                MaxConcurrency = 1,
                PrefetchCount = 20,
                OnFailure = FailureAction.DeadLetter,
                Arguments = kind == "stream" ? new Dictionary<string, object?> { ["x-stream-offset"] = "first" } : null,
            };
            await using WireConsumer consumer = tested.Consumer(Shop.Serializer, options).Handle<int>((number, _) =>
            {
                handled.Enqueue(number);
                if (number == Count)
                {
                    done.SetResult();
                }

                return Task.CompletedTask;
            });
            await consumer.StartAsync().InTime();
            await done.Task.InTime();
            await consumer.StopAsync().InTime();
            Assert.Equal(Enumerable.Range(0, Count + 1), handled);
        }
        finally
        {
            await channel.QueueDeleteAsync(queue).InTime();
        }
    }
}

/// <inheritdoc/>
public sealed class QueueKindTestsOnClient() : QueueKindTests(WireTransport.Client);

/// <inheritdoc/>
public sealed class QueueKindTestsOnLane() : QueueKindTests(WireTransport.DirectLane);
