using Wire.RabbitMQ.Streams.Consuming;
using Wire.RabbitMQ.Streams.Protocol;
using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Streams.Tests;

/// <summary>Single active consumers, filters and moves of a stream: on a server in process, which knows them.</summary>
public sealed class StreamConsumerGroupTests
{
    private static readonly StreamConsumerOptions Single = new()
    {
        Name = "group",
        SingleActive = true,
        Offset = StreamOffset.First,
        Tracking = StreamTracking.Every(int.MaxValue, TimeSpan.FromDays(1)),
    };

    [Fact]
    public async Task One_of_several_gets_messages_and_the_next_goes_on_where_it_was()
    {
        await using var server = new StrictStreamServer();
        server.Create("s");
        await using var client = new StreamClient(server.Options);
        await using var otherClient = new StreamClient(server.Options);
        var first = new Numbers();
        var second = new Numbers();
        Append(server, 0, 10);
        await using StreamConsumer one = await client.ConsumeAsync("s", first.Add, Single);
        await using StreamConsumer two = await otherClient.ConsumeAsync("s", second.Add, Single);
        await first.ReachAsync(10);
        Assert.Equal(0, second.Count);
        Assert.Equal((true, false), (one.IsActive, two.IsActive));

        // Back and forth, without one of them being closed.
        server.Rotate("s", "group");
        Append(server, 10, 10);
        await second.ReachAsync(10);
        Assert.Equal((false, true), (one.IsActive, two.IsActive));
        server.Rotate("s", "group");
        Append(server, 20, 10);
        await first.ReachAsync(20);

        Assert.True(one.IsActive);
        await one.CloseAsync();
        Assert.False(one.IsActive);
        Append(server, 30, 10);
        await second.ReachAsync(20);
        Assert.Equal([.. Enumerable.Range(0, 10), .. Enumerable.Range(20, 10)], first.All);
        Assert.Equal([.. Enumerable.Range(10, 10), .. Enumerable.Range(30, 10)], second.All);
    }

    [Fact]
    public async Task One_that_becomes_inactive_stops_behind_the_message_that_it_handles()
    {
        await using var server = new StrictStreamServer();
        server.Create("s");
        await using var client = new StreamClient(server.Options);
        await using var otherClient = new StreamClient(server.Options);
        for (int i = 0; i < 10; i++)
        {
            Append(server, 10 * i, 10);
        }

        var first = new Numbers();
        var second = new Numbers();
        var held = new HeldHandler(first, offset: 15);
        var links = new TestLinks(client, "s");
        await using StreamConsumer one = await links.ConsumeAsync(held.Dispatch, Single);
        await using StreamConsumer two = await otherClient.ConsumeAsync("s", second.Add, Single);
        await held.Began.WaitAsync(Patience.Limit);
        server.Rotate("s", "group");

        // What is answered on the same connection comes behind it.
        await links.Last.AskAsync<MetadataQuery, ClusterMetadata>(
            new MetadataQuery { Streams = Groups.Items(["s"]) }, CancellationToken.None);
        held.LetGo();
        await second.ReachAsync(84);
        Assert.Equal(Enumerable.Range(0, 16), first.All);
        Assert.Equal(Enumerable.Range(16, 84), second.All);
    }

    [Fact]
    public async Task One_that_has_let_go_of_all_that_it_had_credit_for_gets_more_when_it_is_active_again()
    {
        await using var server = new StrictStreamServer();
        server.Create("s");
        await using var client = new StreamClient(server.Options);
        await using var otherClient = new StreamClient(server.Options);
        for (int i = 0; i < 10; i++)
        {
            Append(server, i, 1);
        }

        var first = new Numbers();
        var second = new Numbers();
        var held = new HeldHandler(first, offset: 0);
        var links = new TestLinks(client, "s");
        await using StreamConsumer one = await links.ConsumeAsync(held.Dispatch, Single with { Credit = 4 });
        await using StreamConsumer two = await otherClient.ConsumeAsync("s", second.Add, Single);
        await held.Began.WaitAsync(Patience.Limit);
        server.Rotate("s", "group");
        await links.Last.AskAsync<MetadataQuery, ClusterMetadata>(
            new MetadataQuery { Streams = Groups.Items(["s"]) }, CancellationToken.None);
        held.LetGo();
        await second.ReachAsync(9);
        server.Rotate("s", "group");
        Append(server, 10, 10);
        await first.ReachAsync(11);
        Assert.Equal([0, .. Enumerable.Range(10, 10)], first.All);
        Assert.Equal(Enumerable.Range(1, 9), second.All);
    }

