using System.Text.Json;
using System.Text.Json.Nodes;
using Wire.Tests.Behaviour;
using Wire.Tests.Testing;

namespace Wire.Tests.ValueSerializers.Scalars;

[TypeNotes("as text; at most 1,000 levels")]
public sealed class JsonElementTests : ValueTests<JsonElement>
{
    protected override IEnumerable<JsonElement> Samples =>
        [
            default,
            Of("null"),
            Of("true"),
            Of("-1.50e+400"),
            Of("\"\\ud800 \u0416\""),
            Of("[ 1,\r\n [], {} ]"),
            Of("{ \"a\": 1, \"a\": {\"b\": null} }"),
        ];

    [Fact]
    public void Comments_that_a_document_was_allowed_to_hold_are_kept()
    {
        using var document = JsonDocument.Parse(
            "[1, /* one */ 2,]", new JsonDocumentOptions { CommentHandling = JsonCommentHandling.Skip, AllowTrailingCommas = true });
        Assert.Equal("[1, /* one */ 2,]", new Serializer().CopyBothWays(document.RootElement).GetRawText());
    }

    [Theory]
    [InlineData(1000, true)]
    [InlineData(1001, false)]
    [InlineData(20_000, false)]
    public void Depth_has_a_limit(int depth, bool holds)
    {
        string text = new string('[', depth) + new string(']', depth);
        using var document = JsonDocument.Parse(text, new JsonDocumentOptions { MaxDepth = depth });
        if (holds)
        {
            Assert.Equal(text, new Serializer().CopyBothWays(document.RootElement).GetRawText());
            Assert.Equal(text, new Serializer().CopyBothWays(document).RootElement.GetRawText());
        }
        else
        {
            Assert.Contains(
                "1000 levels",
                Assert.Throws<UnsupportedTypeException>(() => new Serializer().Serialize(document.RootElement)).Message,
                StringComparison.Ordinal);
            Assert.Throws<UnsupportedTypeException>(() => new Serializer().Serialize(document));

            // A string of the same length makes room for it.
            string room = '"' + new string('x', text.Length - 2) + '"';
            byte[] bytes = new Serializer().Serialize(Of(room));
            System.Text.Encoding.ASCII.GetBytes(text, bytes.AsSpan(bytes.AsSpan().IndexOf("\"xxx"u8)));
            Assert.Equal(
                WireFormatError.InvalidValue,
                Assert.Throws<WireFormatException>(() => new Serializer().Deserialize<JsonElement>(bytes)).Error);
        }
    }

    private static JsonElement Of(string text) => JsonElement.Parse(text);
}

public sealed class JsonDocumentTests : ValueTests<JsonDocument?>
{
    protected override IEnumerable<JsonDocument?> Samples => [null, JsonDocument.Parse("0"), JsonDocument.Parse("{\"a\":[1, \"\u0416\"]}")];
}

public sealed class JsonObjectTests : ValueTests<JsonObject?>
{
    protected override IEnumerable<JsonObject?> Samples =>
    [
        null, [], new() { ["a"] = 1, ["b"] = null, ["c"] = new JsonArray("x", new JsonObject()) },
        new JsonObject(new JsonNodeOptions { PropertyNameCaseInsensitive = true }) { ["A"] = "\u0416\"" },
    ];

    [Fact]
    public void Names_are_compared_as_they_were()
    {
        var node = new JsonObject(new JsonNodeOptions { PropertyNameCaseInsensitive = true }) { ["Name"] = 1 };
        Assert.Equal(1, new Serializer().CopyBothWays(node)["nAME"]!.GetValue<int>());
    }

