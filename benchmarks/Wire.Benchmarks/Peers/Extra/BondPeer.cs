using Bench;
using Bond;
using Bond.IO.Unsafe;
using Bond.Protocols;

namespace Wire.Benchmarks;

/// <summary>
/// Bond, in its tagged and its untagged binary protocol, on classes of its own: mapping the model to them is not timed. Its payloads say
/// nothing about types.
/// </summary>
internal sealed class BondPeer : Peer
{
    public override string Name => "Bond";

    public override IEnumerable<Row> Rows<T>(Scenario<T> scenario) => scenario switch
    {
        Scenario<Poco> poco => Rows(poco, BondPoco.To, BondPoco.From),
        Scenario<OneInt> number => Rows(number, BondInt.To, BondInt.From),
        Scenario<Order> order => Rows(order, BondOrder.To, BondOrder.From),
        Scenario<List<Poco>> list => Rows(list, BondList.To, BondList.From),
        Scenario<Dictionary<string, Poco>> map => Rows(map, BondMap.To, BondMap.From),
        Scenario<TreeNode> => [scenario.Cannot(Name, Typing.Static, "trees only, without references")],
        Scenario<object?[]> or Scenario<List<Figure>> => [scenario.Cannot(Name, Typing.Polymorphic, "payloads say nothing about types")],
        _ => [],
    };

    private IEnumerable<Row> Rows<T, TOwn>(Scenario<T> scenario, Func<T, TOwn> to, Func<TOwn, T> from)
        where T : class
        where TOwn : class =>
    [
        scenario.Row($"{Name}, Fast Binary", Typing.Static, new BondFastCodec<TOwn>(new(typeof(TOwn)), new(typeof(TOwn))), to, from),
        scenario.Row($"{Name}, Simple Binary", Typing.Static, new BondSimpleCodec<TOwn>(new(typeof(TOwn)), new(typeof(TOwn))), to, from),
    ];
}

/// <summary>Each member has its number and type in the payload, so that versions may differ.</summary>
internal readonly struct BondFastCodec<T>(
    Serializer<FastBinaryWriter<OutputBuffer>> serializer, Deserializer<FastBinaryReader<InputBuffer>> deserializer) : ICodec<T>
    where T : class
{
    private readonly OutputBuffer _output = new(1024);
    private readonly Reused _input = new();

    public ReadOnlySpan<byte> Write(T value)
    {
        _output.Position = 0;
        serializer.Serialize(value, new FastBinaryWriter<OutputBuffer>(_output));
        return _output.Data;
    }

    public T Read(ReadOnlySpan<byte> payload)
    {
        _input.Copy(payload);
        return deserializer.Deserialize<T>(new FastBinaryReader<InputBuffer>(new InputBuffer(_input.Bytes, payload.Length)));
    }
}

/// <summary>Members one after the other: both sides have the same version.</summary>
internal readonly struct BondSimpleCodec<T>(
    Serializer<SimpleBinaryWriter<OutputBuffer>> serializer, Deserializer<SimpleBinaryReader<InputBuffer>> deserializer) : ICodec<T>
    where T : class
{
    private readonly OutputBuffer _output = new(1024);
    private readonly Reused _input = new();

    public ReadOnlySpan<byte> Write(T value)
    {
        _output.Position = 0;
        serializer.Serialize(value, new SimpleBinaryWriter<OutputBuffer>(_output));
        return _output.Data;
    }

    public T Read(ReadOnlySpan<byte> payload)
    {
        _input.Copy(payload);
        return deserializer.Deserialize<T>(new SimpleBinaryReader<InputBuffer>(new InputBuffer(_input.Bytes, payload.Length)));
    }
}
