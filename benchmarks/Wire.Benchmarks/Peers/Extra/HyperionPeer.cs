using Bench;
using HyperionOptions = Hyperion.SerializerOptions;
using HyperionSerializer = Hyperion.Serializer;

namespace Wire.Benchmarks;

/// <summary>Hyperion, whose every payload says what it holds: by name, or by the number of a known type.</summary>
internal sealed class HyperionPeer : Peer
{
    private static readonly Type[] KnownTypes =
    [
        typeof(Poco), typeof(OneInt), typeof(Order), typeof(OrderStatus), typeof(Color), typeof(TreeNode),
        typeof(Figure), typeof(Dot), typeof(Circle), typeof(Box), typeof(Label), typeof(Switch),
    ];

    public override string Name => "Hyperion";

    public override IEnumerable<Row> Rows<T>(Scenario<T> scenario) => scenario switch
    {
        Scenario<TreeNode> => Rows(scenario, references: true),
        Scenario<Poco> or Scenario<OneInt> or Scenario<Order> or Scenario<object?[]> or Scenario<List<Poco>>
            or Scenario<Poco[]> or Scenario<Dictionary<string, Poco>> or Scenario<List<Figure>> => Rows(scenario, references: false),
        _ => [],
    };

    private IEnumerable<Row> Rows<T>(Scenario<T> scenario, bool references)
        where T : class
    {
        HyperionOptions options = HyperionOptions.Default.WithPreserveObjectReferences(references);
        yield return scenario.Row($"{Name}, known types", Typing.Polymorphic, new HyperionCodec<T>(new(options.WithKnownTypes(KnownTypes))));
        yield return scenario.Row(Name, Typing.Polymorphic, new HyperionCodec<T>(new(options)));
        yield return scenario.Row($"{Name}, version tolerance", Typing.Polymorphic, new HyperionCodec<T>(new(options.WithVersionTolerance(true))));
    }
}

internal readonly struct HyperionCodec<T>(HyperionSerializer serializer) : ICodec<T>
    where T : class
{
    private readonly MessageStreams _streams = new();

    public ReadOnlySpan<byte> Write(T value)
    {
        serializer.Serialize(value, _streams.Output());
        return _streams.Written;
    }

    public T Read(ReadOnlySpan<byte> payload) => serializer.Deserialize<T>(_streams.Input(payload));
}