    [Theory]
    [InlineData("{\"a\":[{\"b\":{\"c\":1},\"x\":{\"c\":1},\"B\":{\"d\":[]}}],\"A \":{}}", false, true)]
    [InlineData("{\"a\":[{\"b\":{\"c\":1},\"x\":{\"c\":1},\"B\":{\"d\":[]}}],\"A \":{}}", true, false)]
    [InlineData("{\"a\":[{\"b\":{\"c\":1},\"x\":{\"c\":1},\"\\u0062\":[]}],\"A\":{}}", false, false)]
    [InlineData("{\"a\":[{\"b\":1},{\"b\":1},{\"b\":{\"a\":1}}],\"b\":{\"a\":{\"A \":0}}}", true, true)]
    [InlineData("{\"a\":[1,2,{\"x\":\"\\ud800\"}]}", false, false)]
    [InlineData("{\"a\":[1,2,{\"\\udc00\":1}]}", false, false)]
    [InlineData("{\"a\":[1,2,{\"\\ud83d\\ude00\":\"\\ud83d\\ude00\"}]}", true, true)]
    public void Names_and_texts_are_looked_at_on_every_level(string text, bool ignoreCase, bool holds)
    {
        // A string of the same length makes room for it.
        var serializer = new Serializer();
        byte[] bytes = serializer.SerializeTyped(
            new JsonObject(new JsonNodeOptions { PropertyNameCaseInsensitive = ignoreCase }) { ["r"] = new string('x', text.Length - 8) });
        System.Text.Encoding.ASCII.GetBytes(text, bytes.AsSpan(bytes.AsSpan().IndexOf((byte)'{')));
        if (holds)
        {
            Assert.Equal(text, serializer.DeserializeTyped<JsonObject>(bytes)!.ToJsonString(), StringComparer.OrdinalIgnoreCase);
        }
        else
        {
            Assert.Equal(
                WireFormatError.InvalidValue,
                Assert.Throws<WireFormatException>(() => serializer.DeserializeTyped<JsonObject>(bytes)).Error);
        }
    }

    [Theory]
    [InlineData("{\"ab\":1,\"ab\":2}", false)]
    [InlineData("{\"ab\":1,\"AB\":2}", true)]
    [InlineData("[1,2,3,4,5,6,7]", false)]
    [InlineData("null           ", false)]
    public void A_text_that_is_no_such_object_is_invalid_at_once(string text, bool ignoreCase)
    {
        var serializer = new Serializer();
        byte[] bytes = serializer.SerializeTyped(
            new JsonObject(new JsonNodeOptions { PropertyNameCaseInsensitive = ignoreCase }) { ["ab"] = 1, ["xy"] = 2 });
        int at = bytes.AsSpan().IndexOf((byte)'{');
        System.Text.Encoding.ASCII.GetBytes(text, bytes.AsSpan(at));
        Assert.Equal(
            WireFormatError.InvalidValue, Assert.Throws<WireFormatException>(() => serializer.DeserializeTyped<JsonObject>(bytes)).Error);
    }
}

public sealed class JsonArrayTests : ValueTests<JsonArray?>
{
    protected override IEnumerable<JsonArray?> Samples => [null, [], new(1, null, "a"), new(new JsonArray(new JsonArray()))];

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Reading_makes_no_nodes_but_the_first(bool ignoreCase)
    {
        // Once: 73 bytes alive for each of the payload when case is ignored.
        string text = $"[{string.Join(',', Enumerable.Repeat("{\"\":1}", 10_000))}]";
        var node = (JsonArray)JsonNode.Parse(text, new JsonNodeOptions { PropertyNameCaseInsensitive = ignoreCase })!;
        var serializer = new Serializer();
        byte[] bytes = serializer.Serialize(node);
        serializer.Deserialize<object>(bytes);
        long before = GC.GetAllocatedBytesForCurrentThread();
        serializer.Deserialize<object>(bytes);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 18L * bytes.Length);
    }

    [Fact]
    public void Depth_is_counted_by_the_time_that_it_takes()
    {
        // Once: three seconds for a megabyte on a busy machine, without end.
        string deep = new string('[', 900) + string.Join(',', new int[50_000]) + new string(']', 900);
        string shallow = new string('[', 60) + string.Join(',', new int[50_840]) + new string(']', 60);
        Serializer limited = Setup.Serializer(true, o => o with { Limits = Limits.Default with { MaxAllocation = 64 << 20 } });
        foreach (object value in new object[]
        {
            JsonNode.Parse(deep, null, new JsonDocumentOptions { MaxDepth = 1000 })!,
            JsonElement.Parse(deep, new JsonDocumentOptions { MaxDepth = 1000 }),
        })
        {
            Assert.Throws<ObjectGraphException>(() => limited.Serialize(value));
            Assert.Equal(
                WireFormatError.Limit,
                Assert.Throws<WireFormatException>(() => limited.Deserialize<object>(new Serializer().Serialize(value))).Error);
        }

        // Brackets in texts are none.
        Assert.Equal(shallow, limited.RoundTrip(JsonNode.Parse(shallow))!.ToJsonString());
        string texts = $"[{string.Join(',', Enumerable.Repeat("\"[[[[\\\"[[[[[{{{{{\"", 20_000))}]";
        Assert.Equal(texts, limited.RoundTrip(JsonElement.Parse(texts)).GetRawText());
        string hidden = $"[\"{new string(']', 2000)}\\\"\",{deep}]";
        Assert.Throws<ObjectGraphException>(
            () => limited.Serialize(JsonElement.Parse(hidden, new JsonDocumentOptions { MaxDepth = 1000 })));
    }

    [Fact]
    public void What_nests_deeper_than_JSON_may_is_unsupported()
    {
        var array = new JsonArray();
        for (int i = 0; i < 1000; i++)
        {
            array = new JsonArray(array);
        }

        Assert.Throws<UnsupportedTypeException>(() => new Serializer().Serialize(array));
        Assert.Equal(array[0]!.ToJsonString(), new Serializer().CopyBothWays(array[0]!).ToJsonString());
    }
}

