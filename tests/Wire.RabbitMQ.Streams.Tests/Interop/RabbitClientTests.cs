using System.Buffers;
using System.Text;
using System.Text.Json.Nodes;
using RabbitMQ.Client;
using Wire.Amqp.V10;
using Wire.RabbitMQ.Streams.Chunks;
using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Streams.Tests.Interop;

/// <summary>
/// Messages go from RabbitMQ.Client into a stream and back: the broker makes AMQP 1.0 messages of those of AMQP 0-9-1, and the other way
/// round.
/// </summary>
public sealed class RabbitClientTests
{
    private static readonly DateTimeOffset Time = new(2031, 2, 3, 4, 5, 6, TimeSpan.Zero);

    private readonly Serializer _serializer = new();

    [Fact]
    public async Task What_it_publishes_is_read()
    {
        await using RabbitClient client = await RabbitClient.OpenAsync();
        byte[] body = Encoding.UTF8.GetBytes("Grüße, 世界");
        var properties = new BasicProperties
        {
            MessageId = "id",
            CorrelationId = "correlation",
            UserId = "guest",
            ReplyTo = "reply-to",
            ContentType = "application/json",
            ContentEncoding = "utf-8",
            Timestamp = new AmqpTimestamp(Time.ToUnixTimeSeconds()),
            Type = "type",
            AppId = "app",
            Priority = 3,
            DeliveryMode = DeliveryModes.Persistent,
            Expiration = "60000",
            Headers = new Dictionary<string, object?>
            {
                ["text"] = "🐇",
                ["bool"] = true,
                ["byte"] = byte.MaxValue,
                ["sbyte"] = (sbyte)-5,
                ["short"] = short.MinValue,
                ["ushort"] = ushort.MaxValue,
                ["int"] = -5,
                ["uint"] = uint.MaxValue,
                ["long"] = long.MinValue,
                ["float"] = 1.5f,
                ["double"] = -1e300,
                ["time"] = new AmqpTimestamp(Time.ToUnixTimeSeconds()),
                ["binary"] = new BinaryTableValue([1, 2, 255]),
            },
        };
        await client.PublishAsync(properties, body);
        await client.PublishAsync(new BasicProperties(), []);

        // That client says text of all bytes, such as the number that it gives to each message when it tracks confirms.
        await client.PublishAsync(
            new BasicProperties { Headers = new Dictionary<string, object?> { ["x-dotnet-pub-seq-no"] = new byte[] { 0x80, (byte)'a' } } },
            body);

        // RabbitMQ 4 has a header for what 3 has annotations for, and 4.3 makes an address of the queue to reply to.
        bool isNew = Broker.Node.Version.Major >= 4;
        string route = $"""
            "x-exchange": ["string", ""], "x-routing-key": ["string", "{client.Stream}"]
            """;
        string noHeader = isNew
            ? """ "header": { "durable": false, "priority": null, "ttl": null, "first-acquirer": true }, """
            : "";
        string head = isNew
            ? $$"""
                "header": { "durable": true, "priority": 3, "ttl": 60000, "first-acquirer": true },
                "message-annotations": { "x-basic-type": ["string", "type"], {{route}} },
                """
            : $$"""
                "message-annotations": { "x-basic-delivery-mode": ["ubyte", "2"], "x-basic-expiration": ["string", "60000"],
                "x-basic-priority": ["ubyte", "3"], {{route}} },
                """;
        string replyTo = Broker.Node.Version >= new Version(4, 3) ? "/queues/reply-to" : "reply-to";
        string[] expected =
        [
            $$"""
            {
              {{head}}
              "properties": {
                "message-id": ["string", "id"], "user-id": ["binary", "6775657374"], "reply-to": ["string", "{{replyTo}}"],
                "correlation-id": ["string", "correlation"],
                "content-type": ["symbol", "application/json"], "content-encoding": ["symbol", "utf-8"],
                "creation-time": ["timestamp", "1927857906000"]{{(isNew ? """, "group-id": ["string", "app"]""" : "")}}
              },
              "application-properties": {
                {{(isNew ? "" : """ "x-basic-type": ["string", "type"], "x-basic-app-id": ["string", "app"], """)}}
                "text": ["string", "🐇"], "bool": ["boolean", "true"], "byte": ["ubyte", "255"], "sbyte": ["byte", "-5"],
                "short": ["short", "-32768"],
                "ushort": ["ushort", "65535"], "int": ["int", "-5"], "uint": ["uint", "4294967295"],
                "long": ["long", "-9223372036854775808"],
                "float": ["float", "1.5"], "double": ["double", "-1E+300"], "time": ["timestamp", "1927857906000"],
                "binary": ["binary", "0102ff"]
              },
              "data": {{MessageDescription.Line(MessageDescription.OfData(body))}}
            }
            """,
            $$"""
            {
              {{noHeader}} "message-annotations": { {{route}} },
              "data": {{MessageDescription.Line(MessageDescription.OfData([]))}}
            }
            """,
            isNew
                ? $$"""
                {
                  {{noHeader}} "message-annotations": { "x-dotnet-pub-seq-no": ["binary", "8061"], {{route}} },
                  "data": {{MessageDescription.Line(MessageDescription.OfData(body))}}
                }
                """
                : $$"""
                {
                  "message-annotations": { {{route}} },
                  "application-properties": { "x-dotnet-pub-seq-no": ["string", "\uFFFDa"] },
                  "data": {{MessageDescription.Line(MessageDescription.OfData(body))}}
                }
                """,
        ];
        Assert.Equal(
            string.Join('\n', expected.Select(text => MessageDescription.Line(JsonNode.Parse(text)!))),
            await ReadAsync(client.Stream, expected.Length));
    }

