namespace Wire.Benchmarks.Peers;

/// <summary>Wire itself; what its rows are is the scenario's choice.</summary>
internal sealed class WirePeer : Peer
{
    public override string Name => "Wire";

    public override IEnumerable<Row> Rows<T>(Scenario<T> scenario) => scenario.Wire();
}
