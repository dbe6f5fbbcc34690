using System.Collections;
using RabbitMQ.Client;
using Wire.Amqp.Client;
using Wire.RabbitMQ.Connections;
using Wire.RabbitMQ.Connections.Lane;
using Wire.RabbitMQ.Hosting;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Connections.Lane;

/// <summary>Properties and headers that the direct lane writes and reads are those that RabbitMQ.Client writes and reads, in the same bytes.</summary>
public sealed class LanePropertiesTests : IAsyncLifetime
{
    private IConnection _client = null!;
    private IChannel _channel = null!;
    private AmqpConnection _lane = null!;
    private string _queue = "";

    public async Task InitializeAsync()
    {
        _client = await Broker.Node.ConnectAsync().InTime();
        _channel = await _client.CreateChannelAsync().InTime();
        _lane = await AmqpConnection.ConnectAsync(LaneOptions.Of(Broker.Node.Factory(), [], null)).InTime();
        _queue = Broker.UniqueName(nameof(LanePropertiesTests));
        await _channel.QueueDeclareAsync(_queue, durable: false, exclusive: false, autoDelete: false).InTime();
    }

    public async Task DisposeAsync()
    {
        await _channel.QueueDeleteAsync(_queue).InTime();
        await _lane.DisposeAsync();
        await _client.DisposeAsync();
    }

    [Fact]
    public async Task What_the_lane_writes_the_client_reads_as_what_it_writes_itself()
    {
        BasicProperties properties = Everything();
        await _channel.BasicPublishAsync("", _queue, mandatory: true, properties, new byte[] { 1 }).AsTask().InTime();
        await using IBrokerChannel lane = await LaneConnection.Of(_lane).OpenChannelAsync(new ChannelUse(), CancellationToken.None).InTime();
        await lane.PublishBytesAsync(new Outgoing(_queue), properties, new(new byte[] { 1 })).AsTask().InTime();

        BasicGetResult clients = await GetAsync();
        BasicGetResult lanes = await GetAsync();
        Assert.Equal(Show(clients.BasicProperties), Show(lanes.BasicProperties));
        Assert.Contains("'decimal'", Show(lanes.BasicProperties), StringComparison.Ordinal);
        Assert.Equal([1], lanes.Body.ToArray());
    }

    [Fact]
    public async Task What_the_lane_reads_is_what_the_client_reads()
    {
        foreach (BasicProperties properties in (BasicProperties[])[Everything(), new BasicProperties(), new BasicProperties { Headers = new Dictionary<string, object?>() }])
        {
            await _channel.BasicPublishAsync("", _queue, mandatory: true, properties, new byte[] { 1, 2 }).AsTask().InTime();
            string clients = Show((await GetAsync()).BasicProperties);
            await using IBrokerChannel lane = await LaneConnection.Of(_lane).OpenChannelAsync(new ChannelUse(), CancellationToken.None).InTime();
            var listener = new Listener();
            lane.Listen(listener);
            await lane.ConsumeAsync(_queue, autoAck: true, consumerTag: "", exclusive: false, arguments: null, CancellationToken.None).InTime();
            await _channel.BasicPublishAsync("", _queue, mandatory: true, properties, new byte[] { 1, 2 }).AsTask().InTime();

            Assert.Equal((clients, _queue), await listener.Seen.Task.InTime());
        }
    }

    [Fact]
    public async Task What_cannot_be_written_is_refused_in_the_same_words_and_harms_nothing_else()
    {
        await using IBrokerChannel lane = await LaneConnection.Of(_lane).OpenChannelAsync(new ChannelUse(), CancellationToken.None).InTime();
        await using IBrokerChannel client = await ClientConnection.Of(_client).OpenChannelAsync(new ChannelUse(), CancellationToken.None).InTime();
        foreach (object value in (object[])[Guid.Empty, 1UL, 'c', new object[] { new Version(1, 0) }, new Dictionary<string, object?> { ["inner"] = DateTime.UnixEpoch }])
        {
            var properties = new BasicProperties { Headers = new Dictionary<string, object?> { ["bad"] = value } };
            string lanes = (await Assert.ThrowsAsync<ArgumentException>(() => PublishAsync(lane))).Message;
            string clients = (await Assert.ThrowsAsync<ArgumentException>(() => PublishAsync(client))).Message;
            Assert.Equal(clients, lanes);

            Task PublishAsync(IBrokerChannel channel) => channel.PublishBytesAsync(new Outgoing(_queue), properties, default).AsTask().InTime();
        }

        // The client finds this one when it writes the message, and the lane before.
        var overflow = new BasicProperties { Headers = new Dictionary<string, object?> { ["bad"] = decimal.MaxValue } };
        ArgumentException error = await Assert.ThrowsAsync<ArgumentException>(() => lane.PublishBytesAsync(new Outgoing(_queue), overflow, default).AsTask().InTime());
        Assert.Contains("Decimal overflow", error.Message, StringComparison.Ordinal);

        await lane.PublishBytesAsync(new Outgoing(_queue), new BasicProperties { MessageId = "good" }, default).AsTask().InTime();
        Assert.Equal("good", (await GetAsync()).BasicProperties.MessageId);
        Assert.Equal(0u, await _channel.MessageCountAsync(_queue).InTime());
    }