    [Fact]
    public async Task What_is_published_is_read_by_it()
    {
        await using RabbitClient client = await RabbitClient.OpenAsync();
        byte[] body = "hello"u8.ToArray();
        var guid = Guid.Parse("00112233-4455-6677-8899-aabbccddeeff");
        byte[][] messages =
        [
            Message(default, default, body),
            Message(
                new Properties
                {
                    MessageId = "id",
                    UserId = "guest"u8.ToArray(),
                    To = "to",
                    Subject = "subject",
                    ReplyTo = "reply-to",
                    CorrelationId = "correlation",
                    ContentType = "application/json",
                    ContentEncoding = "utf-8",
                    CreationTime = Time,
                },
                AmqpValue.Map(
                    ("text", "🐇"), ("true", true), ("false", false), ("ubyte", byte.MaxValue), ("byte", (sbyte)-5),
                    ("short", short.MinValue), ("ushort", ushort.MaxValue),
                    ("int", -5), ("uint", uint.MaxValue), ("long", long.MinValue), ("float", 1.5f), ("double", -1e300), ("time", Time),
                    ("binary", new byte[] { 1, 2, 255 })),
                body),
            Message(new Properties { MessageId = guid, CorrelationId = ulong.MaxValue }, default, []),
        ];
        await using (var streams = new StreamClient(StreamBroker.Options))
        await using (StreamProducer producer = await streams.CreateProducerAsync(client.Stream))
        {
            foreach (byte[] message in messages)
            {
                await producer.SendBytesAsync(message);
            }
        }

        IReadOnlyList<(IReadOnlyBasicProperties Properties, byte[] Body)> read = await client.ConsumeAsync(3);
        Assert.Equal([body, body, []], read.Select(message => message.Body));
        Assert.Equal(["x-stream-offset"], read[0].Properties.Headers!.Keys);
        Assert.Equal([0L, 1L, 2L], read.Select(message => (long)message.Properties.Headers!["x-stream-offset"]!));

        IReadOnlyBasicProperties all = read[1].Properties;
        Assert.Equal(
            ("id", "guest", "reply-to", "correlation", "application/json", "utf-8"),
            (all.MessageId, all.UserId, all.ReplyTo, all.CorrelationId, all.ContentType, all.ContentEncoding));
        Assert.Equal(Time.ToUnixTimeSeconds(), all.Timestamp.UnixTime);
        IDictionary<string, object?> headers = all.Headers!;
        Assert.Equal("🐇", Encoding.UTF8.GetString((byte[])headers["text"]!));
        Assert.Equal(
            [
                true,
                false,
                byte.MaxValue,
                (sbyte)-5,
                short.MinValue,
                ushort.MaxValue,
                -5,
                uint.MaxValue,
                long.MinValue,
                1.5f,
                -1e300,
                new AmqpTimestamp(Time.ToUnixTimeSeconds()),
            ],
            new[] { "true", "false", "ubyte", "byte", "short", "ushort", "int", "uint", "long", "float", "double", "time" }.Select(
                key => headers[key]));

        // What RabbitMQ 4 makes of it is a long string, which that client takes for bytes in any case.
        Assert.Equal([1, 2, 255], headers["binary"] is BinaryTableValue binary ? binary.Bytes : (byte[])headers["binary"]!);
        Assert.Equal(Broker.Node.Version.Major < 4, headers["binary"] is BinaryTableValue);

        // Ids that AMQP 0-9-1 has no type for come as text, and headers of RabbitMQ 3 say what they were.
        Assert.Equal("18446744073709551615", read[2].Properties.CorrelationId);
        IEnumerable<string> types =
            from header in read[2].Properties.Headers
            where header.Key != "x-stream-offset"
            orderby header.Key
            select $"{header.Key}: {Encoding.UTF8.GetString((byte[])header.Value!)}";
        Assert.Equal(Broker.Node.Version.Major < 4 ? ["x-correlation-id-type: ulong", "x-message-id-type: uuid"] : [], types);
    }

    private static byte[] Message(Properties? properties, AmqpMap map, byte[] data)
    {
        var message = new ArrayBufferWriter<byte>();
        if (properties is { } some)
        {
            MessageWriter.Write(message, some);
        }

        if (map.Count > 0)
        {
            MessageWriter.Write(message, new ApplicationProperties { Map = map });
        }

        MessageWriter.Write(message, new DataSection { Bytes = new ReadOnlySequence<byte>(data) });
        return message.WrittenSpan.ToArray();
    }

    private async Task<string> ReadAsync(string stream, int messages)
    {
        using var chunks = new ChunkMessages(stream, _serializer, new ChunkReading());
        List<string> read = [];
        foreach (byte[] chunk in await RawSubscription.TakeAsync(stream, messages))
        {
            foreach (StreamMessage message in chunks.Read(chunk, 0, 0).Span)
            {
                read.Add(MessageDescription.Line(MessageDescription.Of(message)));
            }
        }

        return string.Join('\n', read);
    }
}
