using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;
using Wire.Transport;

namespace Wire.RabbitMQ.Streams.Tests;

/// <summary>A producer on the real broker whose connection, or stream, goes away.</summary>
public sealed class StreamProducerRecoveryTests
{
    private const int Many = 5_000;

    [Fact]
    public async Task Sends_under_a_name_do_not_notice_that_the_connection_was_cut()
    {
        await using var proxy = new FaultProxy(Broker.Node.StreamUri);
        await using ProducerStream stream = await ProducerStream.CreateAsync(StreamBroker.Through(proxy));
        await using StreamProducer producer =
            await stream.Client.CreateProducerAsync(stream.Name, new StreamProducerOptions { Name = "n" });
        var tasks = new List<Task>();
        for (int i = 0; i < Many; i++)
        {
            if (i % 1_000 == 500)
            {
                proxy.CutAll();
            }

            tasks.Add(producer.SendBytesAsync(ProducerStream.Body(i)).AsTask());
        }

        await Task.WhenAll(tasks).WaitAsync(Patience.Limit);
        await stream.AssertNumbersAsync(0, Many);
    }

    [Fact]
    public async Task Without_a_name_what_was_under_way_fails_or_is_stored()
    {
        await using var proxy = new FaultProxy(Broker.Node.StreamUri);
        await using ProducerStream stream = await ProducerStream.CreateAsync(StreamBroker.Through(proxy));
        await using StreamProducer producer = await stream.Client.CreateProducerAsync(stream.Name);
        var tasks = new List<Task>();
        for (int i = 0; i < Many; i++)
        {
            if (i == Many / 2)
            {
                proxy.CutAll();
            }

            tasks.Add(producer.SendBytesAsync(ProducerStream.Body(i)).AsTask());
        }

        await Task.WhenAll(tasks).ContinueWith(_ => { }, TaskScheduler.Default).WaitAsync(Patience.Limit);
        HashSet<string> stored = [.. (await stream.ReadAsync()).Select(Convert.ToHexString)];
        int failed = 0;
        for (int i = 0; i < Many; i++)
        {
            if (tasks[i].IsCompletedSuccessfully)
            {
                Assert.Contains(Convert.ToHexString(ProducerStream.Body(i)), stored);
                continue;
            }

            failed++;
            StreamPublishException error = Assert.IsType<StreamPublishException>(tasks[i].Exception!.InnerException);
            Assert.Equal((ulong)i + 1, error.PublishingId);
            Assert.Contains("was sent and not confirmed", error.Message, StringComparison.Ordinal);
        }

        Assert.InRange(failed, 0, Many - 1);
    }

    [Fact]
    public async Task Without_a_name_it_is_sent_again_where_that_is_wanted()
    {
        await using var proxy = new FaultProxy(Broker.Node.StreamUri);
        StreamClientOptions options = StreamBroker.Through(proxy);
        await using ProducerStream stream =
            await ProducerStream.CreateAsync(options with { Recovery = options.Recovery with { ResendUnconfirmed = true } });
        await using StreamProducer producer = await stream.Client.CreateProducerAsync(stream.Name);
        var tasks = new List<Task>();
        for (int i = 0; i < Many; i++)
        {
            if (i % 1_000 == 700)
            {
                proxy.CutAll();
            }

            tasks.Add(producer.SendBytesAsync(ProducerStream.Body(i)).AsTask());
        }

        await Task.WhenAll(tasks).WaitAsync(Patience.Limit);
        HashSet<string> stored = [.. (await stream.ReadAsync()).Select(Convert.ToHexString)];
        Assert.Equal(Many, stored.Count);
    }

    [Fact]
    public async Task With_recovery_off_the_producer_ends_and_says_why()
    {
        await using var proxy = new FaultProxy(Broker.Node.StreamUri);
        await using ProducerStream stream =
            await ProducerStream.CreateAsync(StreamBroker.Through(proxy) with { Recovery = RecoveryOptions.Off });
        StreamProducer producer = await stream.Client.CreateProducerAsync(stream.Name, new StreamProducerOptions { Name = "n" });
        await producer.SendBytesAsync(ProducerStream.Body(0)).AsTask().WaitAsync(Patience.Limit);
        proxy.CutAll();
        StreamPublishException error = await Assert.ThrowsAsync<StreamPublishException>(async () =>
        {
            while (true)
            {
                await producer.SendBytesAsync(ProducerStream.Body(1)).AsTask().WaitAsync(Patience.Limit);
            }
        });
        Assert.IsType<StreamConnectionException>(error.InnerException);
        await producer.CloseAsync().WaitAsync(Patience.Limit);
    }

    [Theory]
    [InlineData(null)]
    [InlineData("named")]
    public async Task Sends_wait_until_a_stream_that_was_deleted_is_there_again(string? name)
    {
        await using ProducerStream stream = await ProducerStream.CreateAsync();
        await using StreamProducer producer =
            await stream.Client.CreateProducerAsync(stream.Name, new StreamProducerOptions { Name = name });
        await producer.SendBytesAsync(ProducerStream.Body(-1)).AsTask().WaitAsync(Patience.Limit);
        await stream.DropAsync();

        // What was sent before the producer knows may fail without a name: until one waits.
        var sends = new List<Task>();
        for (int i = 0; i < 100; i++)
        {
            sends.Add(producer.SendBytesAsync(ProducerStream.Body(i)).AsTask());
            await Task.Yield();
        }

        await stream.MakeAsync();
        await Task.WhenAll(sends).ContinueWith(_ => { }, TaskScheduler.Default).WaitAsync(Patience.Limit);
        List<byte[]> stored = await stream.ReadAsync();
        List<byte[]> confirmed =
            [.. Enumerable.Range(0, 100).Where(i => sends[i].IsCompletedSuccessfully).Select(i => ProducerStream.Body(i))];
        if (name is not null)
        {
            Assert.Equal(100, confirmed.Count);
        }

        Assert.Equal(confirmed, stored);
    }
}
