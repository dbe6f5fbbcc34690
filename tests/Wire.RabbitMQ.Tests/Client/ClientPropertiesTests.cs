using System.Collections;
using RabbitMQ.Client;
using Wire.Amqp.V091;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;
using RabbitProperties = RabbitMQ.Client.BasicProperties;

namespace Wire.RabbitMQ.Tests.Client;

/// <summary>
/// Properties and headers are the same over both clients, in the same bytes, as those that RabbitMQ.Client itself writes and reads.
/// </summary>
public sealed class ClientPropertiesTests : IAsyncLifetime
{
    private IConnection _client = null!;
    private IChannel _channel = null!;
    private string _queue = "";

    public async Task InitializeAsync()
    {
        _client = await Broker.Node.ConnectAsync().InTime();
        _channel = await _client.CreateChannelAsync().InTime();
        _queue = Broker.UniqueName(nameof(ClientPropertiesTests));
        await _channel.QueueDeclareAsync(_queue, durable: false, exclusive: false, autoDelete: false).InTime();
    }

    public async Task DisposeAsync()
    {
        await _channel.QueueDeleteAsync(_queue).InTime();
        await _client.DisposeAsync();
    }

    [Fact]
    public async Task What_is_published_over_either_is_read_as_the_same()
    {
        var options = new PublishOptions
        {
            AppId = "app",
            CorrelationId = "correlation",
            Expiration = TimeSpan.FromMinutes(10),
            MessageId = "id \u00E9",
            Priority = 3,
            ReplyTo = "topic://exchange/key",
            Type = "type",
            UserId = "guest",
            Headers = new Dictionary<string, object?>
            {
                ["null"] = null,
                ["text"] = "text \u00E9 \U0001F600",
                ["long text"] = new string('x', 1000),
                ["bytes"] = new byte[] { 0, 1, 255 },
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
                ["decimal"] = 12.50m,
                ["time"] = new Timestamp(-5),
                ["table"] = new Dictionary<string, object?> { ["a"] = 1, ["b"] = new Dictionary<string, object?> { ["c"] = "d" } },
                ["list"] = new List<object?> { 1, "two", null, new List<object?> { 3.0 },
                    new Dictionary<string, object?> { ["four"] = 4L } },
                ["array"] = new[] { "a", "b" },
            },
        };
        var seen = new List<string>();
        foreach (WireTransport transport in Enum.GetValues<WireTransport>())
        {
            await using TestConnection connection = await TestConnection.ConnectAsync(transport);
            await using WirePublisher publisher = connection.Publisher(Shop.Serializer);
            await publisher.PublishAsync("", _queue, 1, options).AsTask().InTime();
            BasicGetResult got = (await _channel.BasicGetAsync(_queue, autoAck: true).InTime())!;
            Assert.InRange(got.BasicProperties.Timestamp.UnixTime, 1_700_000_000, long.MaxValue);
            seen.Add(Show(got.BasicProperties));

            // And what the one has published comes back to a handler as it was, over each.
            foreach (WireTransport other in Enum.GetValues<WireTransport>())
            {
                await publisher.PublishAsync("", _queue, 1, options).AsTask().InTime();
                IReadOnlyDictionary<string, object?> headers = await ReadAsync(other);
                Assert.Equal(
                    options.Headers.Where(header => header.Key != "array").Select(header => $"{header.Key}: {Show(header.Value)}").Order(
                        StringComparer.Ordinal),
                    headers.Where(header => header.Key != "array").Select(header => $"{header.Key}: {Show(header.Value)}").Order(
                        StringComparer.Ordinal));
                Assert.Equal(["a", "b"], ((IEnumerable)headers["array"]!).Cast<string>());
            }
        }

        Assert.Equal(seen[0], seen[1]);
        Assert.Contains("bytes 74657874", seen[0], StringComparison.Ordinal);
    }

