using System.Diagnostics.CodeAnalysis;
using Wire.RabbitMQ.Streams.Protocol;
using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Streams.Tests;

/// <summary>Streams are created, found and deleted on the real broker.</summary>
[SuppressMessage("Design", "CA1001", Justification = "DisposeAsync of the test disposes of it.")]
public sealed class StreamClientManagementTests : IAsyncLifetime
{
    private readonly StreamClient _client = new(StreamBroker.Options);
    private readonly string _stream = Broker.UniqueName();

    public Task InitializeAsync() => _client.EnsureStreamAsync(_stream);

    public async Task DisposeAsync()
    {
        if (await _client.ExistsAsync(_stream))
        {
            await _client.DeleteStreamAsync(_stream);
        }

        await _client.DisposeAsync();
    }

    [Fact]
    public async Task A_stream_is_there_until_it_is_deleted()
    {
        Assert.True(await _client.ExistsAsync(_stream));
        Assert.False(await _client.EnsureStreamAsync(_stream));
        StreamMetadata metadata = await _client.GetMetadataAsync(_stream);
        Assert.Equal(StreamResponseCode.Ok, metadata.Code);
        Assert.Equal(StreamBroker.Options.Endpoints[0], metadata.Leader);
        Assert.Empty(metadata.Replicas);

        await _client.DeleteStreamAsync(_stream);
        Assert.False(await _client.ExistsAsync(_stream));
        metadata = await _client.GetMetadataAsync(_stream);
        Assert.Equal(StreamResponseCode.StreamDoesNotExist, metadata.Code);
        Assert.Null(metadata.Leader);
    }

    [Fact]
    public async Task A_name_that_nobody_could_use_over_queues_is_refused()
    {
        string longest = Broker.UniqueName("ü").PadRight(254, 'x');
        await _client.CreateStreamAsync(longest);
        await _client.DeleteStreamAsync(longest);
        ArgumentException error = await Assert.ThrowsAsync<ArgumentException>(() => _client.CreateStreamAsync(longest + "x"));
        Assert.Contains("at most 255 bytes of UTF-8, and this one 256", error.Message, StringComparison.Ordinal);
        await Assert.ThrowsAsync<ArgumentException>(() => _client.CreateSuperStreamAsync(longest, 2));
    }

    [Fact]
    public async Task What_is_there_or_is_not_is_refused_with_its_name()
    {
        StreamException error = await Assert.ThrowsAsync<StreamException>(() => _client.CreateStreamAsync(_stream));
        Assert.Equal(StreamResponseCode.StreamAlreadyExists, error.Code);
        Assert.Contains($"create the stream '{_stream}'", error.Message, StringComparison.Ordinal);

        string none = Broker.UniqueName();
        Task[] asked =
        [
            _client.DeleteStreamAsync(none),
            _client.QuerySequenceAsync("somebody", none),
            _client.QueryOffsetAsync("somebody", none),
            _client.StoreOffsetAsync("somebody", none, 5),
            _client.GetPartitionsAsync(none),
            _client.RouteAsync("key", none),
        ];
        foreach (Task each in asked)
        {
            error = await Assert.ThrowsAsync<StreamException>(() => each);
            Assert.Contains($"'{none}'", error.Message, StringComparison.Ordinal);
            Assert.Equal(StreamResponseCode.StreamDoesNotExist, error.Code);
        }
    }

    [Fact]
    public async Task Options_are_taken_and_other_ones_are_refused()
    {
        string stream = Broker.UniqueName();
        var options = new StreamOptions
        {
            MaxAge = TimeSpan.FromHours(1),
            MaxLengthBytes = 20_000_000_000,
            MaxSegmentBytes = 1_000_000,
            InitialClusterSize = 1,
            LeaderLocator = StreamLeaderLocator.Balanced,
        };
        await _client.CreateStreamAsync(stream, options);
        try
        {
            Assert.False(await _client.EnsureStreamAsync(stream, options));
            StreamException error = await Assert.ThrowsAsync<StreamException>(
                () => _client.EnsureStreamAsync(stream, options with { MaxAge = TimeSpan.FromHours(2) }));
            Assert.Equal(StreamResponseCode.PreconditionFailed, error.Code);
            Assert.Contains("max-age=7200s", error.Message, StringComparison.Ordinal);
            Assert.Contains("other arguments", error.Message, StringComparison.Ordinal);
        }
        finally
        {
            await _client.DeleteStreamAsync(stream);
        }
    }

    [Fact]
    public async Task Offsets_are_stored_and_asked_for()
    {
        Assert.Null(await _client.QueryOffsetAsync("reader", _stream));
        await _client.StoreOffsetAsync("reader", _stream, 123_456_789_012);

        // The stream has it when its writer has written it.
        ulong? stored = null;
        for (DateTime end = DateTime.UtcNow + Patience.Limit; stored is null && DateTime.UtcNow < end;)
        {
            stored = await _client.QueryOffsetAsync("reader", _stream);
        }

        Assert.Equal(123_456_789_012u, stored);
        Assert.Null(await _client.QueryOffsetAsync("another", _stream));
        Assert.Equal(0u, await _client.QuerySequenceAsync("writer", _stream));
    }

