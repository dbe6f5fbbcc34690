using System.IO.Compression;
using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization;
using Wire.Amqp;
using BasicProperties = RabbitMQ.Client.BasicProperties;

namespace Wire.RabbitMQ.Tests.Bodies;

/// <summary>A message with a member of a base type.</summary>
public sealed record Envelope(Message Inside, Message[] More);

/// <summary>What the compiler knows of the messages of the tests.</summary>
[JsonSerializable(typeof(OrderPlaced))]
[JsonSerializable(typeof(GiftPlaced))]
[JsonSerializable(typeof(Envelope))]
internal sealed partial class ShopJson : JsonSerializerContext;

/// <summary>Bodies that are no Wire payloads, without a broker.</summary>
public sealed class BodyFormatTests
{
    private static readonly OrderPlaced Order = new(Guid.NewGuid(), "Ada Lovelace", 12.5m);
    private static readonly GiftPlaced Gift = new(Guid.NewGuid(), "Bob", 1m, "Hello");

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Json_is_written_and_read_by_reflection_and_by_generated_code(bool generated)
    {
        JsonBodyFormat json = generated ? new JsonBodyFormat(ShopJson.Default) : new JsonBodyFormat();
        WireBodySerializer serializer = Shop.Serializer.Writing<Message>(json);
        using WireBody body = serializer.Write<Message>(Gift);

        Assert.Equal("application/json", body.Properties.ContentType);
        Assert.Equal("Wire.RabbitMQ.Tests.GiftPlaced", body.Properties.Type);
        Assert.Null(body.Properties.ContentEncoding);
        Assert.Equal(Gift, JsonSerializer.Deserialize<GiftPlaced>(body.Memory.Span, JsonSerializerOptions.Web));
        Assert.Equal(Gift, Assert.IsType<GiftPlaced>(serializer.Read<GiftPlaced>(body.Properties, body.Memory)));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Members_of_a_base_type_come_back_as_what_they_were_where_the_types_are_allowed(bool generated)
    {
        JsonBodyFormat json = (generated ? new JsonBodyFormat(ShopJson.Default) : new JsonBodyFormat())
            .Allow(typeof(OrderPlaced)).Allow(typeof(GiftPlaced), "gift");
        WireBodySerializer serializer = Shop.Serializer.Writing<Envelope>(json);
        using WireBody body = serializer.Write(new Envelope(Gift, [Order, Gift]));
        Assert.Contains("\"$type\":\"gift\"", Encoding.UTF8.GetString(body.Memory.Span), StringComparison.Ordinal);

        Envelope read = serializer.Read<Envelope>(body.Properties, body.Memory)!;
        Assert.Equal(Gift, Assert.IsType<GiftPlaced>(read.Inside));
        Assert.Equal([Order, Gift], read.More);
        Assert.Equal([typeof(OrderPlaced), typeof(GiftPlaced)], read.More.Select(each => each.GetType()));
    }

    [Fact]
    public void Members_whose_types_are_not_allowed_are_an_error_and_not_lost()
    {
        WireBodySerializer serializer = Shop.Serializer.Writing<Envelope>(new JsonBodyFormat().Allow(typeof(OrderPlaced)));
        Assert.Throws<NotSupportedException>(() => serializer.Write(new Envelope(new Parcels(Guid.NewGuid(), []), [])));
    }

    [Fact]
    public void Each_object_has_the_format_of_the_nearest_type_and_others_are_Wire_payloads()
    {
        WireBodySerializer serializer =
            Shop.Serializer.Writing<Message>(new JsonBodyFormat()).Writing<string>(new TextBodyFormat())
                .Writing<byte[]>(new BytesBodyFormat());
        using WireBody order = serializer.Write<object>(Order);
        using WireBody text = serializer.Write<object>("Grüße");
        using WireBody bytes = serializer.Write<object>(new byte[] { 1, 2, 3 });
        using WireBody other = serializer.Write<object>(7);

        Assert.Equal(
            ["application/json", "text/plain; charset=utf-8", "application/octet-stream", "application/x-wire"],
            new[] { order, text, bytes, other }.Select(each => each.Properties.ContentType));
        Assert.Equal(Order, serializer.Read<OrderPlaced>(order.Properties, order.Memory));
        Assert.Equal("Grüße", serializer.Read<object>(text.Properties, text.Memory));
        Assert.Equal(new byte[] { 1, 2, 3 }, serializer.Read<object>(bytes.Properties, bytes.Memory));
        Assert.Equal(7, serializer.Read<object>(other.Properties, other.Memory));
    }

    [Theory]
    [InlineData("text/plain", "utf-8")]
    [InlineData("TEXT/PLAIN; Charset=\"UTF-16\"", "utf-16")]
    [InlineData("text/plain;charset=iso-8859-1", "iso-8859-1")]
    public void A_text_is_read_in_its_character_set(string contentType, string charset)
    {
        var properties = new BasicProperties { ContentType = contentType };
        Assert.Equal(
            "Grüße",
            Shop.Serializer.Reading(new TextBodyFormat()).Read<string>(properties, Encoding.GetEncoding(charset).GetBytes("Grüße")));
    }

    [Fact]
    public void A_text_of_bytes_that_are_none_or_of_an_unknown_character_set_is_an_error()
    {
        WireBodySerializer serializer = Shop.Serializer.Reading(new TextBodyFormat());
        Assert.Throws<DecoderFallbackException>(
            () => serializer.Read<string>(new BasicProperties { ContentType = "text/plain" }, new byte[] { 0x66, 0xFC }));
        Assert.Contains("'klingon'", Assert.Throws<FormatException>(() => serializer.Read<string>(
            new BasicProperties { ContentType = "text/plain; charset=klingon" }, new byte[] { 1 })).Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("Wire.RabbitMQ.Tests.OrderPlaced", null)]
    [InlineData("Wire.RabbitMQ.Tests.OrderPlaced, Wire.RabbitMQ.Tests", "utf-8")]
    [InlineData("Wire.RabbitMQ.Tests.OrderPlaced, Wire.RabbitMQ.Tests, Version=1.0.0.0, Culture=neutral", "identity")]
    [InlineData("order", "gzip")]
    [InlineData(null, "br")]
    public void Json_of_others_is_read_whatever_names_the_type_and_however_it_is_encoded(string? name, string? encoding)
    {
        byte[] body = Encoded(JsonSerializer.SerializeToUtf8Bytes(Order), encoding);
        var properties = new BasicProperties { ContentType = "application/json", Type = name, ContentEncoding = encoding };
        JsonBodyFormat json = new JsonBodyFormat { UnnamedType = typeof(OrderPlaced) }.Allow(typeof(OrderPlaced), "order");
        Assert.Equal(Order, Assert.IsType<OrderPlaced>(Shop.Serializer.Reading(json).Read<object>(properties, body)));
    }

    [Fact]
    public void Json_with_a_mark_of_its_encoding_is_read_and_in_another_encoding_refused()
    {
        WireBodySerializer serializer = Shop.Serializer.Reading(new JsonBodyFormat());
        byte[] body = [.. Encoding.UTF8.Preamble, .. JsonSerializer.SerializeToUtf8Bytes(Order)];
        Assert.Equal(Order, serializer.Read<OrderPlaced>(new BasicProperties { ContentType = "application/json; charset=utf-8" }, body));
        Assert.Throws<JsonException>(() => serializer.Read<OrderPlaced>(
            new BasicProperties { ContentType = "application/json; charset=utf-16" },
            Encoding.Unicode.GetBytes(JsonSerializer.Serialize(Order))));
    }

    [Fact]
    public void Json_without_a_content_type_is_read_on_request_alone()
    {
        byte[] body = JsonSerializer.SerializeToUtf8Bytes(Order);
        Assert.Equal(
            Order, Shop.Serializer.Reading(new JsonBodyFormat { ReadsUnmarked = true }).Read<OrderPlaced>(new BasicProperties(), body));
        Assert.ThrowsAny<WireFormatException>(
            () => Shop.Serializer.Reading(new JsonBodyFormat()).Read<OrderPlaced>(new BasicProperties(), body));
    }

    [Theory]
    [InlineData("{\"id\":")]
    [InlineData("{\"id\":1}")]
    [InlineData("")]
    [InlineData("null null")]
    [InlineData("{}{}")]
    public void What_is_no_json_of_the_type_is_an_error(string text) => Assert.ThrowsAny<JsonException>(
        () => Shop.Serializer.Reading(new JsonBodyFormat())
            .Read<OrderPlaced>(new BasicProperties { ContentType = "application/json" }, Encoding.UTF8.GetBytes(text)));

    [Fact]
    public void A_type_that_nobody_allows_is_refused_by_name_and_none_at_all_as_well()
    {
        WireBodySerializer serializer = Shop.Serializer.Reading(new JsonBodyFormat().Allow(typeof(OrderPlaced)));
        var named = new BasicProperties { ContentType = "application/json", Type = "System.IO.FileInfo, System.Runtime" };
        Assert.Contains("'System.IO.FileInfo, System.Runtime'", Assert.Throws<BodyTypeException>(
            () => serializer.Read<object>(named, "{}"u8.ToArray())).Message, StringComparison.Ordinal);
        Assert.Contains("UnnamedType", Assert.Throws<BodyTypeException>(() => serializer.Read<object>(
            new BasicProperties { ContentType = "application/json" }, "{}"u8.ToArray())).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Generic_types_are_found_by_their_full_names_with_and_without_an_assembly()
    {
        Type type = typeof(Dictionary<string, OrderPlaced>);
        var found = BodyTypes.Of([typeof(int), type]);
        Assert.Equal(type, found.Find(type.FullName!));
        Assert.Equal(type, found.Find(type.AssemblyQualifiedName!));
        Assert.Null(found.Find("System.Collections.Generic.Dictionary`2"));
        Assert.Equal(typeof(int), found.Find("System.Int32, System.Private.CoreLib"));
    }

    [Fact]
    public void What_is_written_of_a_generic_type_is_read_and_a_name_that_does_not_fit_is_refused()
    {
        WireBodySerializer serializer = Shop.Serializer.Writing<object>(new JsonBodyFormat());
        var value = new Dictionary<string, OrderPlaced> { ["one"] = Order };
        using WireBody body = serializer.Write(value);
        Assert.Equal(value, serializer.Read<Dictionary<string, OrderPlaced>>(body.Properties, body.Memory));

        var deep = new List<(OrderPlaced, OrderPlaced, OrderPlaced, OrderPlaced, OrderPlaced, OrderPlaced, OrderPlaced)[]>();
        Assert.Contains("255 bytes", Assert.Throws<ArgumentException>(() => serializer.Write(deep)).Message, StringComparison.Ordinal);
        WireBodySerializer named = Shop.Serializer.Writing<object>(new JsonBodyFormat().Allow(deep.GetType(), "deep"));
        using WireBody other = named.Write(deep);
        Assert.Equal("deep", other.Properties.Type);
        Assert.Equal(deep, named.Read<object>(other.Properties, other.Memory));
    }

    [Theory]
    [InlineData("UTF-8")]
    [InlineData("binary")]
    public void A_character_set_where_an_encoding_is_expected_is_none(string encoding) => Assert.Equal(
        Order,
        Shop.Serializer.Reading(new JsonBodyFormat()).Read<OrderPlaced>(
            new BasicProperties { ContentType = "application/json", ContentEncoding = encoding },
            JsonSerializer.SerializeToUtf8Bytes(Order)));

    [Fact]
    public void Json_of_another_type_than_the_one_that_is_expected_is_refused()
    {
        var properties = new BasicProperties { ContentType = "application/json", Type = "Shop.OrderCancelled" };
        Assert.Throws<BodyTypeException>(
            () => Shop.Serializer.Reading(new JsonBodyFormat()).Read<OrderPlaced>(properties, "{}"u8.ToArray()));
    }

    [Fact]
    public void A_type_that_the_program_sets_stays_and_a_null_of_no_type_is_a_Wire_payload()
    {
        WireBodySerializer serializer = Shop.Serializer.Writing<object>(new JsonBodyFormat().Allow(typeof(OrderPlaced), "order"));
        using WireBody named = serializer.Write(Order, new BasicProperties { Type = "mine" });
        Assert.Equal("mine", named.Properties.Type);
        using WireBody usual = serializer.Write(Order);
        Assert.Equal("order", usual.Properties.Type);
        using WireBody none = serializer.Write<object?>(null);
        Assert.Equal("application/x-wire", none.Properties.ContentType);
        using WireBody typed = serializer.Write<OrderPlaced?>(null);
        Assert.Equal("application/json", typed.Properties.ContentType);
    }

    [Fact]
    public void Two_types_of_one_name_and_open_types_are_refused()
    {
        JsonBodyFormat json = new JsonBodyFormat().Allow(typeof(OrderPlaced), "order");
        Assert.Throws<ArgumentException>(() => json.Allow(typeof(GiftPlaced), "order"));
        Assert.Throws<ArgumentException>(() => json.Allow(typeof(OrderPlaced), "other"));
        Assert.Throws<ArgumentException>(() => json.Allow(typeof(List<>)));
        Assert.Throws<ArgumentException>(() => json.Allow(typeof(GiftPlaced), ""));
        Assert.Throws<ArgumentException>(() => json.Allow(typeof(GiftPlaced), new string('n', 256)));
        Assert.Throws<ArgumentException>(() => Shop.Serializer.Writing<Message>(json).Writing<Message>(json));
    }

    [Fact]
    public void What_NServiceBus_sends_is_read_as_the_first_of_its_types_that_is_known()
    {
        WireBodySerializer serializer = Shop.Serializer.Reading(new NServiceBusBodyReader(new JsonBodyFormat().Allow(typeof(OrderPlaced))));
        byte[] body = [.. Encoding.UTF8.Preamble, .. JsonSerializer.SerializeToUtf8Bytes(Order)];
        BasicProperties Properties(string types) => new()
        {
            ContentType = "application/json; systemjson",
            Headers = new Dictionary<string, object?> { ["NServiceBus.EnclosedMessageTypes"] = Encoding.UTF8.GetBytes(types) },
        };

        Assert.Equal(Order, Assert.IsType<OrderPlaced>(serializer.Read<object>(
            Properties(
                "Shop.Express, Shop, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null;" +
                "Wire.RabbitMQ.Tests.OrderPlaced, Wire.RabbitMQ.Tests, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null"),
            body)));
        Assert.Throws<BodyTypeException>(() => serializer.Read<object>(Properties("Shop.Express, Shop"), body));
        Assert.Throws<AmqpFormatException>(() => serializer.Read<object>(new BasicProperties { ContentType = "application/json" }, body));
    }

    private static byte[] Encoded(byte[] body, string? encoding)
    {
        if (encoding is not ("gzip" or "br"))
        {
            return body;
        }

        using var output = new MemoryStream();
        using (Stream stream =
            encoding == "gzip" ? new GZipStream(output, CompressionMode.Compress) : new BrotliStream(output, CompressionMode.Compress))
        {
            stream.Write(body);
        }

        return output.ToArray();
    }
}
