using System.Collections.Immutable;
using Bench.FSharp;
using Microsoft.FSharp.Collections;
using Wire.Benchmarks.Floors;
using Wire.Benchmarks.Peers;

namespace Wire.Benchmarks;

/// <summary>What docs/performance/serializer.md is made of.</summary>
internal static class SerializerSuite
{
    // Of the mixed text: Latin with accents, Greek, Cyrillic, Chinese; symbols beyond the first plane come on top.
    private const string Alphabet = "etaoin shrdlu, äöüéèçñ ΑλφαΒητα Привет 你好世界漢字 — “”";

    public static readonly SerializerOptions MixedOptions = Allowing(filter => filter
        .Allow<Ping>().Allow<Ack>().Allow<Reading>().Allow<Notice>().Allow<Poco>().Allow<Transfer>().Allow<Samples>().Allow<Basket>());

    private static readonly SerializerOptions Strict = SerializerOptions.Default with { VersionTolerance = false };

    public static Suite All { get; } = new(
    [
        // What queues and actor systems have: many classes, and no message like the one before.
        new Traffic(Traffic.MixedTypes, Traffic.Messages, () => Mixed.Messages(Traffic.Messages))
        {
            Options = MixedOptions,
            All = traffic =>
            [
                traffic.Row("By hand, a switch (floor)", Typing.Floor, new MixedFloor(Scenario.Output())),
                traffic.Row("Wire, defaults", Typing.Polymorphic, new TrafficCodec(new Serializer(traffic.Options), Scenario.Output())),
                traffic.Row(
                    "Wire, no version tolerance",
                    Typing.Polymorphic,
                    new TrafficCodec(new Serializer(traffic.Options with { VersionTolerance = false }), Scenario.Output())),
                traffic.Row(
                    "Wire, long-lived session",
                    Typing.Polymorphic,
                    new TrafficSessionCodec(new Serializer(traffic.Options), Scenario.Output())),
            ],
        },

        // One class, with texts of which a fifth has letters beyond Latin-1.
        new Traffic(Traffic.VariedText, Traffic.Messages, () => Mixed.Texts(Traffic.Messages))
        {
            Options = Allowing(filter => filter.Allow<Remark>()),
            All = traffic =>
            [
                traffic.Row("By hand, span code (floor)", Typing.Floor, new RemarkFloor(Scenario.Output())),
                traffic.Row("Wire, defaults", Typing.Polymorphic, new TrafficCodec(new Serializer(traffic.Options), Scenario.Output())),
                traffic.Row(
                    "Wire, long-lived session",
                    Typing.Polymorphic,
                    new TrafficSessionCodec(new Serializer(traffic.Options), Scenario.Output())),
            ],
        },

        // Each message of the mixed types twice, by one serializer and then by another on the same thread.
        new Traffic("Two serializers", Traffic.Messages, () => Mixed.Messages(Traffic.Messages))
        {
            Options = MixedOptions,
            All = traffic =>
            [
                traffic.Row("By hand, a switch, once (floor)", Typing.Floor, new MixedFloor(Scenario.Output())),
                traffic.Row(
                    "Wire, two serializers in turn",
                    Typing.Polymorphic,
                    new TwoSerializersCodec(new Serializer(traffic.Options), new Serializer(traffic.Options), Scenario.Output())),
                traffic.Row("Wire, one serializer twice", Typing.Polymorphic, OneTwice(new Serializer(traffic.Options))),
            ],
        },

        // The small message, and what each option of Wire does to it.
        new Scenario<Poco>("POCO", () => Poco.Create(seed: 1), (left, right) => left.HasSameMembers(right), batch: 100)
        {
            ByHand = scenario =>
            [
                scenario.Row("By hand, span code (floor)", Typing.Floor, new PocoFloorCodec(Scenario.Output())),
                scenario.Row("By hand, unsafe, to an array", Typing.Floor, new PocoUnsafeCodec(new byte[256])),
            ],
            ByWire = Pocos,
        },

        // What a message costs beside its data.
        new Scenario<OneInt>("One int", () => new OneInt { Number = 123_456_789 }, (left, right) => left.Number == right.Number, batch: 100)
        {
            ByHand = scenario => [scenario.Row("By hand, span code (floor)", Typing.Floor, new OneIntFloorCodec(Scenario.Output()))],
            ByWire = scenario =>
            [
                scenario.Row("Wire, SerializeTyped", Typing.Static, new OneIntTypedCodec(new Serializer(), Scenario.Output())),
                scenario.Row("Wire, defaults", Typing.Polymorphic, new OneIntWireCodec(new Serializer(), Scenario.Output())),
                scenario.Row("Wire, long-lived session", Typing.Polymorphic, new OneIntSessionCodec(new Serializer(), Scenario.Output())),
            ],
        },

        // With a list of 100 and 4 KB of bytes.
        new Scenario<Order>("40 members", () => Seeded.Order(seed: 1), Deep.Same, batch: 10)
        {
            ByHand = scenario => [scenario.Floor<OrderFloor>()],
        },

        // The arguments of an actor's constructor: about twenty values of many types in an array of objects.
        new Scenario<object?[]>("Actor arguments", Arguments, Deep.Same, batch: 10)
        {
            Options = Allowing(filter => filter.Allow<Poco>().Allow<Color>()),
            ByHand = scenario => [scenario.Floor<ArgumentsFloor>()],
        },
        new Scenario<List<Poco>>("List of POCOs", () => [.. Seeded.Pocos(1000)], Deep.Same)
        {
            ByHand = scenario => [scenario.Floor<ListFloor>()],
        },
        new Scenario<Poco[]>("Array of POCOs", () => [.. Seeded.Pocos(1000)], Deep.Same)
        {
            ByHand = scenario => [scenario.Floor<ArrayFloor>()],
        },
        new Scenario<Dictionary<string, Poco>>("Dictionary of POCOs", () => ByKey(Seeded.Pocos(100)), Deep.Same, batch: 2)
        {
            ByHand = scenario => [scenario.Floor<DictionaryFloor>()],
        },

        // 255 nodes, whose identity has to be kept. Code for just this knows that a child's parent is the node above it.
        new Scenario<TreeNode>("Tree with parent links", () => TreeNode.Create(levels: 8), Deep.Same)
        {
            Options = SerializerOptions.Default with { PreserveObjectReferences = true },
            ByHand = scenario =>
            [
                scenario.Floor<ImpliedTreeFloor>("By hand, parents implied (floor)"),
                scenario.Floor<TreeFloor>("By hand, identity dictionary"),
            ],
        },

        // 200 of four classes in no order.
        new Scenario<List<IShape>>("Items behind an interface", () => Shapes(200, kinds: 4), Deep.Same, batch: 2)
        {
            Options = Allowing(filter => filter.AllowDerivedFrom<IShape>()),
            ByHand = scenario => [scenario.Floor<ShapesFloor>()],
        },

        // Over five classes in no order.
        new Scenario<List<Figure>>("Interface-typed members", () => Figures(1000), Deep.Same)
        {
            Options = Allowing(filter => filter.AllowDerivedFrom<IShape>()),
            ByHand = scenario => [scenario.Floor<FiguresFloor>()],
        },
        new Scenario<ImmutableList<Poco>>("ImmutableList of POCOs", () => [.. Seeded.Pocos(100)], Deep.Same, batch: 2)
        {
            ByHand = scenario => [scenario.Floor<ImmutableListFloor>()],
        },
        new Scenario<FSharpList<Event>>("F# union list", () => Events.create(seed: 1, count: 1000), (left, right) => left.Equals(right))
        {
            Options = SerializerOptions.Default.UseFSharp(),
            ByHand = scenario => [scenario.Floor<EventsFloor>()],
        },
        new Scenario<int[]>("int[1,000,000]", () => Numbers(1_000_000), (left, right) => left.AsSpan().SequenceEqual(right))
        {
            ByHand = scenario => [scenario.Floor<IntsFloor>("By hand, block copy (floor)")],
        },
        new Scenario<string>("1 MB of mixed text", () => Text(1 << 19), (left, right) => left == right)
        {
            ByHand = scenario =>
            [
                scenario.Floor<Utf16Floor>("By hand, block copy of UTF-16 (floor)"),
                scenario.Floor<Utf8Floor>("By hand, transcoding to UTF-8"),
            ],
        },

        // Over one connection: the first message of each type carries its manifest.
        new Scenario<Conversation>("Session of 1,000 messages", () => Conversation.Create(ConversationFloor.Count), Deep.Same)
        {
            Options = Allowing(filter => filter.Allow<Poco>().Allow<Ping>().Allow<Ack>().Allow<Reading>().Allow<Notice>().Allow<Move>()),
            ByHand = scenario => [scenario.Floor<ConversationFloor>()],
            ByWire = scenario =>
            [
                scenario.Row(
                    "Wire, one session", Typing.Polymorphic, new ConversationCodec(new Serializer(scenario.Options), Scenario.Output())),
            ],
        },
    ],
    (Throughput.Name, Throughput.Measure),
    (ColdStart.Name, ColdStart.Measure))
    {
        Note = SourcePeer.Describe(),
    };

