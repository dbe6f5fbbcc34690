using System.Collections.Concurrent;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;
using RabbitMQ.Client.Exceptions;
using Wire.RabbitMQ.Tests.Consuming;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Testing;

/// <summary>Which queues outlive a kill of their node, whatever client declared them: what docs/reference/brokers.md advises.</summary>
[Collection(nameof(PrivateNode))]
public sealed class QueueKillTests(PrivateNode node)
{
    private const int Messages = 3;

    private static readonly CreateChannelOptions Confirmed =
        new(publisherConfirmationsEnabled: true, publisherConfirmationTrackingEnabled: true);

    /// <summary>All brokers have written a declaration after two seconds, and none of them says when.</summary>
    [Fact]
    public async Task Queues_of_all_kinds_keep_what_was_confirmed_two_seconds_after_they_were_declared()
    {
        string[] kinds = ["classic", "quorum", "stream"];
        string[] queues = [.. kinds.Select(kind => Broker.UniqueName(kind))];
        ConnectionFactory factory = node.Node.Factory();
        factory.AutomaticRecoveryEnabled = false;
        await using (IConnection connection = await factory.CreateConnectionAsync().InTime())
        await using (IChannel channel = await connection.CreateChannelAsync(Confirmed).InTime())
        {
            foreach ((string kind, string queue) in kinds.Zip(queues))
            {
                var arguments = new Dictionary<string, object?> { ["x-queue-type"] = kind };
                await channel.QueueDeclareAsync(queue, durable: true, exclusive: false, autoDelete: false, arguments).InTime();
            }

            await Task.Delay(TimeSpan.FromSeconds(2));
            foreach (string queue in queues)
            {
                for (byte i = 0; i < Messages; i++)
                {
                    await channel.BasicPublishAsync(
                        "", queue, mandatory: true, new BasicProperties { Persistent = true }, new byte[] { i }).AsTask().InTime();
                }
            }

            await node.KillAsync();
        }

        await node.StartAsync();
        await using IConnection after = await factory.CreateConnectionAsync().InTime();
        foreach ((string kind, string queue) in kinds.Zip(queues))
        {
            var arguments = new Dictionary<string, object?>();
            if (kind == "stream")
            {
                arguments.Add("x-stream-offset", "first");
            }

            IEnumerable<byte>? taken = null;
            await ConsumerBench.Until(async () => (taken = await TakeAsync(after, queue, arguments)) is not null);
            Assert.Equal([0, 1, 2], taken);
        }
    }

    // Null where the node, which takes connections before it has started each of its queues, calls it a queue of a node that is down.
    private static async Task<IEnumerable<byte>?> TakeAsync(IConnection connection, string queue, Dictionary<string, object?> arguments)
    {
        await using IChannel channel = await connection.CreateChannelAsync().InTime();
        await channel.BasicQosAsync(0, 10, global: false).InTime();
        var taken = new ConcurrentQueue<byte>();
        var all = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var consumer = new AsyncEventingBasicConsumer(channel);
        consumer.ReceivedAsync += (_, delivery) =>
        {
            taken.Enqueue(delivery.Body.Span[0]);
            if (taken.Count == Messages)
            {
                all.SetResult();
            }

            return Task.CompletedTask;
        };
        try
        {
            await channel.BasicConsumeAsync(queue, false, "", false, false, arguments, consumer).InTime();
        }
        catch (OperationInterruptedException e) when (e.Message.Contains("is down or inaccessible", StringComparison.Ordinal))
        {
            return null;
        }

        await all.Task.InTime();
        await channel.QueueDeleteAsync(queue).InTime();
        return taken;
    }
}
