using Wire.Amqp.Client;
using Wire.RabbitMQ.Streams;

namespace Sensors;

/// <summary>A stream in several partitions.</summary>
internal static class SuperStreams
{
    private const int Readings = 30;

    public static async Task RunAsync(StreamClient client, Uri uri)
    {
        string name = $"sensors-{Guid.NewGuid():N}";
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(AmqpConnectionOptions.Parse(uri));
        await using AmqpChannel channel = await connection.OpenChannelAsync();
        string[] partitions = [.. Enumerable.Range(0, 3).Select(i => $"{name}-{i}")];
        await DeclareAsync(client, channel, name, partitions);
        try
        {
            await UseAsync(client, name);
        }
        finally
        {
            await channel.Topology.DeleteExchangeAsync(name);
            foreach (string partition in partitions)
            {
                await client.DeleteStreamAsync(partition);
            }
        }
    }

    // With RabbitMQ 3.13 and later: await client.CreateSuperStreamAsync(name, partitions: 3)
    private static async Task DeclareAsync(StreamClient client, AmqpChannel channel, string name, string[] partitions)
    {
        #region declare
        await channel.Topology.DeclareExchangeAsync(
            name, "direct", new AmqpExchangeOptions { Arguments = new Dictionary<string, object?> { ["x-super-stream"] = true } });
        for (int i = 0; i < partitions.Length; i++)
        {
            await client.CreateStreamAsync(partitions[i]);
            var order = new Dictionary<string, object?> { ["x-stream-partition-order"] = i };
            await channel.Topology.BindQueueAsync(partitions[i], name, $"{i}", order);
        }
        #endregion
    }

    private static async Task UseAsync(StreamClient client, string name)
    {
        #region super stream
        await using SuperStreamProducer producer = await client.CreateSuperStreamProducerAsync(name);
        for (int i = 0; i < Readings; i++)
        {
            int sensor = i % 10;
            await producer.EnqueueAsync($"sensor-{sensor}", new Temperature(sensor, i, 20)); // readings of a sensor stay in their order
        }

        await producer.FlushAsync();
        #endregion

        int left = Readings;
        var done = new TaskCompletionSource();
        var found = new int[3];
        #region super stream consume
        await using SuperStreamConsumer consumer = await client.ConsumeSuperStreamAsync<Reading>(
            name,
            (reading, message) =>
            {
                Interlocked.Increment(ref found[message.Stream[^1] - '0']); // several partitions side by side
                if (Interlocked.Decrement(ref left) == 0)
                {
                    done.SetResult();
                }

                return ValueTask.CompletedTask;
            },
            new StreamConsumerOptions { Offset = StreamOffset.First });
        #endregion
        await await Task.WhenAny(done.Task, consumer.Completion);
        await FewThreadsAsync(client, name);
        Console.WriteLine($"  {string.Join(" + ", found)} readings in three partitions");
    }

    private static async Task FewThreadsAsync(StreamClient client, string name)
    {
        int left = Readings;
        var done = new TaskCompletionSource();
        #region few threads
        await using SuperStreamConsumer consumer = await client.ConsumeSuperStreamAsync<Reading>(
            name,
            (reading, message) =>
            {
                if (Interlocked.Decrement(ref left) == 0)
                {
                    done.SetResult();
                }

                return ValueTask.CompletedTask;
            },
            new StreamConsumerOptions { Offset = StreamOffset.First, MaxConcurrency = 2 }); // two threads for all partitions
        #endregion
        await await Task.WhenAny(done.Task, consumer.Completion);
    }
}
