using System.Collections;
using System.Collections.Immutable;
using System.Globalization;
using System.Linq.Expressions;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Text;
using Microsoft.FSharp.Core;
using Xunit;

namespace Wire.Tests.Documentation;

/// <summary>A value that docs/format.md mentions by name: how its bytes are made, and how they are checked to be the value again.</summary>
internal sealed record FormatSample(Func<byte[]> Write, Action<byte[]> Check);

/// <summary>The values that the vectors of docs/format.md may name.</summary>
internal static class FormatSamples
{
    private static readonly Serializer Plain = new();
    private static readonly Serializer References = new(new SerializerOptions { PreserveObjectReferences = true });
    private static readonly Serializer Intolerant = new(new SerializerOptions { VersionTolerance = false });
    private static readonly Serializer ByNumber = new(new SerializerOptions { EnumsByName = false });
    private static readonly Serializer Known = new(new SerializerOptions { KnownTypes = [new(7, typeof(Order))] });
    private static readonly Serializer Allowing =
        new(new SerializerOptions { TypeFilter = WireTypeFilter.Default.Allow<Outer<int>.Inner>().Allow<Point>() });
    private static readonly Serializer Aliased = new(new SerializerOptions { TypeAliases = TypeAliases.None.Alias<Point>("Shop.Point") });
    private static readonly Serializer FSharp = new(SerializerOptions.Default.UseFSharp());

    private static readonly Serializer Comparing = new(new SerializerOptions { TypeFilter = WireTypeFilter.Default.Allow<ByRemainder>() });
    private static readonly Serializer Custom = new(new SerializerOptions
    {
        ValueSerializerFactories = [ValueSerializerFactory.For(new CelsiusSerializer()), ValueSerializerFactory.For(new LabelSerializer())],
        Surrogates = [Surrogate.Create<Ticket, int>(ticket => ticket.Number, number => new Ticket(number))],
    });

    private static readonly Serializer OptedIn = new(new SerializerOptions
    {
        AllowDelegates = true,
        AllowMemberInfos = true,
        AllowExpressions = true,
        UseSerializable = true,
        TypeFilter = WireTypeFilter.Default.AllowAssembly(typeof(FormatSamples).Assembly),
    });

