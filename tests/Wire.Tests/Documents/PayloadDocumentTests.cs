using System.Buffers;
using System.Numerics;
using System.Text;
using System.Text.Json;
using Wire.Testing;
using Wire.Tests.Testing;
using Xunit;

namespace Wire.Tests.Documents;

/// <summary>What a document says of values that are known.</summary>
public class PayloadDocumentTests
{
    private static readonly SerializerOptions Options = new() { TypeFilter = WireTypeFilter.Unrestricted };

    private static readonly Serializer Copies = new(Options);

    private static readonly Serializer References = new(Options with { PreserveObjectReferences = true });

    public enum Color : byte
    {
        Red = 1,
        Green = 2,
    }

    public static TheoryData<object> ScalarValues() =>
    [
        true, (sbyte)-1, (byte)255, (short)-2, (ushort)65535, int.MinValue, uint.MaxValue, long.MinValue, ulong.MaxValue, Int128.MinValue,
        UInt128.MaxValue, (nint)(-5), (nuint)5, (Half)1.5, -0.1f, double.Epsilon, -12345.678900m, 'x', new Rune(0x1F600),
        new Guid("00112233-4455-6677-8899-aabbccddeeff"), new DateTime(2024, 2, 29, 1, 2, 3, DateTimeKind.Utc),
        new DateTimeOffset(2024, 2, 29, 1, 2, 3, TimeSpan.FromMinutes(-210)), TimeSpan.FromTicks(-1), new DateOnly(2024, 2, 29),
        new TimeOnly(23, 59), new Complex(1, -2), "text", "Привет", "", new Uri("http://a/b"), new Version(1, 2, 3),
        BigInteger.Pow(-7, 99),
    ];

    [Theory]
    [MemberData(nameof(ScalarValues))]
    public void A_scalar_is_the_value(object value)
    {
        foreach (PayloadNode node in new[]
        {
            Parse(value).Root,
            Parse(new object[] { "before", value, "behind" }).Root[1],
            Parse(new Dictionary<string, object> { ["a"] = 1, ["b"] = value }).Root.EnumeratePairs().Last().Value,
        })
        {
            Assert.Equal(PayloadKind.Scalar, node.Kind);
            Assert.Equal(value.GetType(), node.ScalarType);
            object? read = typeof(PayloadNode).GetMethod(nameof(PayloadNode.GetValue))!.MakeGenericMethod(value.GetType())
                .Invoke(node, null);
            Assert.Equal(value, read);
            Assert.Equal(value.GetType(), read!.GetType());
        }
    }

    [Fact]
    public void A_number_is_read_as_another_that_holds_it()
    {
        PayloadNode node = Parse(200L).Root;
        Assert.Equal((byte)200, node.GetValue<byte>());
        Assert.Equal(200, node.GetValue<int>());
        Assert.Equal(200m, node.GetValue<decimal>());
        Assert.Equal(200d, node.GetValue<double>());
        Assert.Equal(new BigInteger(200), node.GetValue<BigInteger>());
        Assert.Throws<OverflowException>(() => node.GetValue<sbyte>());
        Assert.Throws<InvalidOperationException>(() => node.GetValue<string>());
        Assert.Throws<InvalidOperationException>(() => node.GetValue<char>());
        Assert.Throws<OverflowException>(() => Parse((1L << 53) + 1).Root.GetValue<double>());
        Assert.Throws<OverflowException>(() => Parse(0.1).Root.GetValue<float>());
        Assert.Equal(1.5f, Parse(1.5).Root.GetValue<float>());
        Assert.Equal((Half)1.5, Parse(1.5f).Root.GetValue<Half>());
        Assert.Throws<InvalidOperationException>(() => Parse(1.5).Root.GetValue<decimal>());
        Assert.Throws<InvalidOperationException>(() => Parse(1.5).Root.GetValue<int>());
    }

