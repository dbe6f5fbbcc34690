using System.Collections.Immutable;
using Bench;
using Wire.Benchmarks.Floors;

namespace Wire.Benchmarks.Scenarios;

internal sealed class ListScenario() : Scenario<List<Poco>>("List of POCOs")
{
    public override bool Same(List<Poco> left, List<Poco> right) => Deep.Same(left, right);

    public override IEnumerable<Row> Floors() => [Floor<ListFloor>()];

    protected override List<Poco> Make() => [.. Seeded.Pocos(1000)];
}

internal sealed class ArrayScenario() : Scenario<Poco[]>("Array of POCOs")
{
    public override bool Same(Poco[] left, Poco[] right) => Deep.Same(left, right);

    public override IEnumerable<Row> Floors() => [Floor<ArrayFloor>()];

    protected override Poco[] Make() => [.. Seeded.Pocos(1000)];
}

internal sealed class DictionaryScenario() : Scenario<Dictionary<string, Poco>>("Dictionary of POCOs")
{
    public override int Batch => 2;

    public override bool Same(Dictionary<string, Poco> left, Dictionary<string, Poco> right) => Deep.Same(left, right);

    public override IEnumerable<Row> Floors() => [Floor<DictionaryFloor>()];

    protected override Dictionary<string, Poco> Make() => Seeded.Pocos(100).Index().ToDictionary(pair => $"key {pair.Index}", pair => pair.Item);
}

internal sealed class ImmutableListScenario() : Scenario<ImmutableList<Poco>>("ImmutableList of POCOs")
{
    public override bool Same(ImmutableList<Poco> left, ImmutableList<Poco> right) => Deep.Same(left, right);

    public override IEnumerable<Row> Floors() => [Floor<ImmutableListFloor>()];

    protected override ImmutableList<Poco> Make() => [.. Seeded.Pocos(1000)];
}

internal sealed class ImmutableDictionaryScenario() : Scenario<ImmutableDictionary<string, Poco>>("ImmutableDictionary of POCOs")
{
    public override bool Same(ImmutableDictionary<string, Poco> left, ImmutableDictionary<string, Poco> right) => Deep.Same(left, right);

    public override IEnumerable<Row> Floors() => [Floor<ImmutableDictionaryFloor>()];

    protected override ImmutableDictionary<string, Poco> Make() =>
        Seeded.Pocos(100).Index().ToImmutableDictionary(pair => $"key {pair.Index}", pair => pair.Item);
}