    public static Dictionary<string, FormatSample> All { get; } = new()
    {
        ["null"] = Of<object?>(null),
        ["int 42"] = Of(42),
        ["int 42 with object references"] = Of(42, References),
        ["typed int 42"] = Typed(42),
        ["typed Order 7"] = Typed(new Order(7, null)),
        ["typed Order null"] = Typed<Order?>(null),
        ["object[] of null, true, 'a' and an int[]"] = Of<object?[]>([null, true, 'a', new[] { 1 }]),
        ["new object()"] = new(() => Plain.Serialize(new object()), bytes => Assert.IsType<object>(Plain.Deserialize<object>(bytes))),

        ["an async sequence of 1 and 2"] = new(
            () => Async(new[] { 1, 2 }.ToAsyncEnumerable()),
            bytes => Assert.Equal([1, 2], Plain.Deserialize<IAsyncEnumerable<int>>(bytes)!.ToBlockingEnumerable())),
        ["the one Ping"] = new(
            () => new Serializer(new SerializerOptions { Singletons = [Ping.Instance] }).Serialize(Ping.Instance),
            bytes => Assert.Same(
                Ping.Instance, new Serializer(new SerializerOptions { Singletons = [Ping.Instance] }).Deserialize<Ping>(bytes))),
        ["Bag of 1 and 2 named b"] = new(
            () => Plain.Serialize(new Bag { 1, 2 }), bytes => Assert.Equal("b", Plain.Deserialize<Bag>(bytes)!.Name)),
        ["Exception x without a schema"] = new(
            () => Intolerant.Serialize(new Exception("x")),
            bytes => Assert.Equal("x", Intolerant.Deserialize<Exception>(bytes)!.Message)),

        ["bool true"] = Of(true),
        ["sbyte -1"] = Of<sbyte>(-1),
        ["byte 255"] = Of<byte>(255),
        ["short -2"] = Of<short>(-2),
        ["ushort 258"] = Of<ushort>(258),
        ["uint 1"] = Of(1u),
        ["long -1"] = Of(-1L),
        ["ulong 1"] = Of(1ul),
        ["Int128 1"] = Of((Int128)1),
        ["UInt128 1"] = Of((UInt128)1),
        ["nint -1"] = Of((nint)(-1)),
        ["nuint 1"] = Of((nuint)1),
        ["Half 1.5"] = Of((Half)1.5),
        ["float 1.5"] = Of(1.5f),
        ["double 1.5"] = Of(1.5),
        ["decimal -1.5"] = Of(-1.5m),
        ["char €"] = Of('€'),
        ["Rune U+1F600"] = Of(new Rune(0x1F600)),
        ["Guid 00112233-4455-6677-8899-aabbccddeeff"] = Of(Guid.Parse("00112233-4455-6677-8899-aabbccddeeff")),
        ["DateTime 2020-01-02T03:04:05Z"] = Of(new DateTime(2020, 1, 2, 3, 4, 5, DateTimeKind.Utc)),
        ["DateTime 2024-10-27T02:30:00, local, the first of the two"] = new(
            () => Plain.Serialize(Unsafe.BitCast<ulong, DateTime>(0xC8DCF62F4158C400)),
            bytes => Assert.Equal(0xC8DCF62F4158C400, Unsafe.BitCast<DateTime, ulong>(Plain.Deserialize<DateTime>(bytes)))),
        ["DateTimeOffset 2020-01-02T03:04:05+01:00"] = Of(new DateTimeOffset(2020, 1, 2, 3, 4, 5, TimeSpan.FromHours(1))),
        ["TimeSpan of 1 second"] = Of(TimeSpan.FromSeconds(1)),
        ["DateOnly 2020-01-02"] = Of(new DateOnly(2020, 1, 2)),
        ["TimeOnly 03:04:05"] = Of(new TimeOnly(3, 4, 5)),
        ["Complex 1 + 2i"] = Of(new Complex(1, 2)),

        ["string abc"] = Of("abc"),
        ["string empty"] = Of(""),
        ["string ÿ"] = Of("ÿ"),
        ["string 10 €"] = Of("10 €"),
        ["string of one lone surrogate U+D800"] = Of("\uD800"),
        ["string[] of null and a"] = Of<string?[]>([null, "a"]),
        ["string of 64 letters a"] = Of(new string('a', 64)),
        ["byte[] of 3 bytes"] = Of(new byte[] { 1, 2, 3 }),
        ["bool[] of 130 times false"] = Of(new bool[130]),
        ["Uri http://a/b"] = Of(new Uri("http://a/b")),
        ["Uri http://a/%62, whose path stands for itself"] =
            Of(ValueSerializers.UriTests.Verbatim("http://a/%62")),
        ["Uri b, relative"] = Of(new Uri("b", UriKind.Relative)),
        ["Version 1.2"] = Of(new Version(1, 2)),
        ["Version 1.2.3.4"] = Of(new Version(1, 2, 3, 4)),
        ["BigInteger -256"] = Of(new BigInteger(-256)),
        ["Type int"] = Of(typeof(int)),

        ["Point 1, 2"] = Of(new Point(1, 2)),
        ["Order 7"] = Of(new Order(7, null)),
        ["object[] of two Points"] = new(
            () => Allowing.Serialize(new object[] { new Point(1, 2), new Point(3, 4) }),
            bytes => Assert.Equal([new Point(1, 2), new Point(3, 4)], Allowing.Deserialize<object[]>(bytes)!)),
        ["Envelope of Order 7"] = Of(new Envelope(new Order(7, null))),
        ["Order 7 without version tolerance"] = Of(new Order(7, null), Intolerant),
        ["Order 7 as known type 7"] = Of(new Order(7, null), Known),
        ["Color.Green"] = Of(Color.Green),
        ["Color.Green without names in schemas"] = Of(Color.Green, ByNumber),
        ["Choice1Of2 42 of F#"] = Of(FSharpChoice<int, string>.NewChoice1Of2(42), FSharp),
        ["ValueSome 42 of F#"] = Of(FSharpValueOption<int>.NewValueSome(42), FSharp),
        ["Nothing, a value type without members"] = Of(default(Nothing)),
        ["Shapes, empty"] = new(() => Custom.Serialize(new Shapes()), bytes => Assert.IsType<Shapes>(Custom.Deserialize<Shapes>(bytes))),

        ["List<int> of 1, 2"] = Of(new List<int> { 1, 2 }),
        ["int?[] of 1 and null"] = Of(new int?[] { 1, null }),
        ["Dictionary<string, int> ignoring case, of a: 1"] = new(
            () => Plain.Serialize(new Dictionary<string, int>(StringComparer.OrdinalIgnoreCase) { ["a"] = 1 }),
            bytes => Assert.Equal(1, Plain.Deserialize<Dictionary<string, int>>(bytes)!["A"])),
        ["HashSet<string> of culture tr-TR ignoring case, of i"] = new(
            () =>
                Plain.Serialize(new HashSet<string>(StringComparer.Create(CultureInfo.GetCultureInfo("tr-TR"), ignoreCase: true)) { "i" }),
            bytes => Assert.Contains("\u0130", Plain.Deserialize<HashSet<string>>(bytes)!)),
        ["HashSet<int> by an object, of 1"] = new(
            () => Comparing.Serialize(new HashSet<int>(new ByRemainder { Divisor = 2 }) { 1 }),
            bytes => Assert.Contains(3, Comparing.Deserialize<HashSet<int>>(bytes)!)),
        ["ImmutableDictionary<string, string> with comparers of keys and values"] = new(
            () => Plain.Serialize(ImmutableDictionary.Create<string, string>(StringComparer.Ordinal, StringComparer.OrdinalIgnoreCase)),
            bytes => Assert.Same(
                StringComparer.OrdinalIgnoreCase, Plain.Deserialize<ImmutableDictionary<string, string>>(bytes)!.ValueComparer)),
        ["SortedList of objects, of culture tr-TR"] = new(
            () => Plain.Serialize(new SortedList(new Comparer(CultureInfo.GetCultureInfo("tr-TR")))),
            bytes => Assert.Empty(Plain.Deserialize<SortedList>(bytes)!)),
        ["Stack<int> of 1 and 2 above it"] = Of(new Stack<int>([1, 2])),
        ["Lines, a list with a title"] = new(
            () => Plain.Serialize(new Lines { "a" }),
            bytes => Assert.Equal(["a"], Plain.Deserialize<Lines>(bytes)!)),
        ["HashSet<int> of 1"] = Of(new HashSet<int> { 1 }),
        ["int[2, 1] of 1, 2"] = Of(new int[,] { { 1 }, { 2 } }),

        ["Node that is its own next"] = new(
            () =>
            {
                var node = new Node();
                node.Next = node;
                return References.Serialize(node);
            },
            bytes =>
            {
                Node node = Plain.Deserialize<Node>(bytes)!;
                Assert.Same(node, node.Next);
            }),
        ["object[] of one int[] twice, with object references"] = new(
            () =>
            {
                int[] numbers = [1];
                return References.Serialize(new object[] { numbers, numbers });
            },
            bytes =>
            {
                object[] read = Plain.Deserialize<object[]>(bytes)!;
                Assert.Same(read[0], read[1]);
                Assert.Equal([1], (int[])read[0]);
            }),

        ["Celsius 36.6 by a user's value serializer"] = Of(new Celsius(36.6), Custom),
        ["Label abc by a user's value serializer"] = Of(new Label("abc"), Custom),
        ["Ticket 7 by a surrogate"] = Of(new Ticket(7), Custom),

        ["two messages of one session, Order 7 and Order 8"] = new(
            () =>
            {
                using SerializerSession session = Plain.GetSerializerSession();
                return [.. Plain.Serialize(new Order(7, null), session), .. Plain.Serialize(new Order(8, null), session)];
            },
            bytes =>
            {
                using DeserializerSession session = Plain.GetDeserializerSession();
                using var stream = new MemoryStream(bytes);
                Assert.Equal(new Order(7, null), Plain.Deserialize<Order>(stream, session));
                Assert.Equal(new Order(8, null), Plain.Deserialize<Order>(stream, session));
                Assert.Equal(bytes.Length, stream.Position);
            }),
        ["Order 7 behind a lost message of its session"] = new(
            () =>
            {
                using SerializerSession session = Plain.GetSerializerSession();
                _ = Plain.Serialize(new Point(1, 2), session);
                return Plain.Serialize(new Order(7, null), session);
            },
            bytes =>
            {
                using DeserializerSession session = Plain.GetDeserializerSession();
                Assert.Equal(new Order(7, null), Plain.Deserialize<Order>(bytes, session));
            }),
        ["frames of int 42 and of null"] = new(
            () =>
            {
                using var stream = new MemoryStream();
                Plain.SerializeFramedAsync(42, stream).AsTask().GetAwaiter().GetResult();
                Plain.SerializeFramedAsync<object?>(null, stream).AsTask().GetAwaiter().GetResult();
                return stream.ToArray();
            },
            bytes =>
            {
                using var stream = new MemoryStream(bytes);
                Assert.Equal([42, null], Plain.DeserializeAllFramedAsync<object>(stream).ToBlockingEnumerable());
            }),
        ["Index ^2"] = Of<Index>(^2),
        ["CancellationToken, cancelled"] = Of(new CancellationToken(canceled: true)),
        ["Color red"] = Of(System.Drawing.Color.Red),
        ["IPAddress 127.0.0.1"] = Of(new System.Net.IPAddress([127, 0, 0, 1])),
        ["Encoding UTF-8"] = Of(Encoding.UTF8),
        ["CultureInfo de-CH"] = Of(System.Globalization.CultureInfo.GetCultureInfo("de-CH")),
        ["JsonElement [1, null]"] = new(
            () => Plain.Serialize(System.Text.Json.JsonElement.Parse("[1, null]")),
            bytes => Assert.Equal("[1, null]", Plain.Deserialize<System.Text.Json.JsonElement>(bytes).GetRawText())),
        ["XElement a with an attribute and a text"] = new(
            () => Plain.Serialize(new System.Xml.Linq.XElement("a", new System.Xml.Linq.XAttribute("b", 1), "c")),
            bytes => Assert.Equal("<a b=\"1\">c</a>", Plain.Deserialize<System.Xml.Linq.XElement>(bytes)!.ToString())),
        ["Type Dictionary<string, int[]>"] = Of(typeof(Dictionary<string, int[]>)),
        ["Type Outer<int>.Inner"] = Of(typeof(Outer<int>.Inner), Allowing),
        ["Type HttpStatusCode"] = Of(typeof(System.Net.HttpStatusCode)),
        ["HttpStatusCode.NotFound"] = Of(System.Net.HttpStatusCode.NotFound),
        ["Point 1, 2 under the alias Shop.Point"] = Of(new Point(1, 2), Aliased),

        ["Func<int> of Calls.Answer"] = Of<Func<int>>(Calls.Answer, OptedIn),
        ["Seal 7 by itself"] = new(
            () => OptedIn.Serialize(new Seal(7)), bytes => Assert.Equal(7, OptedIn.Deserialize<Seal>(bytes)!.Number)),
        ["the expression x => x + 1"] = new(
            () => OptedIn.Serialize((Expression<Func<int, int>>)(x => x + 1)),
            bytes => Assert.Equal("x => (x + 1)", OptedIn.Deserialize<Expression>(bytes)!.ToString())),
        ["the label target done of type int"] = new(
            () => OptedIn.Serialize(Expression.Label(typeof(int), "done")),
            bytes => Assert.Equal(
                (typeof(int), "done"), OptedIn.Deserialize<LabelTarget>(bytes) is { } label ? (label.Type, label.Name) : default)),
        ["the initializer Add(1) of a List<int>"] = new(
            () => OptedIn.Serialize(Expression.ElementInit(typeof(List<int>).GetMethod("Add")!, Expression.Constant(1))),
            bytes => Assert.Equal("Void Add(Int32)(1)", OptedIn.Deserialize<ElementInit>(bytes)!.ToString())),
        ["the document a.cs"] = new(
            () => OptedIn.Serialize(Expression.SymbolDocument("a.cs")),
            bytes => Assert.Equal("a.cs", OptedIn.Deserialize<SymbolDocumentInfo>(bytes)!.FileName)),
        ["the method Calls.Answer"] = Of(typeof(Calls).GetMethod(nameof(Calls.Answer)), OptedIn),
        ["what Calls.Answer returns"] = Of(typeof(Calls).GetMethod(nameof(Calls.Answer))!.ReturnParameter, OptedIn),
        ["Type Point[,]"] = Of(typeof(Point[,]), Allowing),
    };

    private static FormatSample Of<T>(T value, Serializer? serializer = null) => new(
        () => (serializer ?? Plain).Serialize(value),
        bytes => Assert.Equal(value, (serializer ?? Plain).Deserialize<T>(bytes)));

    private static FormatSample Typed<T>(T value) => new(
        () => Plain.SerializeTyped(value),
        bytes => Assert.Equal(value, Plain.DeserializeTyped<T>(bytes)));

    // Nothing is waited for where all elements are there.
    private static byte[] Async<T>(T value)
    {
        var stream = new MemoryStream();
        Plain.SerializeAsync(value, stream).AsTask().GetAwaiter().GetResult();
        return stream.ToArray();
    }
}