    [Fact]
    public void Members_are_found_by_name_and_by_path()
    {
        var order = new Order(7, new("Ada", null), [new("apple", 0.30m), new("pear", 0.45m)], Color.Green)
        {
            Prices = { ["apple"] = 1, ["a.b[\"c\"]"] = 2 },
            ByNumber = { [5] = "five", [-1] = "minus one" },
        };
        PayloadNode root = Parse(order).Root;

        Assert.Equal(PayloadKind.Members, root.Kind);
        Assert.Equal(Copies.Serialize(order).Length - 1, root.Length);
        Assert.Contains(nameof(Order), root.TypeName, StringComparison.Ordinal);
        Assert.Equal(6, root.Count);
        Assert.Equal(7, root["Id"].GetValue<int>());
        Assert.Equal("Ada", Find("Customer.Name").GetValue<string>());
        Assert.Equal(PayloadKind.Null, Find("Customer.Mail").Kind);
        Assert.Null(Find("Customer.Mail").GetValue<string>());
        Assert.Equal(0.45m, Find("Lines[1].Price").GetValue<decimal>());
        Assert.Equal(2, Find("Prices[\"a.b[\\\"c\\\"]\"]").GetValue<int>());
        Assert.Equal("minus one", Find("ByNumber[-1]").GetValue<string>());
        Assert.Equal("five", Find("[\"ByNumber\"][5]").GetValue<string>());
        Assert.Equal(("Green", (byte)2), (Find("Color").EnumName, Find("Color").GetValue<byte>()));
        foreach (string absent in new[] { "id", "Lines[2]", "Lines.Count", "Customer[0]", "Prices.apple", "Prices[\"no\"]", "Id.Value" })
        {
            Assert.False(root.TryGet(absent, out _), absent);
        }

        foreach (string wrong in new[] { ".", "Id.", "Lines[", "Lines[]", "Lines[1", "Prices[\"a", "Prices[\"a\"", "Lines[1]x", "a..b" })
        {
            Assert.Throws<FormatException>(() => root.TryGet(wrong, out _));
        }

        KeyNotFoundException absentMember = Assert.Throws<KeyNotFoundException>(() => root["id"]);
        Assert.Contains("ByNumber, Color, Customer, Id, Lines, Prices", absentMember.Message, StringComparison.Ordinal);

        PayloadNode Find(string path)
        {
            Assert.True(root.TryGet(path, out PayloadNode node), path);
            return node;
        }
    }

    [Fact]
    public void References_lead_to_the_object()
    {
        var shared = new Person("Ada", null);
        var circle = new Ring { Value = 1 };
        circle.Next = new Ring { Value = 2, Next = circle };
        PayloadNode root = PayloadDocument.Parse(References.Serialize(new object[] { shared, shared, circle })).Root;

        Assert.Equal(PayloadKind.Reference, root[1].Kind);
        Assert.Equal(root[0].ObjectNumber, root[1].ObjectNumber);
        Assert.Equal(root[0].Offset, root[1].Target.Offset);
        Assert.True(root.TryGet("[1].Name", out PayloadNode name));
        Assert.Equal("Ada", name.GetValue<string>());
        Assert.True(root.TryGet("[2].Next.Next.Next.Next.Value", out PayloadNode value));
        Assert.Equal(1, value.GetValue<int>());
        Assert.Equal(-1, Parse(shared).Root.ObjectNumber);
    }

    [Fact]
    public void Messages_of_a_session_are_read_in_order()
    {
        using SerializerSession writing = Copies.GetSerializerSession();
        byte[][] messages = [.. Enumerable.Range(0, 3).Select(i => Copies.Serialize(new Person($"{i}", null), writing))];
        var session = new PayloadDocumentSession();

        WireFormatException alone = Assert.Throws<WireFormatException>(() => PayloadDocument.Parse(messages[1]));
        Assert.Equal(WireFormatError.UnknownManifest, alone.Error);
        for (int i = 0; i < messages.Length; i++)
        {
            PayloadDocument document = PayloadDocument.Parse(messages[i], session: session);
            Assert.Equal($"{i}", document.Root["Name"].GetValue<string>());
            Assert.Contains(nameof(Person), document.Root.TypeName, StringComparison.Ordinal);
            Assert.Equal(i == 0 ? 1 : 0, document.Types.Count);
        }

        // A payload of its own has no part in it.
        byte[] whole = Copies.Serialize(new Ring());
        Assert.Contains(nameof(Ring), PayloadDocument.Parse(whole, session: session).Root.TypeName, StringComparison.Ordinal);
        byte[] unknown = [0x10, 0x80, 0x02];
        Assert.Equal(
            WireFormatError.UnknownManifest,
            Assert.Throws<WireFormatException>(() => PayloadDocument.Parse(unknown, session: session)).Error);

        // A message of another session ends it.
        using SerializerSession other = Copies.GetSerializerSession();
        foreach (byte[] contradicting in new[] { Copies.Serialize(new Ring(), other), messages[1] })
        {
            Assert.Equal(
                WireFormatError.Manifest,
                Assert.Throws<WireFormatException>(() => PayloadDocument.Parse(contradicting, session: session)).Error);
        }
    }

