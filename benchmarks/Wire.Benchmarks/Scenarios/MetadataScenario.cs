using Quickstart.Contest;
using Quickstart.Metadata;
using Wire.Benchmarks.Measuring;

namespace Wire.Benchmarks.Scenarios;

/// <summary>
/// The graph of the Quickstart: what the runtime's core library says about itself, with shared nodes and parent links. It has no
/// code written by hand; the rows are compared with Wire, defaults.
/// </summary>
internal sealed class MetadataScenario() : Scenario<AssemblyNode>("Metadata of the core library")
{
    protected override SerializerOptions Options => SerializerOptions.Default with
    {
        PreserveObjectReferences = true,
        TypeFilter = TypeFilter.Default.AllowDerivedFrom<MetadataNode>(),
        Limits = new Limits { MaxDepth = 1_000_000 },
    };

    public override bool Same(AssemblyNode left, AssemblyNode right) => GraphComparer.Compare(left, right).Difference is null;

    public override IEnumerable<Row> Floors() => [];

    public override IEnumerable<Row> Wire() => base.Wire().Where(row => row.Typing == Typing.Polymorphic);

    protected override AssemblyNode Make() => AssemblyLoader.Load(typeof(object).Assembly.Location, (_, _) => { });
}
