using System.Buffers;
using Bench;
using Wire.Benchmarks.Floors;
using Wire.Benchmarks.Peers;

namespace Wire.Benchmarks.Scenarios;

/// <summary>The small message, and what each option of Wire does to it.</summary>
internal sealed class PocoScenario() : Scenario<Poco>("POCO")
{
    private static readonly SerializerOptions Strict = SerializerOptions.Default with { VersionTolerance = false };
    private static readonly SerializerOptions Allowing = SerializerOptions.Default with { TypeFilter = TypeFilter.Default.Allow<Poco>() };

    public override int Batch => 100;

    public override bool Same(Poco left, Poco right) => left.HasSameMembers(right);

    public override IEnumerable<Row> Floors() =>
    [
        Row("By hand, span code (floor)", Typing.Floor, new PocoFloorCodec(Output())),
        Row("By hand, unsafe, to an array", Typing.Floor, new PocoUnsafeCodec(new byte[256])),
    ];

    public override IEnumerable<Row> Wire() =>
    [
        Row("Wire, SerializeTyped", Typing.Static, new PocoTypedCodec(new Serializer(), Output())),
        Polymorphic("Wire, defaults", SerializerOptions.Default),
        Row("Wire, root is an object, type allowed", Typing.Polymorphic, new PocoAsObjectCodec(new Serializer(Allowing), Output())),
        Polymorphic("Wire, references preserved", SerializerOptions.Default with { PreserveObjectReferences = true }),
        Polymorphic("Wire, no version tolerance", Strict),
        Polymorphic("Wire, known type", SerializerOptions.Default with { KnownTypes = [new(1, typeof(Poco))] }),
        Polymorphic("Wire, known type, no version tolerance", Strict with { KnownTypes = [new(1, typeof(Poco))] }),
        Row("Wire, long-lived session", Typing.Polymorphic, new PocoSessionCodec(new Serializer(), Output())),
    ];

    protected override Poco Make() => Poco.Create(seed: 1);

    private Row Polymorphic(string name, SerializerOptions options) =>
        Row(name, Typing.Polymorphic, new PocoWireCodec(new Serializer(options), Output()));

    private readonly struct PocoUnsafeCodec(byte[] buffer) : ICodec<Poco>
    {
        public ReadOnlySpan<byte> Write(Poco value) => buffer.AsSpan(0, PocoUnsafe.Write(value, buffer));

        public Poco Read(ReadOnlySpan<byte> payload) => PocoUnsafe.Read(payload);
    }
}
