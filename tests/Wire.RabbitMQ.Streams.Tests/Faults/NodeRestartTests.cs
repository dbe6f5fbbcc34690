using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;
using Xunit.Abstractions;

namespace Wire.RabbitMQ.Streams.Tests.Faults;

/// <summary>
/// Nodes that go and come back under a named producer and a named consumer: nothing is lost, nothing comes twice, and all in order.
/// </summary>
public sealed class NodeRestartTests(ITestOutputHelper output)
{
    private const string Stream = "restarted";
    private const int Some = 20_000;

    [Fact]
    public async Task A_node_is_stopped_and_started()
    {
        await using PrivateNode node = await PrivateNode.StartNewAsync();
        await RunAsync(StreamBroker.OptionsOf(node.Node), 1, async () =>
        {
            await node.StopAsync();
            await node.StartAsync();
        });
    }

    [Fact]
    [Trait("Takes", "long")]
    public async Task The_leader_of_three_is_killed_again_and_again()
    {
        await using PrivateCluster cluster = await PrivateCluster.StartNewAsync();
        var killed = new HashSet<int>();
        await RunAsync(StreamBroker.OptionsOf([.. cluster.Nodes]), 4, async () =>
        {
            int leader = await cluster.LeaderAsync(Stream);
            killed.Add(leader);
            await cluster.KillAsync(leader);

            // The two that are left elect another, and go on without it.
            while (await cluster.LeaderAsync(Stream) == leader)
            {
                await Task.Delay(100);
            }

            await cluster.StartAsync(leader);
        });
        Assert.InRange(killed.Count, 2, 3);
    }

    // Harms the nodes some times while it is published and consumed.
    private async Task RunAsync(StreamClientOptions options, int times, Func<Task> harm)
    {
        var producerIsBack = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var consumerIsBack = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var client = new StreamClient(options with
        {
            OnRecovery = recovery =>
            {
                if (recovery.IsBack)
                {
                    (recovery.IsProducer ? producerIsBack : consumerIsBack).TrySetResult();
                }
            },
        });
        await client.CreateStreamAsync(Stream);
        var numbers = new Numbers();
        await using StreamConsumer consumer =
            await client.ConsumeAsync(Stream, numbers.Add, new StreamConsumerOptions { Name = "consumer", Offset = StreamOffset.First });
        long failed = 0;
        await using StreamProducer producer = await client.CreateProducerAsync(Stream, new StreamProducerOptions
        {
            Name = "producer",
            MaxUnconfirmed = 10_000,
            Confirmed = range => failed += range.IsConfirmed ? 0 : 1,
        });
        using var enough = new CancellationTokenSource();
        Task<int> publishing = Task.Run(() => PublishAsync(producer, enough.Token));
        await numbers.ReachAsync(Some);
        for (int i = 0; i < times; i++)
        {
            // It is published all the time: what finds no room waits for the node.
            await harm();
            await numbers.ReachAsync(numbers.Count + Some);
        }

        await enough.CancelAsync();
        int count = await publishing.WaitAsync(Patience.Limit);
        await producer.FlushAsync().WaitAsync(Patience.Limit);
        await numbers.ReachAsync(count);
        Assert.Equal(0, failed);
        Assert.Equal((ulong)count, await client.QuerySequenceAsync("producer", Stream));
        await Task.WhenAll(producerIsBack.Task, consumerIsBack.Task).WaitAsync(Patience.Limit);

        // Behind the last one there is nothing more.
        await producer.SendBytesAsync(ProducerStream.Body(count));
        await numbers.ReachAsync(count + 1);
        await consumer.CloseAsync();
        Assert.Equal(Enumerable.Range(0, count + 1), numbers.All);

        // What the broker stores of producers and consumers takes offsets too.
        Assert.InRange(consumer.Offset!.Value, (ulong)count, (ulong)count + 1000);
        output.WriteLine($"{times} times: {count} published and confirmed, {numbers.Count} delivered, 0 lost, 0 twice");
    }

    private static async Task<int> PublishAsync(StreamProducer producer, CancellationToken enough)
    {
        int next = 0;
        for (; !enough.IsCancellationRequested; next++)
        {
            await producer.EnqueueBytesAsync(ProducerStream.Body(next), cancellationToken: CancellationToken.None);

            // Some at a time: what counts is that there is always something under way.
            if (next % 100 == 0)
            {
                await Task.Delay(1, CancellationToken.None);
            }
        }

        return next;
    }
}
