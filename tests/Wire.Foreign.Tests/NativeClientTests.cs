using System.Globalization;
using System.Text.Json.Nodes;
using System.Threading.Channels;
using Wire.Amqp;
using Wire.Amqp.Tests.V10;
using Wire.Amqp.V10;
using Wire.RabbitMQ.Streams;
using Wire.Testing;

namespace Wire.Foreign.Tests;

/// <summary>
/// Values of AMQP 1.0 are the same in Wire and in a client of others, without a broker, and messages go to it and come from it over a
/// stream of RabbitMQ 4, which speaks that protocol. What a client does by a mistake of its own is in its model, with the reason.
/// </summary>
public abstract class NativeClientTests(string program, string script) : IAsyncLifetime
{
    // What the broker adds to a message.
    private static readonly string[] OfTheBroker = ["x-exchange", "x-routing-key", "x-stream-offset"];

    private ForeignClient? _client;
    private TestStream? _stream;

    /// <summary>Gets whether it can write arrays of arrays.</summary>
    protected abstract bool WritesArraysOfArrays { get; }

    /// <summary>Returns whether it reads and writes a value of <see cref="Models"/>, and all that is in it, as it is.</summary>
    protected virtual bool Keeps(object? model) => model switch
    {
        // Of one that is described, elements alone show what they are.
        ArrayModel array => (WritesArraysOfArrays || array.Type != AmqpType.Array) && array.Elements.All(Keeps)
            && (array.Elements.Length > 0 || !array.HasDescriptor),
        object?[] list => list.All(Keeps),
        KeyValuePair<object?, object?>[] map => map.All(entry => Keeps(entry.Key) && Keeps(entry.Value)),

        // Of two descriptors rhea keeps one, and proton loses the elements behind such a value, also of what it has written.
        DescribedObject described => described.Value is not DescribedObject && Keeps(described.Value),
        _ => true,
    };

    public Task InitializeAsync()
    {
        _client = ForeignClient.Start(program, script);
        return Task.CompletedTask;
    }

    public async Task DisposeAsync()
    {
        await _client!.DisposeAsync();
        if (_stream is not null)
        {
            await _stream.DisposeAsync();
        }
    }

    [Fact]
    public async Task Values_of_each_type_that_Wire_has_written_are_read()
    {
        foreach (AmqpValue value in (AmqpValue[])[.. NativeMessages.Scalars, .. NativeMessages.Containers])
        {
            await IsReadAsync(value);
        }
    }

    [Fact]
    public async Task Values_of_each_type_that_it_has_written_are_read_and_written_again()
    {
        IEnumerable<AmqpValue> containers = NativeMessages.Containers.Where(
            value => WritesArraysOfArrays || !value.TryGet(out AmqpArray array) || array.ElementType != AmqpType.Array);
        foreach (AmqpValue value in (AmqpValue[])[.. NativeMessages.Scalars, .. containers])
        {
            JsonObject answer = await AskAsync("encode", ("values", ValueNotation.Of([value])));
            AmqpValue read = Assert.Single(NativeMessages.ValuesOf(Convert.FromHexString((string)answer["bytes"]!)));
            Answer.Equal(ValueNotation.Of(value), ValueNotation.Of(read));
            Assert.Equal(value, read);
            await IsReadAsync(read);
        }
    }

    [Fact]
    public async Task Values_made_at_random_go_and_come()
    {
        var random = new Random(1);
        AmqpValue[] values =
            [.. Enumerable.Range(0, 2000).Select(_ => Models.Random(random)).Where(Keeps).Select(Models.ToValue)];
        Assert.InRange(values.Length, 1000, 2000);
        JsonObject read = await AskAsync("decode", ("bytes", Convert.ToHexStringLower([.. values.SelectMany(Encoded)])));
        Answer.Equal(ValueNotation.Of(values), read["values"]!);
        JsonObject written = await AskAsync("encode", ("values", ValueNotation.Of(values)));
        Assert.Equal(values, NativeMessages.ValuesOf(Convert.FromHexString((string)written["bytes"]!)));
    }

    [Fact]
    [Trait("Needs", "RabbitMQ 4")]
    public async Task Properties_go_and_come_with_identifiers_of_each_type() => await ExchangeAsync(
        NativeMessages.WithProperties("id", "correlation"),
        NativeMessages.WithProperties(0ul, ulong.MaxValue),
        NativeMessages.WithProperties(Guid.Parse("00112233-4455-6677-8899-aabbccddeeff"), default));

    [Fact]
    [Trait("Needs", "RabbitMQ 4")]
    public async Task Application_properties_of_each_type_and_annotations_go_and_come() =>
        await ExchangeAsync(NativeMessages.WithApplicationProperties(), NativeMessages.WithAnnotations());

    [Fact]
    [Trait("Needs", "RabbitMQ 4")]
    public async Task Bodies_of_each_kind_go_and_come() => await ExchangeAsync(
        NativeMessages.WithData(0),
        NativeMessages.WithData(255),
        NativeMessages.WithData(1_000_000),
        NativeMessages.WithData(1, 0, 300),
        NativeMessages.WithSequences(),
        NativeMessages.WithValue(default),
        NativeMessages.WithValue("text"),
        NativeMessages.WithValue(AmqpValue.Map(("key", AmqpValue.List(1, 2.5, true)))));