    [Fact]
    public async Task What_rabbitmq_client_has_published_is_read_as_the_same_over_either()
    {
        RabbitProperties[] all =
            [Everything(), new RabbitProperties(), new RabbitProperties { Headers = new Dictionary<string, object?>() }];
        foreach (RabbitProperties properties in all)
        {
            var seen = new List<string>();
            foreach (WireTransport transport in Enum.GetValues<WireTransport>())
            {
                using WireBody body = Shop.Serializer.Write(1, new RabbitProperties(properties));
                body.Properties.Headers = properties.Headers;
                await _channel.BasicPublishAsync("", _queue, mandatory: true, body.Properties, body.Memory).AsTask().InTime();
                seen.Add(Show(await ReadAsync(transport)));
            }

            Assert.Equal(seen[0], seen[1]);
        }
    }

    [Fact]
    public async Task A_byte_array_of_rabbitmq_client_is_read_as_its_bytes_over_either()
    {
        byte[] signature = System.Security.Cryptography.SHA256.HashData("message"u8);
        foreach (WireTransport transport in Enum.GetValues<WireTransport>())
        {
            using WireBody body = Shop.Serializer.Write(1, new RabbitProperties
            {
                Headers = new Dictionary<string, object?>
                {
                    ["signature"] = signature,
                    ["text"] = "\u00e9",
                    ["list"] = new List<object?> { signature },
                },
            });
            await _channel.BasicPublishAsync("", _queue, mandatory: true, body.Properties, body.Memory).AsTask().InTime();
            IReadOnlyDictionary<string, object?> headers = await ReadAsync(transport);
            Assert.Equal(signature, Assert.IsType<byte[]>(headers["signature"]));
            Assert.Equal("\u00e9", Assert.IsType<string>(headers["text"]));
            Assert.Equal(signature, Assert.IsType<byte[]>(Assert.IsType<List<object?>>(headers["list"])[0]));
        }
    }

    [Fact]
    public async Task Headers_that_rabbitmq_client_has_received_are_published_again_over_either()
    {
        var sent = new RabbitProperties
        {
            Headers = new Dictionary<string, object?>
            {
                ["time"] = new AmqpTimestamp(-5),
                ["binary"] = new BinaryTableValue([2, 3, 255]),
                ["list"] = new List<object?> { new AmqpTimestamp(7), new BinaryTableValue([]) },
                ["table"] = new Dictionary<string, object?> { ["a"] = new AmqpTimestamp(9) },
            },
        };
        await _channel.BasicPublishAsync("", _queue, mandatory: true, sent, ReadOnlyMemory<byte>.Empty).AsTask().InTime();
        BasicGetResult taken = (await _channel.BasicGetAsync(_queue, autoAck: true).InTime())!;
        var received = new Dictionary<string, object?>(taken.BasicProperties.Headers!);
        foreach (WireTransport transport in Enum.GetValues<WireTransport>())
        {
            await using TestConnection connection = await TestConnection.ConnectAsync(transport);
            await using WirePublisher publisher = connection.Publisher(Shop.Serializer);
            await publisher.PublishAsync("", _queue, 1, new PublishOptions { Headers = received }).AsTask().InTime();
            BasicGetResult got = (await _channel.BasicGetAsync(_queue, autoAck: true).InTime())!;
            Assert.Equal(Show(received), Show(got.BasicProperties.Headers));
        }
    }