    [Fact]
    public void Types_in_front_of_what_cannot_be_shown_are_known_to_later_messages()
    {
        var schemaless = new Serializer(Options with { VersionTolerance = false });
        using SerializerSession writing = Copies.GetSerializerSession();
        byte[] first = Copies.Serialize(new object[] { new Person("Ada", null), new Ring() }, writing);
        byte[] second = Copies.Serialize(new Person("Grace", null), writing);

        // The second type has no schema any more, but four bytes of its hash.
        int at = first.AsSpan().IndexOf(Encoding.UTF8.GetBytes(nameof(Ring)));
        byte[] hash = schemaless.Serialize(new Ring());
        byte[] manifest = hash[3..^5];
        int tag = first.AsSpan(0, at).LastIndexOf((byte)0x02);
        byte[] cut = [.. first[..tag], .. PayloadWriter.InSession(first[tag + 1], manifest), 0, 0, 0, 0, 0];
        var session = new PayloadDocumentSession();
        Assert.Equal(
            WireFormatError.SchemaMismatch,
            Assert.Throws<WireFormatException>(() => PayloadDocument.Parse(cut, session: session)).Error);
        Assert.Equal("Grace", PayloadDocument.Parse(second, session: session).Root["Name"].GetValue<string>());

        // They are not certain: a whole message says otherwise.
        using SerializerSession other = Copies.GetSerializerSession();
        byte[] whole = Copies.Serialize(new Ring(), other);
        var doubtful = new PayloadDocumentSession();
        Assert.Throws<WireFormatException>(() => PayloadDocument.Parse(cut, session: doubtful));
        Assert.Contains(
            nameof(Ring), PayloadDocument.Parse(whole, session: doubtful).Root.TypeName, StringComparison.Ordinal);
    }

    [Fact]
    public void JSON_ends_at_its_bound()
    {
        PayloadNode root = Parse(Enumerable.Range(0, 1000).ToArray()).Root;
        var output = new ArrayBufferWriter<byte>();
        using var writer = new Utf8JsonWriter(output);
        WireFormatException refused =
            Assert.Throws<WireFormatException>(() => root.WriteTo(writer, new PayloadJsonOptions { MaxLength = 1000 }));
        Assert.Equal(WireFormatError.Limit, refused.Error);
        Assert.InRange(writer.BytesCommitted + writer.BytesPending, 1000, 1100);
    }

    [Theory]
    [InlineData("10 02 03 00 01 15 00 00 00 00")]
    [InlineData("10 05 2F 01 02 03 00 01 15 00 00 00 00")]
    public void A_manifest_without_a_name_is_refused_where_no_type_is_declared(string hex) => Assert.Equal(
        WireFormatError.Manifest,
        Assert.Throws<WireFormatException>(
            () => PayloadDocument.Parse(Convert.FromHexString(hex.Replace(" ", "", StringComparison.Ordinal)))).Error);

    [Fact]
    public void One_value_that_two_numbers_mean_has_one_of_them()
    {
        var list = new List<int> { 1 };
        var readOnly = new System.Collections.ObjectModel.ReadOnlyCollection<int>(list);
        var document = PayloadDocument.Parse(References.Serialize(new object[] { readOnly, list, readOnly }));
        NodeWalk.Check(document);
        using var json = JsonDocument.Parse(Json(document));
        JsonElement values = json.RootElement;
        values = values.ValueKind == JsonValueKind.Object ? values.GetProperty("$values") : values;
        int id = values[0].GetProperty("$id").GetInt32();
        Assert.Equal((id, id), (values[1].GetProperty("$ref").GetInt32(), values[2].GetProperty("$ref").GetInt32()));
        Assert.Equal(document.Root[0].Offset, document.Root[1].Target.Offset);
    }

    [Fact]
    public void What_is_inside_an_object_with_two_numbers_is_found_through_both()
    {
        List<int?>[] parts = [[1, null], [2]];
        var other = new List<object> { "a", "b", new List<object> { "c" } };
        var inner = new List<List<int?>>(parts);
        object[] values =
        [
            new System.Collections.ObjectModel.ReadOnlyCollection<object>(other), other,
            new System.Collections.ObjectModel.ReadOnlyCollection<List<int?>>(inner), inner,
        ];
        var document = PayloadDocument.Parse(References.Serialize(values));
        NodeWalk.Check(document);
        foreach (string path in new[] { "[2][1][0]", "[3][1][0]" })
        {
            Assert.True(document.Root.TryGet(path, out PayloadNode node));
            Assert.Equal(2, node.GetValue<int>());
        }

        Assert.Equal(document.Root[2].ToString(), document.Root[3].Target.ToString());
    }