    private static IEnumerable<Row> Pocos(Scenario<Poco> scenario)
    {
        return
        [
            scenario.Row("Wire, SerializeTyped", Typing.Static, new PocoTypedCodec(new Serializer(), Scenario.Output())),
            Polymorphic("Wire, defaults", SerializerOptions.Default),
            Polymorphic("Wire, references preserved", SerializerOptions.Default with { PreserveObjectReferences = true }),
            Polymorphic("Wire, no version tolerance", Strict),
            Polymorphic("Wire, known type", SerializerOptions.Default with { KnownTypes = [new(1, typeof(Poco))] }),
            Polymorphic("Wire, known type, no version tolerance", Strict with { KnownTypes = [new(1, typeof(Poco))] }),
            scenario.Row("Wire, long-lived session", Typing.Polymorphic, new PocoSessionCodec(new Serializer(), Scenario.Output())),
        ];

        Row Polymorphic(string name, SerializerOptions options) =>
            scenario.Row(name, Typing.Polymorphic, new PocoWireCodec(new Serializer(options), Scenario.Output()));
    }

    private static TwoSerializersCodec OneTwice(Serializer serializer) => new(serializer, serializer, Scenario.Output());

    private static SerializerOptions Allowing(Func<WireTypeFilter, WireTypeFilter> allow) =>
        SerializerOptions.Default with { TypeFilter = allow(WireTypeFilter.Default) };

