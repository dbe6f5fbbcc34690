using Bench;
using Ceras;

namespace Wire.Benchmarks;

/// <summary>Ceras, with known types, and with references only where the graph needs them.</summary>
internal sealed class CerasPeer : Peer
{
    public override string Name => "Ceras";

    public override IEnumerable<Row> Rows<T>(Scenario<T> scenario) => scenario switch
    {
        Scenario<Poco> poco =>
        [
            poco.Row(Name, Typing.Static, new PocoCerasCodec(Create(references: false))),
            poco.Row($"{Name}, object, known types", Typing.Polymorphic, new PocoCerasPolymorphicCodec(Create(references: false))),
        ],
        Scenario<OneInt> number =>
        [
            number.Row(Name, Typing.Static, new OneIntCerasCodec(Create(references: false))),
            number.Row($"{Name}, object, known types", Typing.Polymorphic, new OneIntCerasPolymorphicCodec(Create(references: false))),
        ],
        Scenario<TreeNode> => Rows(scenario, references: true),
        Scenario<Order> or Scenario<object?[]> or Scenario<List<Poco>>
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

// Where a message takes nanoseconds, the codecs name its class, as those of Wire do: generic code would look it up each time.

internal struct PocoCerasCodec(CerasSerializer serializer) : ICodec<Poco>
{
    private readonly Reused _input = new();
    private byte[] _output = new byte[1024];

    public ReadOnlySpan<byte> Write(Poco value)
    {
        int length = serializer.Serialize<Poco>(value, ref _output);
        return _output.AsSpan(0, length);
    }

    public readonly Poco Read(ReadOnlySpan<byte> payload)
    {
        _input.Copy(payload);
        return serializer.Deserialize<Poco>(_input.Bytes);
    }
}

internal struct PocoCerasPolymorphicCodec(CerasSerializer serializer) : ICodec<Poco>
{
    private readonly Reused _input = new();
    private byte[] _output = new byte[1024];

    public ReadOnlySpan<byte> Write(Poco value)
    {
        int length = serializer.Serialize<object>(value, ref _output);
        return _output.AsSpan(0, length);
    }

    public readonly Poco Read(ReadOnlySpan<byte> payload)
    {
        _input.Copy(payload);
        return (Poco)serializer.Deserialize<object>(_input.Bytes);
    }
}

internal struct OneIntCerasCodec(CerasSerializer serializer) : ICodec<OneInt>
{
    private readonly Reused _input = new();
    private byte[] _output = new byte[1024];

    public ReadOnlySpan<byte> Write(OneInt value)
    {
        int length = serializer.Serialize<OneInt>(value, ref _output);
        return _output.AsSpan(0, length);
    }

    public readonly OneInt Read(ReadOnlySpan<byte> payload)
    {
        _input.Copy(payload);
        return serializer.Deserialize<OneInt>(_input.Bytes);
    }
}

internal struct OneIntCerasPolymorphicCodec(CerasSerializer serializer) : ICodec<OneInt>
{
    private readonly Reused _input = new();
    private byte[] _output = new byte[1024];

    public ReadOnlySpan<byte> Write(OneInt value)
    {
        int length = serializer.Serialize<object>(value, ref _output);
        return _output.AsSpan(0, length);
    }

    public readonly OneInt Read(ReadOnlySpan<byte> payload)
    {
        _input.Copy(payload);
        return (OneInt)serializer.Deserialize<object>(_input.Bytes);
    }
}