    [Fact]
    public void Memory_for_definitions_is_bounded()
    {
        byte[] payload = Copies.Serialize(new Person("Ada", null));
        Limits tight = Limits.Default with { MaxAllocation = 1000 };
        Assert.Equal(
            WireFormatError.Limit, Assert.Throws<WireFormatException>(() => PayloadDocument.Parse(payload, tight)).Error);

        // Over all messages of a session.
        using SerializerSession writing = Copies.GetSerializerSession();
        byte[] first = Copies.Serialize(new Person("Ada", null), writing);
        byte[] second = Copies.Serialize(new Ring(), writing);
        Limits each = Limits.Default with { MaxManifestBytes = Math.Max(first.Length, second.Length) };
        var session = new PayloadDocumentSession();
        PayloadDocument.Parse(first, each, session);
        Assert.Equal(
            WireFormatError.Limit, Assert.Throws<WireFormatException>(() => PayloadDocument.Parse(second, each, session)).Error);
    }

    [Fact]
    public void Large_integers_are_hexadecimal()
    {
        BigInteger large = BigInteger.One << (8 * 2_000_000);
        Assert.StartsWith("\"0x010000", Json(Parse(large)), StringComparison.Ordinal);
        Assert.Throws<OverflowException>(() => Parse(large).Root.GetValue<int>());
        Assert.Equal($"\"{BigInteger.One << 8000}\"", Json(Parse(BigInteger.One << 8000)));
    }

    [Fact]
    public void Keys_of_two_types_with_one_text_are_told_apart()
    {
        PayloadNode root = Parse(new Dictionary<object, string> { [1] = "int", ["1"] = "text" }).Root;
        Assert.True(root.TryGet("[1]", out PayloadNode number));
        Assert.True(root.TryGet("[\"1\"]", out PayloadNode text));
        Assert.Equal(("int", "text"), (number.GetValue<string>(), text.GetValue<string>()));
    }

    [Fact]
    public void A_key_twice_is_shown_twice()
    {
        byte[] payload = Copies.Serialize(new Dictionary<string, int> { ["a"] = 1, ["b"] = 2 });
        payload[payload.AsSpan().LastIndexOf((byte)'b')] = (byte)'a';
        PayloadNode root = PayloadDocument.Parse(payload).Root;
        Assert.EndsWith(
            "\"$pairs\":[{\"key\":\"a\",\"value\":1},{\"key\":\"a\",\"value\":2}]}", Json(root), StringComparison.Ordinal);
    }

    [Fact]
    public void A_number_is_read_as_a_nullable_one_too() => Assert.Equal(5L, Parse(5).Root.GetValue<long?>());

    [Fact]
    public void No_depth_takes_stack()
    {
        const int Deep = 200_000;
        Ring? ring = null;
        for (int i = 0; i < Deep; i++)
        {
            ring = new Ring { Value = i, Next = ring };
        }

        var deep = new Serializer(Options with { Limits = Limits.Default with { MaxDepth = int.MaxValue } });
        PayloadNode node = PayloadDocument.Parse(deep.Serialize(ring)).Root;
        string json = node.ToString();
        Assert.EndsWith("}", json, StringComparison.Ordinal);
        Assert.Contains("\"$deeper\": ", json, StringComparison.Ordinal);
        for (int i = Deep - 1; i >= 0; i--)
        {
            Assert.Equal(i, node["Value"].GetValue<int>());
            node = node["Next"];
        }

        Assert.Equal(PayloadKind.Null, node.Kind);
    }

    [Fact]
    public void Nothing_is_loaded_or_made()
    {
        byte[] payload = Copies.Serialize(new Person("Ada", null));
        byte[] foreign = Replace(payload, nameof(PayloadDocumentTests), "PayloadDocumentXests");
        Assert.Equal("Ada", PayloadDocument.Parse(foreign).Root["Name"].GetValue<string>());
    }