    [Fact]
    [Trait("Needs", "RabbitMQ 4")]
    public async Task Objects_that_it_passes_on_are_read()
    {
        _stream = await TestStream.CreateAsync();
        var order = new Order("Ж 🚀", [1, 2.5m, "three", null], Guid.NewGuid());
        await using (StreamProducer producer = await _stream.Client.CreateProducerAsync(_stream.Name).InTime())
        {
            await producer.SendMessageAsync(order, new Properties { MessageId = "order" }).AsTask().InTime();
        }

        JsonArray message = WithoutAdditions((await AskAsync("take", ("stream", _stream.Name)))["message"]!.AsArray());
        await AskAsync("publish", ("stream", _stream.Name), ("message", message));
        var orders = Channel.CreateUnbounded<Order>();
        await using StreamConsumer consumer = await _stream.Client.ConsumeAsync<Order>(
            _stream.Name,
            (read, message) => orders.Writer.WriteAsync(read),
            new StreamConsumerOptions { Offset = StreamOffset.First }).InTime();
        for (int i = 0; i < 2; i++)
        {
            Task<Order> read = orders.Reader.ReadAsync().AsTask();
            await await Task.WhenAny(read, consumer.Completion).InTime();
            Assert.Equal(order with { Lines = [] }, (await read) with { Lines = [] });
            Assert.Equal(order.Lines, (await read).Lines);
        }
    }

    /// <summary>Wire publishes each, then the client, and both take it both times.</summary>
    private async Task ExchangeAsync(params byte[][] messages)
    {
        _stream = await TestStream.CreateAsync();
        foreach (byte[] message in messages)
        {
            await _stream.SendAsync(message);
            await IsTakenAsync(message);
            await AskAsync("publish", ("stream", _stream.Name), ("message", SectionsOf(message)));
            await IsTakenAsync(message);
        }
    }

    private async Task IsTakenAsync(byte[] message)
    {
        Answer.Equal(SectionsOf(message), WithoutAdditions(SectionsOf(await _stream!.TakeAsync())));
        JsonObject answer = await AskAsync("take", ("stream", _stream.Name));
        Answer.Equal(SectionsOf(message), WithoutAdditions(answer["message"]!.AsArray()));
    }

    private sealed record Order(string Customer, object?[] Lines, Guid Id);

    private protected static JsonArray SectionsOf(byte[] message) => ValueNotation.Of(NativeMessages.ValuesOf(message));

    // Without the header and the annotations of the broker, and without properties of which none is there, as rhea writes them.
    private static JsonArray WithoutAdditions(JsonArray sections)
    {
        var own = new JsonArray();
        foreach (JsonNode section in sections.Select(section => section!.DeepClone()))
        {
            var kind = (SectionKind)int.Parse((string)section[1]![0]![1]!, CultureInfo.InvariantCulture);
            JsonArray? content = section[1]![1]![1] as JsonArray;
            if (kind == SectionKind.MessageAnnotations)
            {
                content!.RemoveAll(entry => OfTheBroker.Contains((string)entry![0]![1]!));
            }

            bool saysNothing = kind is SectionKind.MessageAnnotations or SectionKind.Properties && content!.Count == 0;
            if (kind != SectionKind.Header && !saysNothing)
            {
                own.Add(section);
            }
        }

        return own;
    }

    /// <summary>The client reads what Wire writes.</summary>
    private async Task IsReadAsync(AmqpValue value)
    {
        JsonObject answer = await AskAsync("decode", ("bytes", Convert.ToHexStringLower(Encoded(value))));
        Answer.Equal(ValueNotation.Of([value]), answer["values"]!);
    }

    private static byte[] Encoded(AmqpValue value)
    {
        byte[] bytes = new byte[value.EncodedSize];
        var writer = new AmqpWriter(bytes);
        writer.WriteValue(value);
        return bytes;
    }

    private protected async Task<JsonObject> AskAsync(string what, params (string Name, JsonNode Value)[] with)
    {
        var command = new JsonObject { ["do"] = what };
        foreach ((string name, JsonNode value) in with)
        {
            command[name] = value;
        }

        return await _client!.AskAsync(command);
    }
}

/// <inheritdoc/>
[Trait("Takes", "long")]
[Trait("Client", "rhea")]
public sealed class RheaTests() : NativeClientTests("node", "rhea.js")
{
    /// <remarks><c>{"do": "assemble", "message"}</c> is answered with the bytes of a message.</remarks>
    [Fact]
    public async Task A_footer_which_it_writes_before_the_body_is_refused()
    {
        byte[] message = NativeMessages.Written(
            output =>
            {
                NativeMessages.Write(output, [1]);
                MessageWriter.Write(output, new Footer { Map = AmqpValue.Map((new AmqpSymbol("x-opt-hash"), 1)) });
            });
        JsonObject answer = await AskAsync("assemble", ("message", SectionsOf(message)));
        byte[] written = Convert.FromHexString((string)answer["bytes"]!);
        AmqpFormatException refusal = Assert.Throws<AmqpFormatException>(() => NativeMessages.Rewritten(new MessageReader(written)));
        Assert.Contains("may follow Footer, found Data", refusal.Message, StringComparison.Ordinal);
    }

    // It has no constructor for the elements of the inner ones.
    protected override bool WritesArraysOfArrays => false;

    // Its moments are those of JavaScript.
    protected override bool Keeps(object? model) => model is Timestamp time
        ? time.Milliseconds >= -NativeMessages.LastMoment.Milliseconds && time <= NativeMessages.LastMoment
        : base.Keeps(model);
}

/// <inheritdoc/>
[Trait("Takes", "long")]
[Trait("Client", "proton")]
public sealed class ProtonTests() : NativeClientTests("python3", "proton_client.py")
{
    protected override bool WritesArraysOfArrays => true;
}
