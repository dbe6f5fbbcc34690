using System.Reflection;
using Hyperion;
using Wire.Benchmarks.Peers;
using HyperionOptions = Hyperion.SerializerOptions;
using HyperionSerializer = Hyperion.Serializer;

namespace Wire.Benchmarks.Quoted.Peers;

/// <summary>Hyperion, which writes the names of types, to and from streams; with identities where they are asked for.</summary>
internal sealed class HyperionPeer : PackagePeer
{
    public override string Name => "Hyperion";

    protected override Assembly Assembly => typeof(HyperionSerializer).Assembly;

    public override ICodec<T> Codec<T>() => Create<T>(references: false);

    public override IEnumerable<Row> Rows<T>(Scenario<T> scenario) => scenario switch
    {
        Scenario<SimplePoco> poco => [poco.Row(Name, Typing.Polymorphic, new SimplePocoHyperionCodec(Serializer(references: false)))],
        Scenario<ReferenceBookShelf> => [scenario.Row($"{Name}, references", Typing.Polymorphic, Create<T>(references: true))],
        _ => [scenario.Row(Name, Typing.Polymorphic, Create<T>(references: false))],
    };

    private static HyperionCodec<T> Create<T>(bool references) => new(Serializer(references));

    private static HyperionSerializer Serializer(bool references) => new(HyperionOptions.Default.WithPreserveObjectReferences(references));
}

internal readonly struct HyperionCodec<T>(HyperionSerializer serializer) : ICodec<T>
{
    private readonly MessageStreams _streams = new();

    public ReadOnlySpan<byte> Write(T value)
    {
        serializer.Serialize(value, _streams.Output());
        return _streams.Written;
    }

    public T Read(ReadOnlySpan<byte> payload) => serializer.Deserialize<T>(_streams.Input(payload));
}

internal readonly struct SimplePocoHyperionCodec(HyperionSerializer serializer) : ICodec<SimplePoco>
{
    private readonly MessageStreams _streams = new();

    public ReadOnlySpan<byte> Write(SimplePoco value)
    {
        serializer.Serialize(value, _streams.Output());
        return _streams.Written;
    }

    public SimplePoco Read(ReadOnlySpan<byte> payload) => serializer.Deserialize<SimplePoco>(_streams.Input(payload));
}
