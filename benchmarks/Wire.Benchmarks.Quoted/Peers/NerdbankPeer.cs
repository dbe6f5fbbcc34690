using System.Buffers;
using System.Reflection;
using Nerdbank.MessagePack;
using PolyType;
using PolyType.Abstractions;

namespace Wire.Benchmarks.Quoted.Peers;

/// <summary>
/// Nerdbank.MessagePack, with members by number in arrays and shapes that are generated at build time. As in its own benchmark, members of
/// default values are written.
/// </summary>
internal sealed class NerdbankPeer : PackagePeer
{
    public override string Name => "Nerdbank.MessagePack";

    protected override Assembly Assembly => typeof(MessagePackSerializer).Assembly;

    public override ICodec<T> Codec<T>() => Create<T>();

    public override IEnumerable<Row> Rows<T>(Scenario<T> scenario) => scenario switch
    {
        Scenario<SimplePoco> poco =>
            [poco.Row(Name, Typing.Static, new SimplePocoNerdbankCodec(Serializer(ReferencePreservationMode.Off)))],
        Scenario<ReferenceBookShelf> =>
            [scenario.Row($"{Name}, references", Typing.Static, Create<T>(ReferencePreservationMode.AllowCycles))],
        _ => [scenario.Row(Name, Typing.Static, Create<T>())],
    };

    private static NerdbankCodec<T> Create<T>(ReferencePreservationMode references = ReferencePreservationMode.Off) =>
        new(Serializer(references), TypeShapeResolver.ResolveDynamicOrThrow<T>());

    private static MessagePackSerializer Serializer(ReferencePreservationMode references) => new()
    {
        SerializeDefaultValues = SerializeDefaultValuesPolicy.Always,
        PreserveReferences = references,
    };
}

internal readonly struct NerdbankCodec<T>(MessagePackSerializer serializer, ITypeShape<T> shape) : ICodec<T>
{
    private readonly ArrayBufferWriter<byte> _output = new(1024);
    private readonly PayloadMemory _input = new();

    public ReadOnlySpan<byte> Write(T value)
    {
        _output.ResetWrittenCount();
        serializer.Serialize(_output, value, shape);
        return _output.WrittenSpan;
    }

    public T Read(ReadOnlySpan<byte> payload) => serializer.Deserialize(_input.Of(payload), shape)!;
}

internal readonly struct SimplePocoNerdbankCodec(MessagePackSerializer serializer) : ICodec<SimplePoco>
{
    private readonly ArrayBufferWriter<byte> _output = new(1024);
    private readonly PayloadMemory _input = new();

    public ReadOnlySpan<byte> Write(SimplePoco value)
    {
        _output.ResetWrittenCount();
        serializer.Serialize(_output, value);
        return _output.WrittenSpan;
    }

    public SimplePoco Read(ReadOnlySpan<byte> payload) => serializer.Deserialize<SimplePoco>(_input.Of(payload))!;
}
