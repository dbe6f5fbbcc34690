using Bench;
using Ceras;

namespace Wire.Benchmarks;

/// <summary>Ceras, with known types, and with references only where the graph needs them.</summary>
internal sealed class CerasPeer : Peer
{
    public override string Name => "Ceras";

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
        yield return scenario.Row(Name, Typing.Static, new CerasCodec<T, T>(Create(references)));
        yield return scenario.Row($"{Name}, object, known types", Typing.Polymorphic, new CerasCodec<T, object>(Create(references)));
    }

    private static CerasSerializer Create(bool references)
    {
        var config = new SerializerConfig { PreserveReferences = references };
        config.KnownTypes.AddRange(
        [
            typeof(Poco), typeof(OneInt), typeof(Order), typeof(OrderStatus), typeof(Color), typeof(TreeNode), typeof(List<Poco>), typeof(Poco[]),
            typeof(Dictionary<string, Poco>), typeof(List<Figure>), typeof(Figure), typeof(Dot), typeof(Circle), typeof(Box), typeof(Label),
            typeof(Switch), typeof(object[]), typeof(int[]), typeof(int), typeof(long), typeof(string), typeof(bool), typeof(double),
            typeof(Guid), typeof(DateTime), typeof(object),
        ]);
        return new CerasSerializer(config);
    }
}

/// <summary>A value, declared as <typeparamref name="TDeclared"/>.</summary>
internal struct CerasCodec<T, TDeclared>(CerasSerializer serializer) : ICodec<T>
    where T : class, TDeclared
    where TDeclared : class
{
    private readonly Reused _input = new();
    private byte[] _output = new byte[1024];

    public ReadOnlySpan<byte> Write(T value)
    {
        int length = serializer.Serialize<TDeclared>(value, ref _output);
        return _output.AsSpan(0, length);
    }

    public readonly T Read(ReadOnlySpan<byte> payload)
    {
        _input.Copy(payload);
        return (T)serializer.Deserialize<TDeclared>(_input.Bytes);
    }
}
