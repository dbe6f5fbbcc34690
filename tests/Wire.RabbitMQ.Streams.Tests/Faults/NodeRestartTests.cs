using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Streams.Tests.Faults;

/// <summary>A node that is stopped and started again under a named producer and a named consumer.</summary>
public sealed class NodeRestartTests
{
    private const int Some = 20_000;

    [Fact]
    public async Task Nothing_is_lost_nothing_comes_twice_and_all_in_order()
    {
        await using PrivateNode node = await PrivateNode.StartNewAsync();
        var producerIsBack = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var consumerIsBack = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var client = new StreamClient(StreamBroker.OptionsOf(node.Node) with
        {
            OnRecovery = recovery =>
            {
                if (recovery.IsBack)
                {
                    (recovery.IsProducer ? producerIsBack : consumerIsBack).TrySetResult();
                }
            },
        });
        const string Stream = "restarted";
        await client.CreateStreamAsync(Stream);
        var numbers = new Numbers();
        await using StreamConsumer consumer = await client.ConsumeAsync(Stream, numbers.Add, new StreamConsumerOptions { Name = "consumer", Offset = StreamOffset.First });
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
        await node.StopAsync();

        // It is published all the time: what finds no room waits for the node.
        await node.StartAsync();
        await numbers.ReachAsync(numbers.Count + Some);
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
