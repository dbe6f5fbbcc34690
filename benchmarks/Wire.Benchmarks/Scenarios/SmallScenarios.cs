using Bench;
using Wire.Benchmarks.Floors;
using Wire.Benchmarks.Peers;

namespace Wire.Benchmarks.Scenarios;

/// <summary>One int: what a message costs beside its data.</summary>
internal sealed class OneIntScenario() : Scenario<OneInt>("One int")
{
    public override int Batch => 100;

    public override bool Same(OneInt left, OneInt right) => left.Number == right.Number;

    public override IEnumerable<Row> Floors() => [Row("By hand, span code (floor)", Typing.Floor, new OneIntFloorCodec(Output()))];

    public override IEnumerable<Row> Wire() =>
    [
        Row("Wire, SerializeTyped", Typing.Static, new OneIntTypedCodec(new Serializer(), Output())),
        Row("Wire, defaults", Typing.Polymorphic, new OneIntWireCodec(new Serializer(), Output())),
    ];

    protected override OneInt Make() => new() { Number = 123_456_789 };
}

/// <summary>One string of 44 characters.</summary>
internal sealed class OneStringScenario() : Scenario<OneString>("One string")
{
    public override int Batch => 100;

    public override bool Same(OneString left, OneString right) => left.Text == right.Text;

    public override IEnumerable<Row> Floors() => [Row("By hand, span code (floor)", Typing.Floor, new OneStringFloorCodec(Output()))];

    public override IEnumerable<Row> Wire() =>
    [
        Row("Wire, SerializeTyped", Typing.Static, new OneStringTypedCodec(new Serializer(), Output())),
        Row("Wire, defaults", Typing.Polymorphic, new OneStringWireCodec(new Serializer(), Output())),
    ];

    protected override OneString Make() => new() { Text = "The quick brown fox jumps over the lazy dog." };
}

/// <summary>A class of 40 members, with a list of 100 and 4 KB of bytes.</summary>
internal sealed class OrderScenario() : Scenario<Order>("40 members")
{
    public override int Batch => 10;

    public override bool Same(Order left, Order right) => Deep.Same(left, right);

    public override IEnumerable<Row> Floors() => [Floor<OrderFloor>()];

    protected override Order Make() => Seeded.Order(seed: 1);
}
