using System.Globalization;
using System.Text;
using System.Text.Json.Nodes;
using Wire.Amqp;
using Wire.Amqp.V10;
using Wire.RabbitMQ.Streams;
using Wire.Testing;

namespace Wire.Foreign.Tests;

/// <summary>
/// Messages go to rabbitmq-stream-js-client and come from it over streams, and both agree on partitions, stored offsets and sequences.
/// </summary>
/// <remarks>
/// <para>
/// A message is <c>{"content", "properties", "applicationProperties", "annotations", "header"}</c>, times in milliseconds and binary in
/// base64. <c>{"do": "spread", "superStream", "keys"}</c> publishes a message for each key,
/// <c>{"do": "store", "stream", "name", "offset"}</c> stores an offset, and <c>{"do": "query", "stream", "name"}</c> answers it.
/// </para>
/// <para>
/// Version 1.0 reads the first message of each entry of several alone, so none of these are sent to it. It cannot read a group sequence
/// below 256, which has a shorter form, writes null for an application property of 0 or "", and writes the length of a name in characters
/// where it has to be in bytes.
/// </para>
/// </remarks>
[Trait("Takes", "long")]
[Trait("Client", "rabbitmq-stream-js-client")]
[Trait("Needs", "RabbitMQ 4")]
public sealed class StreamJsTests : IAsyncLifetime
{
    private static readonly byte[][] Messages =
    [
        NativeMessages.WithData(0),
        NativeMessages.WithData(255),
        NativeMessages.WithData(256),
        NativeMessages.WithData(200_000),
        NativeMessages.WithProperties("id", new string('c', 300)),
        NativeMessages.Written(
            output =>
            {
                MessageWriter.Write(output, new MessageAnnotations { Map = AmqpValue.Map(("x-opt-a", int.MaxValue), ("x-opt-b", "Ж")) });
                MessageWriter.Write(output, new Properties { Subject = "subject" });
                MessageWriter.Write(
                    output,
                    new ApplicationProperties
                    {
                        Map = AmqpValue.Map(("ключ", "Ж 🚀"), ("long", new string('l', 256)), ("least", int.MinValue), ("one", 1)),
                    });
                NativeMessages.Write(output, [7]);
            }),
    ];

    private TestStream? _stream;
    private ForeignClient? _client;

    public async Task InitializeAsync()
    {
        _client = ForeignClient.Start("node", "stream_js.js");
        _stream = await TestStream.CreateAsync();
    }

    public async Task DisposeAsync()
    {
        await _stream!.DisposeAsync();
        await _client!.DisposeAsync();
    }

    [Fact]
    public async Task Messages_go()
    {
        byte[][] messages =
        [
            .. Messages,
            NativeMessages.Written(
                output =>
                {
                    MessageWriter.Write(
                        output, new Header { Durable = true, Priority = 7, Ttl = 60_000, FirstAcquirer = true, DeliveryCount = 300 });
                    NativeMessages.Write(output, [1]);
                }),
        ];
        foreach (byte[] message in messages)
        {
            await _stream!.SendAsync(message);
        }

        JsonObject answer = await AskAsync("take", ("count", messages.Length));
        JsonObject[] taken = [.. answer["messages"]!.AsArray().Select(message => message!.AsObject())];
        Assert.Equal(messages.Length, taken.Length);
        for (int i = 0; i < messages.Length; i++)
        {
            JsonObject shown = Shown(messages[i]);
            shown["offset"] = i.ToString(CultureInfo.InvariantCulture);
            Answer.Equal(shown, taken[i]);
        }
    }

    [Theory]
    [InlineData(null)]
    [InlineData("plain")]
    [InlineData("gzip")]
    public async Task Messages_come_alone_and_several_in_an_entry(string? entry)
    {
        await AskAsync("publish", ("messages", new JsonArray([.. Messages.Select(Shown)])), ("entry", entry));
        foreach (byte[] message in Messages)
        {
            Assert.Equal(NativeMessages.ValuesOf(message), NativeMessages.ValuesOf(await _stream!.TakeAsync()));
        }
    }

    [Fact]
    public async Task Filter_values_of_each_are_those_that_the_other_selects_by()
    {
        _stream!.Filter = "red";
        foreach (string filter in (string[])["red", "blue", "red"])
        {
            // Each has a chunk of its own, as it is confirmed before the next.
            byte[] message = NativeMessages.WithData(filter.Length);
            await _stream.SendAsync(message, filter);
            await AskAsync("publish", ("messages", new JsonArray(Shown(message))), ("filter", filter));
        }

        JsonObject answer = await AskAsync("take", ("count", 4), ("filter", "red"));
        for (int i = 0; i < 4; i++)
        {
            byte[] red = NativeMessages.WithData(3);
            Assert.Equal(NativeMessages.ValuesOf(red), NativeMessages.ValuesOf(await _stream.TakeAsync()));
            Assert.Equal((string?)Shown(red)["content"], (string?)answer["messages"]![i]!["content"]);
        }
    }