    [Fact]
    public async Task Headers_that_contain_themselves_are_refused()
    {
        await using IBrokerChannel lane = await LaneConnection.Of(_lane).OpenChannelAsync(new ChannelUse(), CancellationToken.None).InTime();
        var headers = new Dictionary<string, object?>();
        headers["self"] = headers;
        ArgumentException error = await Assert.ThrowsAsync<ArgumentException>(
            () => lane.PublishBytesAsync(new Outgoing(_queue), new BasicProperties { Headers = headers }, default).AsTask().InTime());
        Assert.Contains("contain itself", error.Message, StringComparison.Ordinal);
        Assert.True(lane.IsOpen);
    }

    private static BasicProperties Everything() => new()
    {
        AppId = "app",
        ClusterId = "cluster",
        ContentEncoding = "br",
        ContentType = "application/x-wire",
        CorrelationId = "correlation",
        DeliveryMode = DeliveryModes.Persistent,
        Expiration = "600000",
        MessageId = "id \u00E9",
        Priority = 3,
        ReplyTo = "topic://exchange/key",
        Timestamp = new AmqpTimestamp(1_700_000_000),
        Type = "type",
        UserId = "guest",
        Headers = new Dictionary<string, object?>
        {
            ["null"] = null,
            ["text"] = "text \u00E9 \U0001F600",
            ["long text"] = new string('x', 1000),
            ["bytes"] = new byte[] { 0, 1, 255 },
            ["binary"] = new BinaryTableValue([2, 3]),
            ["true"] = true,
            ["sbyte"] = (sbyte)-1,
            ["byte"] = (byte)200,
            ["short"] = short.MinValue,
            ["ushort"] = ushort.MaxValue,
            ["int"] = int.MinValue,
            ["uint"] = uint.MaxValue,
            ["long"] = long.MinValue,
            ["float"] = -1.5f,
            ["double"] = double.Epsilon,
            ["decimal"] = -12.50m,
            ["time"] = new AmqpTimestamp(-5),
            ["table"] = new Dictionary<string, object?> { ["a"] = 1, ["b"] = new Dictionary<string, object?> { ["c"] = "d" }, ["empty"] = new Dictionary<string, object?>() },
            ["other table"] = new Hashtable { ["key"] = "value" },
            ["list"] = new List<object?> { 1, "two", null, new List<object?> { 3.0 }, new Dictionary<string, object?> { ["four"] = 4L } },
            ["array"] = new[] { "a", "b" },
            ["nothing"] = Array.Empty<object>(),
        },
    };

    // All that one can ask, and the types of what one gets.
    private static string Show(IReadOnlyBasicProperties said) => string.Join(
        '\n',
        $"{said.AppId}|{said.ClusterId}|{said.ContentEncoding}|{said.ContentType}|{said.CorrelationId}|{said.DeliveryMode}|{said.Expiration}|{said.MessageId}|{said.Persistent}",
        $"{said.Priority}|{said.ReplyTo}|{said.ReplyToAddress}|{said.Timestamp.UnixTime}|{said.Type}|{said.UserId}",
        $"{said.IsAppIdPresent()} {said.IsClusterIdPresent()} {said.IsContentEncodingPresent()} {said.IsContentTypePresent()} {said.IsCorrelationIdPresent()} {said.IsDeliveryModePresent()} {said.IsExpirationPresent()}",
        $"{said.IsHeadersPresent()} {said.IsMessageIdPresent()} {said.IsPriorityPresent()} {said.IsReplyToPresent()} {said.IsTimestampPresent()} {said.IsTypePresent()} {said.IsUserIdPresent()}",
        Show(said.Headers));

    private static string Show(object? value) => value switch
    {
        null => "null",
        byte[] bytes => $"bytes {Convert.ToHexString(bytes)}",
        BinaryTableValue binary => $"binary {Convert.ToHexString(binary.Bytes)}",
        AmqpTimestamp time => $"time {time.UnixTime}",
        IDictionary<string, object?> table => $"{table.GetType()} {{{string.Join(", ", table.OrderBy(pair => pair.Key, StringComparer.Ordinal).Select(pair => $"'{pair.Key}': {Show(pair.Value)}"))}}}",
        IList list => $"{list.GetType()} [{string.Join(", ", list.Cast<object?>().Select(Show))}]",
        _ => FormattableString.Invariant($"{value.GetType()} {value}"),
    };

    private async Task<BasicGetResult> GetAsync()
    {
        using var limit = new CancellationTokenSource(Patience.Limit);
        BasicGetResult? got;
        while ((got = await _channel.BasicGetAsync(_queue, autoAck: true, limit.Token)) is null)
        {
            await Task.Delay(10, limit.Token);
        }

        return got;
    }

    private sealed class Outgoing(string queue) : IOutgoing
    {
        public string Exchange => "";

        public string RoutingKey => queue;

        public bool Mandatory => false;

        public bool TryCommit(long bodySize) => true;
    }

    private sealed class Listener : IBrokerChannelEvents
    {
        public TaskCompletionSource<(string Properties, string RoutingKey)> Seen { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        void IBrokerChannelEvents.Delivered(in Incoming incoming)
        {
            try
            {
                Seen.TrySetResult((Show(incoming.Properties), incoming.RoutingKey));
            }
            catch (Exception e)
            {
                Seen.TrySetException(e);
            }
        }

        void IBrokerChannelEvents.Closed(global::RabbitMQ.Client.Events.ShutdownEventArgs reason) =>
            Seen.TrySetException(new InvalidOperationException(reason.ToString()));
    }
}