    [Fact]
    public async Task Begins_where_the_option_says_when_nothing_is_stored_under_its_name()
    {
        await using var server = new StrictStreamServer();
        server.Create("s");
        await using var client = new StreamClient(server.Options);
        Append(server, 0, 10);
        var numbers = new Numbers();
        await using StreamConsumer next = await client.ConsumeAsync("s", numbers.Add, Single with { Offset = StreamOffset.Next });
        await server.UntilAsync(
            () => server.Singles.TryGetValue(("s", "group"), out List<ServerSubscription>? group) && group[0].IsActive, "an active one");
        Append(server, 10, 5);
        await numbers.ReachAsync(5);
        Assert.Equal(Enumerable.Range(10, 5), numbers.All);
    }

    [Fact]
    public async Task Goes_on_when_its_stream_moves_or_its_node_is_restarted()
    {
        await using var server = new StrictStreamServer();
        server.Create("s");
        await using var client = new StreamClient(server.Options);
        var numbers = new Numbers();
        Append(server, 0, 10);
        await using StreamConsumer consumer =
            await client.ConsumeAsync("s", numbers.Add, new StreamConsumerOptions { Offset = StreamOffset.First });
        await numbers.ReachAsync(10);
        server.Forget("s", StreamResponseCode.StreamNotAvailable);
        Append(server, 10, 10);
        await numbers.ReachAsync(20);
        server.When(CommandKey.Subscribe, Reaction.Refuse(StreamResponseCode.StreamNotAvailable), times: 3);
        server.CutAll();
        Append(server, 20, 10);
        await numbers.ReachAsync(30);
        Assert.Equal(Enumerable.Range(0, 30), numbers.All);
    }

    [Fact]
    public async Task Asks_for_what_has_a_filter_value()
    {
        await using var server = new StrictStreamServer();
        server.Create("s");
        await using var client = new StreamClient(server.Options);
        AppendFiltered("red", 1);
        AppendFiltered("blue", 2);
        AppendFiltered(null, 3);
        AppendFiltered("green", 4);
        int[] colors = await ReadAsync(2, new StreamConsumerOptions { Offset = StreamOffset.First, Filters = ["red", "green"] });
        int[] others =
            await ReadAsync(2, new StreamConsumerOptions { Offset = StreamOffset.First, Filters = ["blue"], MatchUnfiltered = true });
        Assert.Equal([1, 4], colors);
        Assert.Equal([2, 3], others);

        async Task<int[]> ReadAsync(int count, StreamConsumerOptions options)
        {
            var numbers = new Numbers();
            await using StreamConsumer consumer = await client.ConsumeAsync("s", numbers.Add, options);
            await numbers.ReachAsync(count);
            return numbers.All;
        }

        void AppendFiltered(string? filter, int number) => server.With("s", stream =>
        {
            stream.Append([ServerChunk.Entry([0, 0, 0, 0, 0, 0, 0, (byte)number])], [filter]);
            return 0;
        });
    }

    [Theory]
    [InlineData("3.10.8", false, "SingleActive needs RabbitMQ 3.11")]
    [InlineData("3.12.14", true, "Filters needs RabbitMQ 3.13")]
    public async Task Refuses_what_the_broker_is_too_old_for(string version, bool filters, string says)
    {
        await using var server = new StrictStreamServer(version);
        server.Create("s");
        await using var client = new StreamClient(server.Options);
        NotSupportedException refusal = await Assert.ThrowsAsync<NotSupportedException>(
            () => client.ConsumeAsync("s", _ => default, filters ? new StreamConsumerOptions { Filters = ["a"] } : Single));
        Assert.Contains(says, refusal.Message, StringComparison.Ordinal);
        Assert.Contains(version, refusal.Message, StringComparison.Ordinal);
    }

    private static void Append(StrictStreamServer server, int first, int count) =>
        server.Append("s", [.. Enumerable.Range(first, count).Select(number => new byte[] { 0, 0, 0, 0, 0, 0, 0, (byte)number })]);

    // Takes numbers, and stands still at one message until it is let go.
    private sealed class HeldHandler
    {
        private readonly TaskCompletionSource _began = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly TaskCompletionSource _mayEnd = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public HeldHandler(Numbers numbers, ulong offset) => Dispatch = new MessageDispatch(async message =>
        {
            if (message.Offset == offset)
            {
                _began.SetResult();
                await _mayEnd.Task;
            }

            numbers.Add(TestStream.NumberOf(message));
        });

        public MessageDispatch Dispatch { get; }

        public Task Began => _began.Task;

        public void LetGo() => _mayEnd.SetResult();
    }
}