    [Fact]
    public async Task What_it_publishes_to_a_super_stream_is_in_the_partitions_that_Wire_would_choose()
    {
        string superStream = Broker.UniqueName("foreign-super");
        string[] keys = [.. Enumerable.Range(0, 200).Select(i => i % 2 == 0 ? $"key-{i}" : $"Ключ 🚀 {i}")];
        await _stream!.Client.CreateSuperStreamAsync(superStream, 3).InTime();
        try
        {
            await using SuperStreamProducer producer = await _stream.Client.CreateSuperStreamProducerAsync(superStream).InTime();
            var expected = new SortedDictionary<string, string>(StringComparer.Ordinal);
            foreach (string key in keys)
            {
                expected[key] = (await producer.RouteAsync(key).AsTask().InTime()).Single().Stream;
            }

            await AskAsync("spread", ("superStream", superStream), ("keys", new JsonArray([.. keys.Select(key => (JsonNode)key)])));
            var found = new SortedDictionary<string, string>(StringComparer.Ordinal);
            var all = new TaskCompletionSource();
            await using SuperStreamConsumer consumer = await _stream.Client.ConsumeSuperStreamAsync(
                superStream,
                message =>
                {
                    lock (found)
                    {
                        found.Add(Encoding.UTF8.GetString(message.ReadData().Span), message.Stream);
                        if (found.Count == keys.Length)
                        {
                            all.TrySetResult();
                        }
                    }

                    return default;
                },
                new StreamConsumerOptions { Offset = StreamOffset.First }).InTime();
            await await Task.WhenAny(all.Task, consumer.Completion).InTime();
            Assert.Equal(expected, found);
            Assert.Equal(3, found.Values.Distinct().Count());
        }
        finally
        {
            await _stream.Client.DeleteSuperStreamAsync(superStream).InTime();
        }
    }

    [Fact]
    public async Task Each_finds_the_offset_that_the_other_has_stored()
    {
        await _stream!.SendAsync(NativeMessages.WithData(1));
        await _stream.Client.StoreOffsetAsync("by Wire", _stream.Name, 11).InTime();
        Assert.Equal("11", (string?)(await AskAsync("query", ("name", "by Wire")))["offset"]);
        await AskAsync("store", ("name", "by it"), ("offset", "17"));
        Assert.Equal("17", (string?)(await AskAsync("query", ("name", "by it")))["offset"]);
        Assert.Equal(17ul, await _stream.Client.QueryOffsetAsync("by it", _stream.Name).InTime());
    }

    [Fact]
    public async Task A_producer_of_its_name_goes_on_behind_what_the_other_has_published()
    {
        JsonObject answer = await AskAsync("publish", ("messages", new JsonArray([.. Messages.Select(Shown)])), ("publisher", "importer"));
        Assert.Equal($"{Messages.Length}", (string?)answer["last"]);
        Assert.Equal((ulong)Messages.Length, await _stream!.Client.QuerySequenceAsync("importer", _stream.Name).InTime());
    }

    private async Task<JsonObject> AskAsync(string what, params (string Name, JsonNode? Value)[] with)
    {
        var command = new JsonObject { ["do"] = what, ["stream"] = _stream!.Name };
        foreach ((string name, JsonNode? value) in with)
        {
            command[name] = value;
        }

        return await _client!.AskAsync(command);
    }

    // A message as the client shows it, and as it is told to it.
    private static JsonObject Shown(byte[] message)
    {
        var shown = new JsonObject
        {
            ["content"] = "",
            ["properties"] = new JsonObject(),
            ["applicationProperties"] = new JsonObject(),
            ["annotations"] = new JsonObject(),
            ["header"] = new JsonObject(),
        };
        var reader = new MessageReader(message);
        while (reader.TryRead(out Section section))
        {
            switch (section.Kind)
            {
                case SectionKind.Header:
                    shown["header"] = Of(section.Read<Header>());
                    break;
                case SectionKind.MessageAnnotations:
                    shown["annotations"] = Of(section.Read<MessageAnnotations>().Map);
                    break;
                case SectionKind.Properties:
                    shown["properties"] = Of(section.Read<Properties>());
                    break;
                case SectionKind.ApplicationProperties:
                    shown["applicationProperties"] = Of(section.Read<ApplicationProperties>().Map);
                    break;
                default:
                    shown["content"] = Convert.ToBase64String(section.ReadValue().As<ReadOnlyMemory<byte>>().Span);
                    break;
            }
        }

        return shown;
    }

    private static JsonObject Of(Header header) => new()
    {
        ["durable"] = header.Durable,
        ["priority"] = header.Priority,
        ["ttl"] = header.Ttl,
        ["firstAcquirer"] = header.FirstAcquirer,
        ["deliveryCount"] = header.DeliveryCount,
    };

    private static JsonObject Of(Properties properties)
    {
        var shown = new JsonObject();
        void Text(string name, AmqpValue text)
        {
            if (!text.IsNull)
            {
                shown[name] = text.ToString();
            }
        }

        Text("messageId", properties.MessageId);
        Text("to", properties.To);
        Text("subject", properties.Subject);
        Text("replyTo", properties.ReplyTo);
        Text("correlationId", properties.CorrelationId);
        Text("contentType", properties.ContentType);
        Text("contentEncoding", properties.ContentEncoding);
        Text("groupId", properties.GroupId);
        Text("replyToGroupId", properties.ReplyToGroupId);
        if (properties.UserId is { } user)
        {
            shown["userId"] = Convert.ToBase64String(user.Span);
            shown["absoluteExpiryTime"] = properties.AbsoluteExpiryTime!.Value.Milliseconds;
            shown["creationTime"] = properties.CreationTime!.Value.Milliseconds;
            shown["groupSequence"] = properties.GroupSequence;
        }

        return shown;
    }

    private static JsonObject Of(AmqpMap map)
    {
        var shown = new JsonObject();
        foreach ((AmqpValue key, AmqpValue value) in map)
        {
            shown[key.As<string>()] = value.TryGet(out int number) ? number : value.As<string>();
        }

        return shown;
    }
}
