using System.Buffers;
using Wire.Benchmarks.Floors;
using Wire.Benchmarks.Peers;

namespace Wire.Benchmarks;

/// <summary>What is measured: one seeded value, which each row writes and reads its own way.</summary>
/// <param name="name">Short and unique; what <c>--only</c> looks in.</param>
/// <param name="batch">How many operations stand between two looks at the clock at least: many for what takes nanoseconds.</param>
/// <param name="units">Of how many equal parts an operation consists: figures are those of one part.</param>
internal abstract class Scenario(string name, int batch = 1, int units = 1)
{
    public string Name => name;

    public int Batch => batch;

    public int Units => units;

    /// <summary>The rows; the first one is the floor, which the others are compared with.</summary>
    public abstract IEnumerable<Row> Rows();

    /// <summary>Memory for a codec to write to.</summary>
    public static ArrayBufferWriter<byte> Output() => new(1024);
}

/// <summary>
/// A scenario over values of one type. A peer asks <c>scenario is Scenario&lt;Poco&gt;</c> to find out whether it has a codec for it.
/// </summary>
/// <param name="make">Makes the value, the same each time.</param>
/// <param name="same">Whether two values are equal in all that a reader could tell.</param>
internal sealed class Scenario<T>(string name, Func<T> make, Func<T, T, bool> same, int batch = 1) : Scenario(name, batch)
    where T : class
{
    private T? _value;

    /// <summary>What the rows of Wire build on.</summary>
    public SerializerOptions Options { get; init; } = SerializerOptions.Default;

    /// <summary>The rows of code written by hand; the first one is the floor.</summary>
    public required Func<Scenario<T>, IEnumerable<Row>> ByHand { get; init; }

    /// <summary>The rows of Wire: with the type in code, with the type in the payload, and in a session.</summary>
    public Func<Scenario<T>, IEnumerable<Row>> ByWire { get; init; } = static scenario =>
    [
        scenario.Row("Wire, SerializeTyped", Typing.Static, new WireTypedCodec<T>(new Serializer(scenario.Options), Output())),
        scenario.Row("Wire, defaults", Typing.Polymorphic, new WireCodec<T>(new Serializer(scenario.Options), Output())),
        scenario.Row("Wire, long-lived session", Typing.Polymorphic, new WireSessionCodec<T>(new Serializer(scenario.Options), Output())),
    ];

    /// <summary>The libraries that take part.</summary>
    public IReadOnlyList<Peer> Peers { get; init; } = Peer.All;

    // Made when it is first asked for.
    private T Value => _value ??= make();

    public override IEnumerable<Row> Rows() => [.. ByHand(this), .. ByWire(this), .. Peers.SelectMany(peer => peer.Rows(this))];

    /// <summary>The row that the others are compared with.</summary>
    public Row Floor<TFloor>(string name = "By hand, span code (floor)")
        where TFloor : struct, IFloor<T> => Row(name, Typing.Floor, new FloorCodec<T, TFloor>(Output()));

    /// <summary>A row on the value of the model.</summary>
    public Row Row<TCodec>(string name, Typing typing, TCodec codec)
        where TCodec : struct, ICodec<T> => new Row<T, TCodec>(name, typing, codec, () => Value, same);

    /// <summary>
    /// A row on a value of the library's own class: it is made from the model's value before anything is timed, and what was read is
    /// mapped back to be compared.
    /// </summary>
    public Row Row<TOwn, TCodec>(string name, Typing typing, TCodec codec, Func<T, TOwn> toOwn, Func<TOwn, T> fromOwn)
        where TOwn : class
        where TCodec : struct, ICodec<TOwn> =>
        new Row<TOwn, TCodec>(name, typing, codec, () => toOwn(Value), (read, _) => same(fromOwn(read), Value));

    /// <summary>A row that the library cannot have, with the reason.</summary>
    public Row Cannot(string name, Typing typing, string reason) => new MissingRow(name, typing, reason);
}

/// <summary>What a page is made of.</summary>
/// <param name="Scenarios">In the order of the tables.</param>
/// <param name="Comparisons">Figures against figures: their names, and what measures them.</param>
internal sealed record Suite(IReadOnlyList<Scenario> Scenarios, params IReadOnlyList<(string Name, Func<Comparison> Measure)> Comparisons)
{
    /// <summary>What else is to be known of the rows, a sentence after how they are measured.</summary>
    public string Note { get; init; } = "";

    /// <summary>Measures those of the comparisons that are wanted.</summary>
    public Comparison[] Compare(IReadOnlySet<string> wanted) =>
        [.. Comparisons.Where(item => wanted.Contains(item.Name)).Select(item => item.Measure())];
}
