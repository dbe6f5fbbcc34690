using System.Collections.Immutable;
using Apex.Serialization;
using Bench;

namespace Wire.Benchmarks.Peers.Extra;

/// <summary>
/// Apex.Serialization, without version numbers, as in its own benchmarks: its fastest way. Hash tables it copies with their hash codes, and
/// its documentation rules those out that are randomized: within one process, as here, they are read back.
/// </summary>
internal sealed class ApexPeer : Peer
{
    public override string Name => "Apex.Serialization";

    public override IEnumerable<Row> Rows<T>(Scenario<T> scenario) => scenario switch
    {
        Scenario<Poco> poco =>
        [
            poco.Row(Name, Typing.Static, new PocoApexCodec(Create(Mode.Tree))),
            poco.Row($"{Name}, object", Typing.Polymorphic, new PocoApexPolymorphicCodec(Create(Mode.Tree))),
        ],
        Scenario<OneInt> number =>
        [
            number.Row(Name, Typing.Static, new OneIntApexCodec(Create(Mode.Tree))),
            number.Row($"{Name}, object", Typing.Polymorphic, new OneIntApexPolymorphicCodec(Create(Mode.Tree))),
        ],
        Scenario<TreeNode> => Rows(scenario, Mode.Graph),
        Scenario<Order> or Scenario<object?[]> or Scenario<List<Poco>>
            or Scenario<Poco[]> or Scenario<Dictionary<string, Poco>> or Scenario<List<Figure>> or Scenario<ImmutableList<Poco>>
            or Scenario<ImmutableDictionary<string, Poco>> => Rows(scenario, Mode.Tree),
        _ => [],
    };

    private IEnumerable<Row> Rows<T>(Scenario<T> scenario, Mode mode)
        where T : class
    {
        yield return scenario.Row(Name, Typing.Static, new ApexCodec<T, T>(Create(mode)));
        yield return scenario.Row($"{Name}, object", Typing.Polymorphic, new ApexCodec<T, object>(Create(mode)));
    }

    private static IBinary Create(Mode mode) =>
        Binary.Create(new Settings { SerializationMode = mode, UseSerializedVersionId = false }.MarkSerializable(static _ => true));
}

/// <summary>A value, declared as <typeparamref name="TDeclared"/>.</summary>
internal readonly struct ApexCodec<T, TDeclared>(IBinary binary) : ICodec<T>
    where T : class, TDeclared
    where TDeclared : class
{
    private readonly MessageStreams _streams = new();

    public ReadOnlySpan<byte> Write(T value)
    {
        binary.Write<TDeclared>(value, _streams.Output());
        return _streams.Written;
    }

    public T Read(ReadOnlySpan<byte> payload) => (T)binary.Read<TDeclared>(_streams.Input(payload));
}

// Where a message takes nanoseconds, the codecs name its class, as those of Wire do: generic code would look it up each time.

internal readonly struct PocoApexCodec(IBinary binary) : ICodec<Poco>
{
    private readonly MessageStreams _streams = new();

    public ReadOnlySpan<byte> Write(Poco value)
    {
        binary.Write(value, _streams.Output());
        return _streams.Written;
    }

    public Poco Read(ReadOnlySpan<byte> payload) => binary.Read<Poco>(_streams.Input(payload));
}

internal readonly struct PocoApexPolymorphicCodec(IBinary binary) : ICodec<Poco>
{
    private readonly MessageStreams _streams = new();

    public ReadOnlySpan<byte> Write(Poco value)
    {
        binary.Write<object>(value, _streams.Output());
        return _streams.Written;
    }

    public Poco Read(ReadOnlySpan<byte> payload) => (Poco)binary.Read<object>(_streams.Input(payload));
}

internal readonly struct OneIntApexCodec(IBinary binary) : ICodec<OneInt>
{
    private readonly MessageStreams _streams = new();

    public ReadOnlySpan<byte> Write(OneInt value)
    {
        binary.Write(value, _streams.Output());
        return _streams.Written;
    }

    public OneInt Read(ReadOnlySpan<byte> payload) => binary.Read<OneInt>(_streams.Input(payload));
}

internal readonly struct OneIntApexPolymorphicCodec(IBinary binary) : ICodec<OneInt>
{
    private readonly MessageStreams _streams = new();

    public ReadOnlySpan<byte> Write(OneInt value)
    {
        binary.Write<object>(value, _streams.Output());
        return _streams.Written;
    }

    public OneInt Read(ReadOnlySpan<byte> payload) => (OneInt)binary.Read<object>(_streams.Input(payload));
}