    [Fact]
    public async Task What_an_older_broker_cannot_do_is_said_with_a_way_out()
    {
        await using var server = new StrictStreamServer("3.10.8");
        await using StreamClient client = await StreamClient.ConnectAsync(server.Options);
        NotSupportedException error = await Assert.ThrowsAsync<NotSupportedException>(() => client.CreateSuperStreamAsync("invoices", 3));
        Assert.Contains("3.13", error.Message, StringComparison.Ordinal);
        Assert.Contains("3.10.8", error.Message, StringComparison.Ordinal);
        Assert.Contains("x-stream-partition-order", error.Message, StringComparison.Ordinal);
        await Assert.ThrowsAsync<NotSupportedException>(() => client.DeleteSuperStreamAsync("invoices"));
        error = await Assert.ThrowsAsync<NotSupportedException>(() => client.GetStatisticsAsync("invoices"));
        Assert.Contains("3.11", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_newer_broker_has_super_streams_and_figures()
    {
        await using var server = new StrictStreamServer("3.13.0");
        await using StreamClient client = await StreamClient.ConnectAsync(server.Options);
        await client.CreateSuperStreamAsync("invoices", 3, new StreamOptions { MaxAge = TimeSpan.FromSeconds(90.7) });
        Assert.Equal(["invoices-0", "invoices-1", "invoices-2"], await client.GetPartitionsAsync("invoices"));
        Assert.Equal(["invoices-1"], await client.RouteAsync("1", "invoices"));
        Assert.Empty(await client.RouteAsync("9", "invoices"));
        Assert.Equal("90s", server.With("invoices-2", stream => stream.Arguments["max-age"]));

        await client.CreateSuperStreamAsync("orders", ["eu", "us"]);
        Assert.Equal(["orders-eu", "orders-us"], await client.GetPartitionsAsync("orders"));
        Assert.Equal(["orders-us"], await client.RouteAsync("us", "orders"));
        StreamException taken = await Assert.ThrowsAsync<StreamException>(() => client.CreateSuperStreamAsync("orders", 2));
        Assert.Equal(StreamResponseCode.StreamAlreadyExists, taken.Code);

        StreamStatistics statistics = await client.GetStatisticsAsync("orders-eu");
        Assert.Null(statistics.FirstOffset);
        Assert.Null(statistics.CommittedChunk);
        server.Append("orders-eu", [1], [2]);
        server.Append("orders-eu", [3]);
        statistics = await client.GetStatisticsAsync("orders-eu");
        Assert.Equal(0u, statistics.FirstOffset);
        Assert.Equal(2u, statistics.CommittedChunk);

        await client.DeleteSuperStreamAsync("orders");
        Assert.False(await client.ExistsAsync("orders-eu"));
    }

    [Fact]
    public async Task A_question_is_asked_again_on_another_connection_and_a_change_is_not()
    {
        await using var server = new StrictStreamServer();
        await using StreamClient client = await StreamClient.ConnectAsync(server.Options);
        server.Create("s");
        server.When(CommandKey.Metadata, Reaction.Cut);
        Assert.True(await client.ExistsAsync("s"));
        Assert.Equal(2, server.Received(CommandKey.Metadata));

        server.When(CommandKey.Metadata, Reaction.Cut, times: 2);
        StreamConnectionException lost = await Assert.ThrowsAsync<StreamConnectionException>(() => client.ExistsAsync("s"));
        Assert.Contains("where the stream 's' is", lost.Message, StringComparison.Ordinal);

        server.When(CommandKey.Create, Reaction.Cut);
        lost = await Assert.ThrowsAsync<StreamConnectionException>(() => client.CreateStreamAsync("t"));
        Assert.Contains("may not have been carried out", lost.Message, StringComparison.Ordinal);
        Assert.Equal(1, server.Received(CommandKey.Create));
        server.When(CommandKey.Create, Reaction.Cut);
        Assert.True(await client.EnsureStreamAsync("t"));
    }

    [Fact]
    public async Task A_broker_that_does_not_answer_is_not_waited_for_longer_than_is_said()
    {
        await using var server = new StrictStreamServer();
        await using StreamClient client = await StreamClient.ConnectAsync(server.Options with { Timeout = TimeSpan.FromSeconds(2) });
        server.Create("s");
        server.When(CommandKey.QueryOffset, Reaction.Silence);
        TimeoutException late = await Assert.ThrowsAsync<TimeoutException>(() => client.QueryOffsetAsync("reader", "s"));
        Assert.Contains("QueryOffset", late.Message, StringComparison.Ordinal);
        Assert.Null(await client.QueryOffsetAsync("reader", "s"));
    }
}
