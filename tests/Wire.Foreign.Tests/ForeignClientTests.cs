using System.Buffers;
using System.Globalization;
using System.Numerics;
using System.Text.Json.Nodes;
using Wire.Amqp;
using Wire.Amqp.Client;
using Wire.Amqp.V091;
using Wire.Testing;

namespace Wire.Foreign.Tests;

/// <summary>
/// Messages go to a client of others and come from it as they were: every property or its absence, each header with its type, and the body.
/// What a client does by a mistake of its own is in its model, with the reason.
/// </summary>
public abstract class ForeignClientTests(string program, string script) : IAsyncLifetime
{
    private ForeignClient? _client;
    private AmqpConnection? _connection;
    private AmqpChannel? _channel;
    private string _queue = "";

    /// <summary>The types of headers that the client can write.</summary>
    protected abstract string WrittenTypes { get; }

    /// <summary>Gets whether it lets programs set the cluster id.</summary>
    protected abstract bool WritesClusterId { get; }

    public async Task InitializeAsync()
    {
        _client = ForeignClient.Start(program, script);
        _connection = await AmqpConnection.ConnectAsync(
            AmqpConnectionOptions.Parse(Broker.Node.Uri) with { VirtualHost = "/" }).InTime();
        _channel = await _connection.OpenChannelAsync().InTime();
        _queue = (await _channel.Topology.DeclareQueueAsync(Broker.UniqueName("foreign")).InTime()).Name;
    }

    public async Task DisposeAsync()
    {
        await _channel!.Topology.DeleteQueueAsync(_queue).InTime();
        await _connection!.DisposeAsync().AsTask().InTime();
        await _client!.DisposeAsync();
    }

    [Fact]
    public async Task Properties_go_and_come()
    {
        await GoesAsync(Exchanged.WithProperties(withClusterId: true));
        await ComesAsync(Exchanged.WithProperties(WritesClusterId));
    }

    [Fact]
    public async Task Headers_of_each_type_go() => await GoesAsync(Exchanged.WithHeaders("tbBsuIilfdDSxTV"));

    [Fact]
    public async Task Headers_of_each_type_that_it_can_write_come() => await ComesAsync(Exchanged.WithHeaders(WrittenTypes));

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(131_064)]
    [InlineData(131_065)]
    [InlineData(1 << 20)]
    [InlineData(3_000_001)]
    public async Task Bodies_go_and_come(int length)
    {
        await GoesAsync(Exchanged.WithBody(length));
        await ComesAsync(Exchanged.WithBody(length));
    }

    [Fact]
    public async Task What_it_wrote_is_written_again_by_Wire_with_the_same_bytes()
    {
        Exchanged message = Exchanged.WithHeaders(WrittenTypes);
        await PublishAsync(message);
        FieldTable read;
        using (AmqpDelivery? first = await _channel!.GetAsync(_queue, noAck: true).InTime())
        {
            read = new FieldTable(first!.Value.Properties.Headers.Encoded.ToArray());
        }

        Assert.Equal(read, FieldTable.Create(read.ToDictionary()));
        await GoesAsync(message with { Properties = message.Properties with { Headers = read } });
    }

    /// <summary>What the client shows of an integer, or of a number of 32 or 64 bits.</summary>
    protected abstract JsonObject ShownNumber(FieldValue value);

    /// <summary>What the client shows of a decimal number.</summary>
    protected abstract JsonArray ShownDecimal(int places, int digits);

    // What the client shows of a header.
    private JsonObject Shown(FieldValue value)
    {
        switch (value.Type)
        {
            case FieldType.Void:
                return new JsonObject { ["nothing"] = true };
            case FieldType.Boolean:
                return new JsonObject { ["boolean"] = value.AsBoolean() };
            case FieldType.String:
                return new JsonObject { ["text"] = value.AsString().ToString() };
            case FieldType.Bytes:
                return new JsonObject { ["bytes"] = Convert.ToBase64String(value.AsBytes().Span) };
            case FieldType.Timestamp:
                return new JsonObject { ["timestamp"] = value.AsTimestamp().Seconds };
            case FieldType.Decimal:
                (int places, int digits) = FieldNotation.DecimalOf(value.AsDecimal());
                return new JsonObject { ["decimal"] = ShownDecimal(places, digits) };
            case FieldType.Array:
                var elements = new JsonArray();
                foreach (FieldValue element in value.AsArray())
                {
                    elements.Add((JsonNode)Shown(element));
                }

                return new JsonObject { ["array"] = elements };
            case FieldType.Table:
                var fields = new JsonObject();
                foreach ((AmqpString name, FieldValue field) in value.AsTable())
                {
                    fields[name.ToString()] = Shown(field);
                }

                return new JsonObject { ["table"] = fields };
            default:
                return ShownNumber(value);
        }
    }

    /// <summary>Wire publishes and the client takes.</summary>
    private async Task GoesAsync(Exchanged message)
    {
        BasicProperties properties = message.Properties;
        await _channel!.PublishBytesAsync(
            new BasicPublish { Exchange = "", RoutingKey = _queue }, in properties, message.Body).AsTask().InTime();
        JsonObject answer = await _client!.AskAsync(new JsonObject { ["do"] = "get", ["queue"] = _queue });
        Answer.Equal(message.Answer(Shown), answer);
    }

    /// <summary>The client publishes and Wire takes.</summary>
    private async Task ComesAsync(Exchanged message)
    {
        await PublishAsync(message);
        using AmqpDelivery? taken = await _channel!.GetAsync(_queue, noAck: true).InTime();
        AmqpDelivery delivery = Assert.NotNull(taken);
        var come = new Exchanged(delivery.Properties, delivery.Body.ToArray());
        Answer.Equal(message.PresentProperties(), come.PresentProperties());
        Answer.Equal(Delivered(FieldNotation.Of(message.Properties.Headers)), FieldNotation.Of(come.Properties.Headers));
        Assert.Equal(message.Body, come.Body);
    }

    // RabbitMQ 4 sorts the headers.
    private static JsonArray Delivered(JsonArray headers) => Broker.Node.Version.Major < 4
        ? headers
        : new([.. headers.OrderBy(header => (string)header![0]!, StringComparer.Ordinal).Select(header => header!.DeepClone())]);

    private async Task PublishAsync(Exchanged message) => Answer.Equal(new JsonObject(), await _client!.AskAsync(new JsonObject
    {
        ["do"] = "publish",
        ["queue"] = _queue,
        ["properties"] = message.PresentProperties(),
        ["headers"] = FieldNotation.Of(message.Properties.Headers),
        ["body"] = Convert.ToBase64String(message.Body),
    }));
}

