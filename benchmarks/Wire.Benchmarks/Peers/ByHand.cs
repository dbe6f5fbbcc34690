namespace Wire.Benchmarks.Peers;

/// <summary>The floor: code written by hand for exactly the data of the scenario. See Floors/.</summary>
internal sealed class ByHand : Peer
{
    public override string Name => "By hand";

    public override IEnumerable<Row> Rows<T>(Scenario<T> scenario) => scenario.Floors();
}
