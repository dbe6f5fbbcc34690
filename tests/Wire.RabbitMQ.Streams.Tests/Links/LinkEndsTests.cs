using Wire.RabbitMQ.Streams.Links;
using Wire.RabbitMQ.Streams.Protocol;
using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;
using Wire.Transport.Segments;

namespace Wire.RabbitMQ.Streams.Tests.Links;

/// <summary>However a link ends, everybody on it is told once, and why.</summary>
public sealed class LinkEndsTests
{
    [Fact]
    public async Task A_reason_that_the_broker_gives_is_passed_on()
    {
        await using var server = new StrictStreamServer();
        StreamLink link = await ConnectAsync(server.Options);
        server.Connections[0].Close(StreamResponseCode.InternalError, "CONNECTION_FORCED by the operator");
        StreamConnectionException reason = Assert.IsType<StreamConnectionException>(await link.Ended.WaitAsync(Patience.Limit));
        Assert.Contains("CONNECTION_FORCED by the operator", reason.Message, StringComparison.Ordinal);
        Assert.Equal(StreamResponseCode.InternalError, reason.Code);
    }

    [Theory]
    [InlineData("00000003000000", "does not speak the stream protocol")]
    [InlineData("7fffffff", "MaxChunkBytes")]
    [InlineData("0000000480110001", "something that is not the stream protocol")]
    [InlineData("0000000400160001", "no room for its correlation")]
    [InlineData("0000000500080001ff", "")]
    [InlineData("0000000400080001", "its head alone")]
    public async Task Garbage_ends_it(string hex, string message)
    {
        await using var server = new StrictStreamServer();
        StreamLink link = await ConnectAsync(server.Options);
        server.Connections[0].Send(Convert.FromHexString(hex));
        if (message.Length == 0)
        {
            // A delivery to nobody is none.
            Assert.Equal(
                StreamResponseCode.StreamDoesNotExist,
                (await link.AskAsync<DeleteStream, Nothing>(new DeleteStream { Stream = "s" }, CancellationToken.None)).Code);
            await link.CloseAsync();
            return;
        }

        Exception reason = await link.Ended.WaitAsync(Patience.Limit);
        Assert.IsType<StreamConnectionException>(reason);
        Assert.Contains(message, reason.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_answer_that_cannot_be_read_fails_whoever_waits_for_it()
    {
        await using var server = new StrictStreamServer();
        StreamLink link = await ConnectAsync(server.Options);
        server.When(CommandKey.Partitions, Reaction.Silence);
        Task asking = link.AskAsync<Partitions, ListOf<Item>>(new Partitions { SuperStream = "s" }, CancellationToken.None);
        await server.ReceivedAsync(CommandKey.Partitions);

        // PeerProperties, SaslHandshake, SaslAuthenticate, Open, ExchangeCommandVersions were 1 to 5.
        server.Connections[0].Send(Convert.FromHexString("0000000e80190001000000060001000000ff"));
        await Assert.ThrowsAsync<StreamConnectionException>(() => asking.WaitAsync(Patience.Limit));
    }

    [Fact]
    public async Task A_broker_that_is_silent_is_given_up()
    {
        await using var server = new StrictStreamServer { Heartbeat = 1 };
        StreamLink link = await ConnectAsync(server.Options);
        Assert.Equal(1u, server.Connections[0].Agreed?.Heartbeat);
        server.IsSilent = true;
        Assert.Contains(
            "nothing came for twice the heartbeat interval",
            (await link.Ended.WaitAsync(Patience.Limit)).Message,
            StringComparison.Ordinal);
        Assert.True(server.Received(CommandKey.Heartbeat) > 0);
    }

    [Fact]
    public async Task An_idle_link_to_the_broker_stays()
    {
        StreamLink link = await ConnectAsync(StreamBroker.Options with { RequestedHeartbeat = TimeSpan.FromSeconds(1) });

        // The broker gives up what is silent for two or three intervals.
        await Task.Delay(TimeSpan.FromSeconds(6));
        Assert.False(link.HasEnded);
        await link.CloseAsync();
    }

    [Fact]
    public async Task Who_publishes_and_subscribes_is_told_once()
    {
        await using var server = new StrictStreamServer();
        server.Create("s");
        StreamLink link = await ConnectAsync(server.Options);
        var publisher = new Listening();
        var subscription = new Listening();
        await link.AddPublisherAsync(publisher, "s", null, CancellationToken.None);
        await link.SubscribeAsync(
            subscription, "s", StreamOffset.First, 1, new Dictionary<string, string>(), _ => { }, CancellationToken.None);

        // One that is still being declared fails in its call alone.
        server.When(CommandKey.DeclarePublisher, Reaction.Silence);
        var pending = new Listening();
        Task<byte> declaring = link.AddPublisherAsync(pending, "s", null, CancellationToken.None);
        await server.ReceivedAsync(CommandKey.DeclarePublisher, 2);
        server.CutAll();
        await Assert.ThrowsAsync<StreamConnectionException>(() => declaring);
        await link.Ended.WaitAsync(Patience.Limit);
        Assert.Equal((1, 1, 0), (publisher.Ends, subscription.Ends, pending.Ends));
        await Assert.ThrowsAsync<StreamConnectionException>(() => link.AddPublisherAsync(pending, "s", null, CancellationToken.None));
    }

    [Fact]
    public async Task A_stream_that_goes_ends_what_is_on_it_and_nothing_else()
    {
        await using var server = new StrictStreamServer();
        server.Create("s");
        server.Create("t");
        StreamLink link = await ConnectAsync(server.Options);
        var gone = new Listening();
        var stays = new Listening();
        byte number = await link.AddPublisherAsync(gone, "s", "name", CancellationToken.None);
        await link.AddPublisherAsync(stays, "t", "name", CancellationToken.None);
        server.Delete("s");
        await gone.Ended.WaitAsync(Patience.Limit);
        Assert.Equal(0, stays.Ends);

        // Its number is free again.
        server.Create("s");
        Assert.Equal(number, await link.AddPublisherAsync(gone, "s", "name", CancellationToken.None));
        await link.RemovePublisherAsync(number, gone, CancellationToken.None);
        await link.CloseAsync();
        Assert.Equal((1, 1), (gone.Ends, stays.Ends));
    }

    [Fact]
    public async Task A_number_is_not_given_again_before_the_broker_is_done_with_it()
    {
        await using var server = new StrictStreamServer();
        server.Create("s");
        StreamLink link = await ConnectAsync(server.Options);
        var time = new TaskCompletionSource();
        server.When(CommandKey.DeclarePublisher, Reaction.After(time.Task));
        using var cancel = new CancellationTokenSource();
        var first = new Listening();
        Task<byte> declaring = link.AddPublisherAsync(first, "s", null, cancel.Token);
        await server.ReceivedAsync(CommandKey.DeclarePublisher);
        await cancel.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => declaring);
        Task<byte> second = link.AddPublisherAsync(new Listening(), "s", null, CancellationToken.None);
        time.SetResult();
        Assert.Equal((byte)1, await second);
        await server.ReceivedAsync(CommandKey.DeletePublisher);
        await link.CloseAsync();
        Assert.Equal(0, first.Ends);
    }

    private static Task<StreamLink> ConnectAsync(StreamClientOptions options) =>
        StreamLink.ConnectAsync(options, options.Endpoints[0], CancellationToken.None);

    private sealed class Listening : ILinkPublisher, ILinkSubscription
    {
        private readonly TaskCompletionSource<Exception> _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private int _ends;

        public int Ends => Volatile.Read(ref _ends);

        public Task<Exception> Ended => _ended.Task;

        public bool TryTake(out ReadOnlyMemory<byte> frame)
        {
            frame = default;
            return false;
        }

        public void Settled(ReadOnlySpan<byte> ids, StreamResponseCode code) =>
            throw new InvalidOperationException("Nothing was published.");

        public void Deliver(ReadOnlyMemory<byte> chunk, long offset, ReceiveSegment segment) => segment.Release();

        public void Update(uint correlation, bool isActive) => throw new InvalidOperationException("It is not one of several.");

        void ILinkPublisher.Ended(Exception reason) => End(reason);

        void ILinkSubscription.Ended(Exception reason) => End(reason);

        private void End(Exception reason)
        {
            Interlocked.Increment(ref _ends);
            _ended.TrySetResult(reason);
        }
    }
}