/// <inheritdoc/>
[Trait("Takes", "long")]
[Trait("Client", "amqplib")]
public sealed class AmqplibTests() : ForeignClientTests("node", "amqplib.js")
{
    protected override string WrittenTypes => "tbBsuIilfdDSxTV";

    protected override bool WritesClusterId => false;

    // JavaScript has one type of number: of integers of 64 bits, those that need more than 53 are rounded.
    protected override JsonObject ShownNumber(FieldValue value) => new()
    {
        ["number"] = FieldNotation.Bits(value.Type is FieldType.Single or FieldType.Double ? value.AsDouble() : value.AsInt64()),
    };

    protected override JsonArray ShownDecimal(int places, int digits) => [places, digits];
}

/// <inheritdoc/>
[Trait("Takes", "long")]
[Trait("Client", "pika")]
public sealed class PikaTests() : ForeignClientTests("python3", "pika_client.py")
{
    // It chooses the type by the value, and has no others.
    protected override string WrittenTypes => "tIlDSxTV";

    protected override bool WritesClusterId => true;

    // Version 1.2 takes `l` and `b` for unsigned, `B` for signed, and cuts `f` and `d` to integers.
    protected override JsonObject ShownNumber(FieldValue value)
    {
        BigInteger shown = value.Type switch
        {
            FieldType.SByte => (byte)value.AsInt64(),
            FieldType.Byte => (sbyte)value.AsInt64(),
            FieldType.Int64 => (ulong)value.AsInt64(),
            FieldType.Single or FieldType.Double => new BigInteger(value.AsDouble()),
            _ => value.AsInt64(),
        };
        return new JsonObject { ["integer"] = shown.ToString(CultureInfo.InvariantCulture) };
    }

    protected override JsonArray ShownDecimal(int places, int digits)
    {
        var divisor = BigInteger.Pow(10, places);
        var common = BigInteger.GreatestCommonDivisor(digits, divisor);
        return
        [
            (digits / common).ToString(CultureInfo.InvariantCulture), (divisor / common).ToString(CultureInfo.InvariantCulture),
        ];
    }
}
