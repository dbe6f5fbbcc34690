using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Streams.Tests.Faults;

/// <summary>What is left of producers, consumers and clients that have been closed, in any order: no threads.</summary>
[Collection(nameof(RunAlone))]
public sealed class LeftoverTests
{
    private const int Rounds = 50;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Producers_and_consumers_leave_no_threads_behind(bool clientFirst)
    {
        await using TestStream stream = await TestStream.CreateAsync();
        await stream.PublishNumbersAsync(0, 1000);
        await RoundAsync(stream.Name, clientFirst);
        int before = await SettledAsync(int.MaxValue);
        for (int i = 0; i < Rounds; i++)
        {
            await RoundAsync(stream.Name, clientFirst);
        }

        int after = await SettledAsync(before);
        Assert.True(after <= before, $"There were {before} threads of clients, and now there are {after}.");
    }

    private static async Task RoundAsync(string stream, bool clientFirst)
    {
        var client = new StreamClient(StreamBroker.Options);
        var numbers = new Numbers();
        StreamConsumer consumer = await client.ConsumeAsync(stream, numbers.Add, new StreamConsumerOptions { Offset = StreamOffset.First });
        StreamProducer producer = await client.CreateProducerAsync(stream, new StreamProducerOptions { Confirmed = _ => { } });
        await producer.SendBytesAsync(ProducerStream.Body(0));
        await numbers.ReachAsync(1);
        Assert.InRange(Count(), 5, int.MaxValue);
        Task closing = clientFirst ? client.DisposeAsync().AsTask() : Task.WhenAll(consumer.CloseAsync(), producer.DisposeAsync().AsTask());
        if (clientFirst)
        {
            await closing.WaitAsync(Patience.Limit);
        }

        // All at once, and twice.
        await Task.WhenAll(
            closing,
            client.DisposeAsync().AsTask(),
            consumer.CloseAsync(),
            consumer.DisposeAsync().AsTask(),
            producer.DisposeAsync().AsTask(),
            producer.DisposeAsync().AsTask()).WaitAsync(Patience.Limit);
        Assert.True(consumer.Completion.IsCompleted);
    }

    // Threads end a moment after what they have done: waits until there are no more than so many, or their number stays.
    private static async Task<int> SettledAsync(int enough)
    {
        using var time = new CancellationTokenSource(TimeSpan.FromSeconds(30));
        int last = Count();
        for (int same = 0; !time.IsCancellationRequested && (enough == int.MaxValue ? same < 20 : last > enough);)
        {
            await Task.Delay(50);
            int now = Count();
            same = now == last ? same + 1 : 0;
            last = now;
        }

        return last;
    }

    // The system has the first 15 characters of their names.
    private static int Count() => Directory.GetDirectories("/proc/self/task").Count(thread =>
    {
        try
        {
            return File.ReadAllText(Path.Combine(thread, "comm")).StartsWith("Streams,", StringComparison.Ordinal);
        }
        catch (IOException)
        {
            // It has ended meanwhile.
            return false;
        }
    });
}
