using RabbitMQ.Client;
using RabbitMQ.Client.Exceptions;
using Wire.Amqp.Client;
using Wire.RabbitMQ.Connections;
using Wire.RabbitMQ.Connections.Lane;
using Wire.RabbitMQ.Hosting;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Connections.Lane;

/// <summary>What only a channel of the direct lane does: it writes into what is sent, and waits where too much is.</summary>
public sealed class LaneChannelTests : IAsyncLifetime
{
    private IConnection _looking = null!;
    private IChannel _channel = null!;
    private AmqpConnection _connection = null!;
    private string _queue = "";

    private FaultProxy Proxy { get; set; } = null!;

    public async Task InitializeAsync()
    {
        Proxy = new FaultProxy(Broker.Node.Uri);
        _looking = await Broker.Node.ConnectAsync().InTime();
        _channel = await _looking.CreateChannelAsync().InTime();
        _queue = await _channel.DeclareQueueAsync(nameof(LaneChannelTests)).InTime();
        _connection = await AmqpConnection.ConnectAsync(LaneOptions.Of(Proxy.Route(Broker.Node.Factory()), [], null) with { MaxUnsentBytes = 1 << 16 }).InTime();
    }

    public async Task DisposeAsync()
    {
        await _connection.DisposeAsync();
        await Proxy.DisposeAsync();
        await _looking.DisposeAsync();
    }

    [Fact]
    public async Task Publishes_wait_for_room_in_their_order_end_with_their_token_and_go_on_when_there_is_some()
    {
        await using IBrokerChannel channel = await OpenAsync();
        Proxy.ToBroker.Pause();
        using var cancellation = new CancellationTokenSource();
        byte[] body = new byte[100_000];
        var tasks = new List<Task>();
        int sent = 0;
        while (tasks.LastOrDefault() is not { IsCompleted: false })
        {
            tasks.Add(channel.PublishBytesAsync(new Outgoing(_queue), Number(sent++), new(body)).AsTask());
            if (tasks[^1].IsCompleted)
            {
                // The sockets between take much before anything waits.
                await Task.Delay(1);
            }
        }

        Task cancelled = channel.PublishBytesAsync(new Outgoing(_queue), Number(-1), new(body), cancellation.Token).AsTask();
        Task[] behind = [.. Enumerable.Range(sent, 20).Select(number => channel.PublishBytesAsync(new Outgoing(_queue), Number(number), new(body)).AsTask())];
        Assert.DoesNotContain(behind, task => task.IsCompleted);
        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cancelled.InTime());
        Assert.DoesNotContain(behind, task => task.IsCompleted);

        Proxy.ToBroker.Resume();
        await Task.WhenAll([.. tasks, .. behind]).InTime();
        using var limit = new CancellationTokenSource(Patience.Limit);
        for (int number = 0; number < sent + 20;)
        {
            if (await _channel.BasicGetAsync(_queue, autoAck: true, limit.Token) is { } got)
            {
                Assert.Equal($"{number++}", got.BasicProperties.MessageId);
            }
        }

