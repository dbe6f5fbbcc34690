using Bench;
using Wire.Benchmarks.Floors;
using Wire.Benchmarks.Measuring;

namespace Wire.Benchmarks.Scenarios;

/// <summary>The arguments of an actor's constructor: about twenty values of many types in an array of objects.</summary>
internal sealed class ArgumentsScenario() : Scenario<object?[]>("Actor arguments")
{
    public override int Batch => 10;

    protected override SerializerOptions Options => SerializerOptions.Default with { TypeFilter = TypeFilter.Default.Allow<Poco>().Allow<Color>() };

    public override bool Same(object?[] left, object?[] right) => Deep.Same(left, right);

    public override IEnumerable<Row> Floors() => [Floor<ArgumentsFloor>()];

    protected override object?[] Make()
    {
        var random = new Random(1);
        return
        [
            1, 65_536, -7, 3L, random.NextInt64(), "orders", "eu-west/shard-17", "", null, true, false, 0.5, random.NextDouble(),
            random.Guid(), random.Date(), Color.Blue, new int[] { 1, 2, 3, 5, 8, 13, 21 },
            new object?[] { "nested", 42, null, Poco.Create(1) }, Poco.Create(2), Poco.Create(3),
        ];
    }
}
