using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;
using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Streams.Tests;

/// <summary>
/// What streams of newer brokers have, on the broker of the tests: where that is too old, the program is told so before anything is sent.
/// </summary>
[SuppressMessage("Design", "CA1001", Justification = "DisposeAsync of the test disposes of it.")]
public sealed class BrokerFeatureTests : IAsyncLifetime
{
    private static readonly StreamConsumerOptions Single =
        new()
        {
            Name = "group",
            SingleActive = true,
            Offset = StreamOffset.First,
            Tracking = StreamTracking.Every(1, TimeSpan.FromDays(1)),
        };

    private readonly StreamClient _client = new(StreamBroker.Options);
    private readonly string _stream = Broker.UniqueName();

    public Task InitializeAsync() => _client.EnsureStreamAsync(_stream);

    public async Task DisposeAsync()
    {
        await _client.DeleteStreamAsync(_stream);
        await _client.DisposeAsync();
    }

    [Fact]
    public async Task Of_consumers_of_which_one_is_active_the_next_goes_on_where_the_first_was()
    {
        var (first, second) = (new Numbers(), new Numbers());
        if (await IsRefusedAsync(() => _client.ConsumeAsync(_stream, first.Add, Single), "3.11"))
        {
            return;
        }

        StreamConsumer one = await _client.ConsumeAsync(_stream, first.Add, Single);
        await using StreamConsumer two = await _client.ConsumeAsync(_stream, second.Add, Single);
        await SendAsync(0, 10, null);
        await first.ReachAsync(10);
        Assert.Equal((true, false), (one.IsActive, two.IsActive));
        await one.CloseAsync();
        await SendAsync(10, 10, null);
        await second.ReachAsync(10);
        Assert.True(two.IsActive);
        Assert.Equal(Enumerable.Range(0, 10), first.All);
        Assert.Equal(Enumerable.Range(10, 10), second.All);
    }

    [Fact]
    public async Task Only_chunks_come_that_have_a_value_of_the_filter()
    {
        var (red, unfiltered) = (new Numbers(), new Numbers());
        if (await IsRefusedAsync(() => SendAsync(0, 1, "red"), "3.13"))
        {
            return;
        }

        await SendAsync(0, 10, "red");
        await SendAsync(10, 10, "blue");
        await SendAsync(20, 10, null);
        await SendAsync(30, 10, "red");
        var options = new StreamConsumerOptions { Offset = StreamOffset.First, Filters = ["red"] };
        await using StreamConsumer reds = await _client.ConsumeAsync(_stream, red.Add, options);
        await using StreamConsumer others = await _client.ConsumeAsync(
            _stream, unfiltered.Add, options with { MatchUnfiltered = true });
        await red.ReachAsync(20);
        await unfiltered.ReachAsync(30);
        Assert.Equal([.. Enumerable.Range(0, 10), .. Enumerable.Range(30, 10)], red.All);
        Assert.Equal([.. Enumerable.Range(0, 10), .. Enumerable.Range(20, 20)], unfiltered.All);
    }

    [Fact]
    public async Task A_super_stream_is_created_routed_to_read_and_deleted()
    {
        string name = Broker.UniqueName();
        if (await IsRefusedAsync(() => _client.CreateSuperStreamAsync(name, 3), "3.13"))
        {
            return;
        }

        await _client.CreateSuperStreamAsync(name, 3);
        Assert.Equal([$"{name}-0", $"{name}-1", $"{name}-2"], await _client.GetPartitionsAsync(name));
        Assert.Equal([$"{name}-1"], await _client.RouteAsync("1", name));
        StreamException taken = await Assert.ThrowsAsync<StreamException>(() => _client.CreateSuperStreamAsync(name, 3));
        Assert.Contains($"'{name}'", taken.Message, StringComparison.Ordinal);
        await _client.DeleteSuperStreamAsync(name);
        Assert.False(await _client.ExistsAsync($"{name}-0"));
    }

    [Fact]
    public async Task Figures_of_a_stream_say_what_is_in_it()
    {
        if (await IsRefusedAsync(() => _client.GetStatisticsAsync(_stream), "3.11"))
        {
            return;
        }

        Assert.Null((await _client.GetStatisticsAsync(_stream)).CommittedChunk);
        await SendAsync(0, 10, null);
        StreamStatistics statistics = await _client.GetStatisticsAsync(_stream);
        Assert.Equal(0u, statistics.FirstOffset);
        Assert.InRange(statistics.CommittedChunk!.Value, 0u, 9u);
    }

    // Whether the broker is older than that, in which case this has been refused with what it needs.
    private static async Task<bool> IsRefusedAsync(Func<Task> use, string since)
    {
        if (Broker.Node.Version >= Version.Parse(since))
        {
            return false;
        }

        NotSupportedException refusal = await Assert.ThrowsAsync<NotSupportedException>(use);
        Assert.Contains($"RabbitMQ {since}", refusal.Message, StringComparison.Ordinal);
        return true;
    }

    // Confirmed when this ends, so that what is sent next has a chunk of its own.
    private async Task SendAsync(int first, int count, string? filter)
    {
        await using StreamProducer producer = await _client.CreateProducerAsync(_stream);
        foreach (int number in Enumerable.Range(first, count))
        {
            byte[] body = new byte[sizeof(long)];
            BinaryPrimitives.WriteInt64BigEndian(body, number);
            await producer.EnqueueBytesAsync(body, new StreamSendOptions { Filter = filter });
        }

        await producer.CloseAsync();
    }
}