        Assert.Null(await _channel.BasicGetAsync(_queue, autoAck: true).InTime());
    }

    [Fact]
    public async Task What_waits_for_room_ends_with_the_channel_and_has_not_been_sent()
    {
        await using IBrokerChannel channel = await OpenAsync();
        Proxy.ToBroker.Pause();
        byte[] body = new byte[100_000];
        Task last;
        do
        {
            last = channel.PublishBytesAsync(new Outgoing(_queue), Number(1), new(body)).AsTask();
        }
        while (await Task.WhenAny(last, Task.Delay(500)) == last); // What waits for a thread only has its turn in that time.

        var outgoing = new Outgoing(_queue);
        Task behind = channel.PublishBytesAsync(outgoing, Number(2), new(body)).AsTask();
        Proxy.CutAll(Cut.Reset);
        await Assert.ThrowsAsync<AlreadyClosedException>(() => last.InTime());
        await Assert.ThrowsAsync<AlreadyClosedException>(() => behind.InTime());
        await Assert.ThrowsAsync<AlreadyClosedException>(() => channel.PublishBytesAsync(outgoing, Number(3), new(body)).AsTask().InTime());
        Assert.False(outgoing.HasCommitted);
        Assert.False(channel.IsOpen);
        Assert.Equal(ShutdownInitiator.Library, channel.CloseReason!.Initiator);
        Proxy.ToBroker.Resume();
    }

    [Fact]
    public async Task What_is_not_to_be_sent_leaves_nothing_behind()
    {
        await using IBrokerChannel channel = await OpenAsync();
        await channel.PublishBytesAsync(new Outgoing(_queue) { Sends = false }, Number(1), new(new byte[10])).AsTask().InTime();
        await Assert.ThrowsAsync<NotSupportedException>(() => channel.PublishBytesAsync(new Outgoing(_queue) { Fails = true }, Number(2), new(new byte[10])).AsTask().InTime());
        await channel.PublishBytesAsync(new Outgoing(_queue), Number(3), new(new byte[10])).AsTask().InTime();

        // What answers here has been sent behind it.
        await Assert.ThrowsAsync<OperationInterruptedException>(() => channel.FindQueueAsync(Broker.UniqueName(), CancellationToken.None).InTime());
        Assert.Equal("3", (await _channel.BasicGetAsync(_queue, autoAck: true).InTime())!.BasicProperties.MessageId);
        Assert.Null(await _channel.BasicGetAsync(_queue, autoAck: true).InTime());
        Assert.Equal(404, channel.CloseReason!.ReplyCode);
    }

    [Theory]
    [InlineData(FrameWriting.Background)]
    [InlineData(FrameWriting.Inline)]
    public async Task A_request_may_make_another_while_it_is_serialized_on_the_same_channel(FrameWriting writing)
    {
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(LaneOptions.Of(Broker.Node.Factory(), [], null) with { Writing = writing }).InTime();
        await using IBrokerChannel channel = await LaneConnection.Of(connection).OpenChannelAsync(new ChannelUse(), CancellationToken.None).InTime();
        await using IBrokerChannel other = await LaneConnection.Of(connection).OpenChannelAsync(new ChannelUse(), CancellationToken.None).InTime();
        var inner = new List<Task>();
        string queue = _queue;
        var serializer = new WireBodySerializer(new SerializerOptions
        {
            Surrogates =
            [
                Surrogate.Create<Outer, OrderPlaced>(
                    outer =>
                    {
                        foreach (IBrokerChannel each in (IBrokerChannel[])[channel, other])
                        {
                            inner.Add(each.PublishAsync(new Outgoing(queue), new BasicProperties { MessageId = $"inner {outer.Number}" }, Shop.Serializer, new OrderPlaced(Guid.Empty, "inner", outer.Number)).AsTask());
                        }

                        return new OrderPlaced(Guid.Empty, "outer", outer.Number);
                    },
                    order => new Outer((int)order.Total)),
            ],
        });
        for (int i = 0; i < 100; i++)
        {
            await channel.PublishAsync(new Outgoing(queue), new BasicProperties { MessageId = $"outer {i}" }, serializer, new Outer(i)).AsTask().InTime();
        }

        await Task.WhenAll(inner).InTime();
        var seen = new Dictionary<string, int>();
        using var limit = new CancellationTokenSource(Patience.Limit);
        for (int count = 0; count < 300;)
        {
            if (await _channel.BasicGetAsync(_queue, autoAck: true, limit.Token) is { } got)
            {
                seen[got.BasicProperties.MessageId!] = seen.GetValueOrDefault(got.BasicProperties.MessageId!) + 1;
                count++;
            }
        }

        Assert.All(Enumerable.Range(0, 100), i => Assert.Equal((1, 2), (seen[$"outer {i}"], seen[$"inner {i}"])));
    }

    private static BasicProperties Number(int number) => new() { MessageId = $"{number}" };

    private Task<IBrokerChannel> OpenAsync() => LaneConnection.Of(_connection).OpenChannelAsync(new ChannelUse(), CancellationToken.None).InTime();

    private sealed record Outer(int Number);

    private sealed class Outgoing(string queue) : IOutgoing
    {
        public bool Sends { get; init; } = true;

        public bool Fails { get; init; }

        public bool HasCommitted { get; private set; }

        public string Exchange => "";

        public string RoutingKey => queue;

        public bool Mandatory => false;

        public bool TryCommit(long bodySize)
        {
            HasCommitted = true;
            return Fails ? throw new NotSupportedException() : Sends;
        }
    }
}
