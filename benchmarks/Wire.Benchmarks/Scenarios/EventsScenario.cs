using Bench.FSharp;
using Microsoft.FSharp.Collections;
using Wire.Benchmarks.Floors;
using Wire.Benchmarks.Measuring;

namespace Wire.Benchmarks.Scenarios;

/// <summary>A list of 1,000 values of an F# union.</summary>
internal sealed class EventsScenario() : Scenario<FSharpList<Event>>("F# union list")
{
    protected override SerializerOptions Options => SerializerOptions.Default.UseFSharp();

    public override bool Same(FSharpList<Event> left, FSharpList<Event> right) => left.Equals(right);

    public override IEnumerable<Row> Floors() => [Floor<EventsFloor>()];

    protected override FSharpList<Event> Make() => Events.create(seed: 1, count: 1000);
}