/// <summary>A value is one of several classes: the samples are such as come back as themselves.</summary>
public sealed class JsonValueTests : ValueTests<JsonValue?>
{
    protected override IEnumerable<JsonValue?> Samples => [null, Of("1"), Of("\"a\""), Of("true"), Of("1.50")];

    [Fact]
    public void Every_value_comes_back_as_its_JSON()
    {
        foreach (JsonValue value in new[]
        {
            JsonValue.Create(1),
            JsonValue.Create("a"),
            JsonValue.Create(1.5m),
            JsonValue.Create(Guid.Empty),
            JsonValue.Create(DateTime.UnixEpoch),
        })
        {
            var holder = new Serializer().CopyBothWays(new Holder<JsonNode> { Declared = value, Any = value });
            Assert.Equal(value.ToJsonString(), holder.Declared!.ToJsonString());
            Assert.Equal(value.ToJsonString(), Assert.IsAssignableFrom<JsonValue>(holder.Any).ToJsonString());
        }
    }

    [Fact]
    public void A_value_without_JSON_is_the_callers_mistake() =>
        Assert.ThrowsAny<Exception>(() => new Serializer().Serialize(JsonValue.Create(double.NaN)));

    [Fact]
    public void Half_a_surrogate_pair_is_the_callers_mistake_and_not_changed()
    {
        // Once: U+FFFD came back.
        JsonNode[] halves =
        [
            JsonValue.Create("a\ud800b"), JsonValue.Create(
                '\udc00'), new JsonObject { ["\ud800"] = 1 }, new JsonArray(1, new JsonObject { ["a"] = "\udc00\ud800" }),
            JsonValue.Create(new { Text = "\ud800" })!,
        ];
        foreach (JsonNode node in halves)
        {
            Assert.Contains(
                "surrogate",
                Assert.Throws<UnsupportedTypeException>(() => new Serializer().Serialize(node)).Message,
                StringComparison.Ordinal);
        }

        foreach (JsonNode node in new JsonNode[]
        {
            JsonValue.Create("a\ufffd\ud83d\ude00"),
            JsonNode.Parse("[\"\\ufffd\", {\"\\uFFFD\": 1}]")!,
            new JsonObject { ["\ufffd"] = "\\uFFFD" },
        })
        {
            Assert.True(JsonNode.DeepEquals(node, new Serializer().CopyBothWays(node)));
        }
    }

    private static JsonValue Of(string text) => JsonNode.Parse(text)!.AsValue();
}

/// <summary>A variable of the base class says nothing.</summary>
public sealed class JsonNodeTests : ValueTests<JsonNode?>
{
    protected override IEnumerable<JsonNode?> Samples => [null, new JsonObject { ["a"] = 1 }, new JsonArray(1, 2), JsonNode.Parse("3")];
}
