using Wire.Benchmarks.Peers;
using Wire.Benchmarks.Quoted.Peers;

namespace Wire.Benchmarks.Quoted;

/// <summary>What docs/performance/quoted.md is made of: messages by which other serializers are quoted.</summary>
internal static class QuotedSuite
{
    private static readonly SerializerOptions References = SerializerOptions.Default with { PreserveObjectReferences = true };

    public static Suite All { get; } = new(
    [
        Of("Answer", () => Answer.Create(new Random(1)), batch: 10),
        Of("MediaContent", MediaContent.Create, batch: 10),
        SimplePocos(),
        Of("BookShelf of 1 book", () => BookShelf.Create(books: 1, bytes: 0), batch: 10),
        Of("BookShelf of 10,000 books", () => BookShelf.Create(books: 10_000, bytes: 0)),
        Of("BookShelf of 1,000 books with 100 bytes each", () => BookShelf.Create(books: 1000, bytes: 100)),
        Of("BookShelf of 1,000 books that know their shelf", () => ReferenceBookShelf.Create(books: 1000), options: References),
        Of("Logs, 10,000 entries", () => Logs.Create(count: 10_000)),
    ],
    [.. FirstCalls.All])
    {
        Note = $" Packages: {string.Join(", ", PackagePeer.All.Select(peer => $"{peer.Name} {peer.Version}"))}.",
    };

    private static Scenario<T> Of<T>(string name, Func<T> make, int batch = 1, SerializerOptions? options = null)
        where T : class => new(name, make, SameGraph.Same, batch)
        {
            Options = options ?? SerializerOptions.Default,
            ByHand = static _ => [],
            ByWire = static scenario => Wires<T, WireCodec<T>, WireTypedCodec<T>, WireSessionCodec<T>>(
                scenario,
                new(new Serializer(scenario.Options), Scenario.Output()),
                new(new Serializer(scenario.Options), Scenario.Output()),
                new(new Serializer(scenario.Options), Scenario.Output())),
            Peers = PackagePeer.All,
        };

    // The codecs name the class, as all of them do where a message takes nanoseconds.
    private static Scenario<SimplePoco> SimplePocos() => new("SimplePoco", SimplePoco.Create, SameGraph.Same, batch: 100)
    {
        ByHand = static _ => [],
        ByWire = static scenario => Wires<SimplePoco, SimplePocoWireCodec, SimplePocoTypedCodec, SimplePocoSessionCodec>(
            scenario,
            new(new Serializer(), Scenario.Output()),
            new(new Serializer(), Scenario.Output()),
            new(new Serializer(), Scenario.Output())),
        Peers = PackagePeer.All,
    };

    // The first row is what the others are compared with.
    private static IEnumerable<Row> Wires<T, TPlain, TTyped, TSession>(Scenario<T> scenario, TPlain plain, TTyped typed, TSession session)
        where T : class
        where TPlain : struct, ICodec<T>
        where TTyped : struct, ICodec<T>
        where TSession : struct, ICodec<T> =>
    [
        scenario.Row("Wire, defaults", Typing.Polymorphic, plain),
        scenario.Row("Wire, SerializeTyped", Typing.Static, typed),
        scenario.Row("Wire, long-lived session", Typing.Polymorphic, session),
    ];
}