    [Fact]
    public async Task What_cannot_be_written_is_refused_in_the_same_words_and_harms_nothing_else()
    {
        await using TestConnection client = await TestConnection.ConnectAsync(WireTransport.Client);
        await using TestConnection lane = await TestConnection.ConnectAsync(WireTransport.DirectLane);
        await using WirePublisher overClient = client.Publisher(Shop.Serializer);
        await using WirePublisher overLane = lane.Publisher(Shop.Serializer);
        var self = new Dictionary<string, object?>();
        self["self"] = self;
        foreach (object value in (object[])
            [Guid.Empty, 'c', new object[] { new Version(1, 0) }, new Dictionary<string, object?> { ["inner"] = DateTime.UnixEpoch },
                decimal.MaxValue, -19.90m, new object[] { -1m }, self])
        {
            var options = new PublishOptions { Headers = new Dictionary<string, object?> { ["bad"] = value } };
            string lanes = (await Assert.ThrowsAsync<ArgumentException>(
                () => overLane.PublishAsync("", _queue, 1, options).AsTask().InTime())).Message;
            string clients = (await Assert.ThrowsAsync<ArgumentException>(
                () => overClient.PublishAsync("", _queue, 1, options).AsTask().InTime())).Message;
            Assert.Equal(clients, lanes);
            Assert.Contains(nameof(PublishOptions.Headers), lanes, StringComparison.Ordinal);
        }

        await overLane.PublishAsync("", _queue, 1, new PublishOptions { MessageId = "good" }).AsTask().InTime();
        await overClient.PublishAsync("", _queue, 1, new PublishOptions { MessageId = "good" }).AsTask().InTime();
        Assert.Equal(2u, await _channel.MessageCountAsync(_queue).InTime());
    }

    private async Task<IReadOnlyDictionary<string, object?>> ReadAsync(WireTransport transport)
    {
        await using TestConnection connection = await TestConnection.ConnectAsync(transport);
        var seen = new TaskCompletionSource<IReadOnlyDictionary<string, object?>>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using WireConsumer consumer = connection
            .Consumer(Shop.Serializer, new WireConsumerOptions { Queue = _queue, OnFailure = FailureAction.DeadLetter })
            .Handle<int>((_, context) =>
            {
                var all = new Dictionary<string, object?>(context.Headers);
                seen.TrySetResult(all);
                return Task.CompletedTask;
            });
        await consumer.StartAsync().InTime();
        return await seen.Task.InTime();
    }

    private static RabbitProperties Everything() => new()
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
            ["table"] = new Dictionary<string, object?> { ["a"] = 1, ["b"] = new Dictionary<string, object?> { ["c"] = "d" } },
            ["other table"] = new Hashtable { ["key"] = "value" },
            ["list"] = new List<object?> { 1, "two", null, new List<object?> { 3.0 }, new Dictionary<string, object?> { ["four"] = 4L } },
            ["array"] = new[] { "a", "b" },
        },
    };

    // All that one can ask, and the types of what one gets.
    private static string Show(IReadOnlyBasicProperties said) => string.Join(
        '\n',
        $"{said.AppId}|{said.ClusterId}|{said.ContentEncoding}|{said.ContentType}|{said.CorrelationId}|" +
        $"{said.DeliveryMode}|{said.Expiration}|{said.MessageId}|{said.Persistent}",
        $"{said.Priority}|{said.ReplyTo}|{said.ReplyToAddress}|{said.Type}|{said.UserId}",
        $"{said.IsAppIdPresent()} {said.IsClusterIdPresent()} {said.IsContentEncodingPresent()} {said.IsContentTypePresent()} " +
        $"{said.IsCorrelationIdPresent()} {said.IsDeliveryModePresent()} {said.IsExpirationPresent()}",
        $"{said.IsHeadersPresent()} {said.IsMessageIdPresent()} {said.IsPriorityPresent()} {said.IsReplyToPresent()} " +
        $"{said.IsTimestampPresent()} {said.IsTypePresent()} {said.IsUserIdPresent()}",
        Show(said.Headers));

    private static string Show(object? value) => value switch
    {
        null => "null",
        byte[] bytes => $"bytes {Convert.ToHexString(bytes)}",
        BinaryTableValue binary => $"binary {Convert.ToHexString(binary.Bytes)}",
        AmqpTimestamp time => $"time {time.UnixTime}",
        Timestamp time => $"time {time.Seconds}",
        IDictionary<string, object?> table =>
            "{" + string.Join(
                ", ", table.OrderBy(pair => pair.Key, StringComparer.Ordinal).Select(pair => $"'{pair.Key}': {Show(pair.Value)}")) + "}",
        IList list => $"[{string.Join(", ", list.Cast<object?>().Select(Show))}]",
        _ => FormattableString.Invariant($"{value.GetType()} {value}"),
    };
}