    [Fact]
    public void Limits_hold()
    {
        byte[] payload = Copies.Serialize(new object[] { new Person("Ada", null), new Person("Grace", null), new string('x', 100) });
        foreach (Limits limits in new[]
        {
            Limits.Default with { MaxBytes = payload.Length - 1 },
            Limits.Default with { MaxObjects = 2 },
            Limits.Default with { MaxElements = 2 },
            Limits.Default with { MaxStringLength = 99 },
            Limits.Default with { MaxManifestBytes = 10 },
            Limits.Default with { MaxAllocation = 100 },
        })
        {
            WireFormatException refused = Assert.Throws<WireFormatException>(() => PayloadDocument.Parse(payload, limits));
            Assert.Equal(WireFormatError.Limit, refused.Error);
            Assert.InRange(refused.Offset, 0, payload.Length);
        }

        PayloadDocument.Parse(payload, Limits.Default with { MaxBytes = payload.Length, MaxObjects = 3, MaxElements = 3 });
    }

    [Fact]
    public void Pieces_are_joined()
    {
        byte[] payload = Copies.Serialize(new Person("Ada", "a@b"));
        Assert.Equal("a@b", PayloadDocument.Parse(Sequences.Chunked(payload, 3)).Root["Mail"].GetValue<string>());
    }

    [Theory]
    [InlineData(9007199254740991L, "9007199254740991")]
    [InlineData(9007199254740992L, "\"9007199254740992\"")]
    [InlineData(-9007199254740992L, "\"-9007199254740992\"")]
    [InlineData(0.1f, "0.1")]
    [InlineData(double.NaN, "\"NaN\"")]
    [InlineData(-0.0, "-0")]
    [InlineData(DayOfWeek.Friday, "{\"$type\":\"System.DayOfWeek\",\"$value\":5}")]
    public void JSON_of_scalars(object value, string json) => Assert.Equal(json, Json(Parse(value)));

    [Fact]
    public void JSON_of_texts_decimals_and_times()
    {
        Assert.Equal("\"\\ud800\"", Json(Parse("\ud800")));
        Assert.Equal("\"a\\u0022\\ud800\\u000a\"", Json(Parse("a\"\ud800\n")));
        Assert.Equal("1.50", Json(Parse(1.50m)));
        Assert.Equal("999999999999999", Json(Parse(999999999999999m)));
        Assert.Equal("\"1000000000000000\"", Json(Parse(1000000000000000m)));
        Assert.Equal("\"2024-02-29T01:02:03.5\"", Json(Parse(new DateTime(2024, 2, 29, 1, 2, 3, 500))));
        Assert.Equal("\"2024-02-29T01:02:03[local]\"", Json(Parse(new DateTime(2024, 2, 29, 1, 2, 3, DateTimeKind.Local))));
        Assert.Equal("0.00006", Json(Parse((Half)0.00006)));
    }

    [Fact]
    public void JSON_of_names_and_keys_that_begin_as_its_own()
    {
        Assert.Equal("{\"$$type\":1,\"b\":2}", Json(Parse(new Holder { Map = new() { ["$type"] = 1, ["b"] = 2 } }).Root["Map"]));
        Assert.Equal(
            "{\"$pairs\":[{\"key\":\"\\ud800\",\"value\":1}]}",
            Json(Parse(new Holder { Map = new() { ["\ud800"] = 1 } }).Root["Map"]));
    }

    private static PayloadDocument Parse(object value)
    {
        PayloadDocument document = PayloadDocument.Parse(Copies.Serialize(value));
        NodeWalk.Check(document);
        return document;
    }

    private static string Json(PayloadDocument document) => Json(document.Root);

    private static string Json(PayloadNode node)
    {
        var buffer = new ArrayBufferWriter<byte>();
        using (var writer = new Utf8JsonWriter(buffer))
        {
            node.WriteTo(writer);
        }

        return Encoding.UTF8.GetString(buffer.WrittenSpan);
    }

    private static byte[] Replace(byte[] payload, string text, string by)
    {
        int at = payload.AsSpan().IndexOf(Encoding.UTF8.GetBytes(text));
        Assert.True(at >= 0);
        byte[] copy = [.. payload];
        Encoding.UTF8.GetBytes(by).CopyTo(copy, at);
        return copy;
    }

    private sealed record Person(string Name, string? Mail);

    private sealed record Line(string Product, decimal Price);

    private sealed record Order(int Id, Person Customer, List<Line> Lines, Color Color)
    {
        public Dictionary<string, int> Prices { get; } = [];

        public SortedDictionary<int, string> ByNumber { get; } = [];
    }

    private sealed class Ring
    {
        public int Value { get; set; }

        public Ring? Next { get; set; }
    }

    private sealed class Holder
    {
        public Dictionary<string, int>? Map { get; set; }
    }
}