    private static Dictionary<string, Poco> ByKey(IEnumerable<Poco> pocos) =>
        pocos.Index().ToDictionary(pair => $"key {pair.Index}", pair => pair.Item);

    private static object?[] Arguments()
    {
        var random = new Random(1);
        return
        [
            1, 65_536, -7, 3L, random.NextInt64(), "orders", "eu-west/shard-17", "", null, true, false, 0.5, random.NextDouble(),
            random.Guid(), random.Date(), Color.Blue, new int[] { 1, 2, 3, 5, 8, 13, 21 },
            new object?[] { "nested", 42, null, Poco.Create(1) }, Poco.Create(2), Poco.Create(3),
        ];
    }

    private static List<Figure> Figures(int count) =>
        [.. Shapes(count, kinds: 5).Index().Select(item => new Figure { Id = item.Index, Shape = item.Item })];

    private static List<IShape> Shapes(int count, int kinds)
    {
        var random = new Random(1);
        return
        [
            .. Enumerable.Range(0, count).Select(_ => (IShape)(random.Next(kinds) switch
            {
                0 => new Dot { X = random.NextDouble(), Y = random.NextDouble() },
                1 => new Circle { X = random.NextDouble(), Y = random.NextDouble(), Radius = random.NextDouble() },
                2 => new Box { Width = random.Next(1000), Height = random.Next(1000) },
                3 => new Label { Text = random.Text(12) },
                _ => new Switch { IsOn = random.Next(2) == 0, Since = random.NextInt64() },
            })),
        ];
    }

    private static int[] Numbers(int count)
    {
        var random = new Random(1);
        int[] numbers = new int[count];
        foreach (ref int number in numbers.AsSpan())
        {
            number = random.Next();
        }

        return numbers;
    }

    private static string Text(int length) => string.Create(length, new Random(1), static (text, random) =>
    {
        random.GetItems(Alphabet, text);
        for (int i = 100; i + 1 < text.Length; i += 1000)
        {
            "😀".CopyTo(text[i..]);
        }
    });
}
