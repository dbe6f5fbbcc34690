using Bench;
using Wire.Benchmarks.Floors;
using Wire.Benchmarks.Measuring;

namespace Wire.Benchmarks.Scenarios;

/// <summary>A tree of 255 nodes with links to the parents, so that identity has to be kept.</summary>
internal sealed class TreeScenario() : Scenario<TreeNode>("Tree with parent links")
{
    protected override SerializerOptions Options => SerializerOptions.Default with { PreserveObjectReferences = true };

    public override bool Same(TreeNode left, TreeNode right) => Deep.Same(left, right);

    public override IEnumerable<Row> Floors() => [Floor<TreeFloor>("By hand, identity dictionary (floor)")];

    protected override TreeNode Make() => TreeNode.Create(levels: 8);
}

/// <summary>1,000 members of an interface's type, over five classes in no order.</summary>
internal sealed class FiguresScenario() : Scenario<List<Figure>>("Interface-typed members")
{
    protected override SerializerOptions Options => SerializerOptions.Default with { TypeFilter = TypeFilter.Default.AllowDerivedFrom<IShape>() };

    public override bool Same(List<Figure> left, List<Figure> right) => Deep.Same(left, right);

    public override IEnumerable<Row> Floors() => [Floor<FiguresFloor>()];

    protected override List<Figure> Make()
    {
        var random = new Random(1);
        return [.. Enumerable.Range(0, 1000).Select(i => new Figure { Id = i, Shape = Shape(random) })];
    }

    private static IShape Shape(Random random) => random.Next(5) switch
    {
        0 => new Dot { X = random.NextDouble(), Y = random.NextDouble() },
        1 => new Circle { X = random.NextDouble(), Y = random.NextDouble(), Radius = random.NextDouble() },
        2 => new Box { Width = random.Next(1000), Height = random.Next(1000) },
        3 => new Label { Text = random.Text(12) },
        _ => new Switch { IsOn = random.Next(2) == 0, Since = random.NextInt64() },
    };
}
