using System.Buffers;
using Wire.Benchmarks.Floors;
using Wire.Benchmarks.Measuring;
using Wire.Benchmarks.Peers;

namespace Wire.Benchmarks;

/// <summary>What is measured: one seeded value, which each row writes and reads its own way.</summary>
internal abstract class Scenario(string name)
{
    /// <summary>Short and unique; what <c>--only</c> looks in.</summary>
    public string Name { get; } = name;

    /// <summary>How many operations stand between two looks at the clock at least: many for what takes nanoseconds.</summary>
    public virtual int Batch => 1;

    /// <summary>Of how many equal parts an operation consists: figures are those of one part.</summary>
    public virtual int Units => 1;

    /// <summary>The rows of all peers; the first one is the floor, which the others are compared with.</summary>
    public abstract IEnumerable<Row> Rows();
}

/// <summary>A scenario over values of one type. A peer asks <c>scenario is Scenario&lt;Poco&gt;</c> to find out whether it has a codec for it.</summary>
internal abstract class Scenario<T>(string name) : Scenario(name)
    where T : class
{
    private T? _value;

    /// <summary>The value, made when it is first asked for.</summary>
    public T Value => _value ??= Make();

    /// <summary>Whether two values are equal in all that a reader could tell.</summary>
    public abstract bool Same(T left, T right);

    /// <summary>The rows of code written by hand; the first one is the floor.</summary>
    public abstract IEnumerable<Row> Floors();

    /// <summary>The rows of Wire: with the type in code, and with the type in the payload.</summary>
    public virtual IEnumerable<Row> Wire() =>
    [
        Row("Wire, SerializeTyped", Typing.Static, new WireTypedCodec<T>(new Serializer(Options), Output())),
        Row("Wire, defaults", Typing.Polymorphic, new WireCodec<T>(new Serializer(Options), Output())),
    ];

    public sealed override IEnumerable<Row> Rows() => AllPeers.InOrder.SelectMany(peer => peer.Rows(this));

    /// <summary>The row that the others are compared with.</summary>
    protected Row Floor<TFloor>(string name = "By hand, span code (floor)")
        where TFloor : struct, IFloor<T> => Row(name, Typing.Floor, new FloorCodec<T, TFloor>(Output()));

    /// <summary>A row on the value of the model.</summary>
    public Row Row<TCodec>(string name, Typing typing, TCodec codec)
        where TCodec : struct, ICodec<T> => new Row<T, TCodec>(name, typing, codec, () => Value, Same);

    /// <summary>
    /// A row on a value of the library's own class: it is made from the model's value before anything is timed, and what was read is
    /// mapped back to be compared.
    /// </summary>
    public Row Row<TOwn, TCodec>(string name, Typing typing, TCodec codec, Func<T, TOwn> toOwn, Func<TOwn, T> fromOwn)
        where TOwn : class
        where TCodec : struct, ICodec<TOwn> =>
        new Row<TOwn, TCodec>(name, typing, codec, () => toOwn(Value), (read, _) => Same(fromOwn(read), Value));

    /// <summary>A row that the library cannot have, with the reason.</summary>
    public Row Cannot(string name, Typing typing, string reason) => new MissingRow(name, typing, reason);

    /// <summary>What the rows of Wire build on.</summary>
    protected virtual SerializerOptions Options => SerializerOptions.Default;

    /// <summary>Makes the value, the same each time.</summary>
    protected abstract T Make();

    /// <summary>Memory for a codec to write to.</summary>
    protected static ArrayBufferWriter<byte> Output() => new(1024);
}

/// <summary>What a page is made of.</summary>
/// <param name="Scenarios">In the order of the tables.</param>
/// <param name="Comparisons">Figures against figures: their names, and what measures them together.</param>
internal sealed record Suite(IReadOnlyList<Scenario> Scenarios, params IReadOnlyList<(string[] Names, Func<Comparison[]> Measure)> Comparisons)
{
    /// <summary>Measures those of the comparisons that are wanted.</summary>
    public Comparison[] Compare(IReadOnlySet<string> wanted) =>
    [
        .. Comparisons.Where(item => wanted.Overlaps(item.Names)).SelectMany(item => item.Measure()).Where(item => wanted.Contains(item.Name)),
    ];
}
