using Wire.Tests.Architecture.Planted.Lower;

namespace Wire.Tests.Architecture;

/// <summary>
/// The layers of docs/architecture.md, held against the compiled library: who refers to whom, and which files can only be understood
/// together because each refers, in the end, to all others.
/// </summary>
public sealed class LayerTests
{
    private static readonly SourceReferences Core = SourceReferences.Read(typeof(Serializer).Assembly, "Wire");

    [Fact]
    public void The_largest_circle_of_files_only_shrinks() => Assert.Equal(98, Core.CountFiles(Circles.Find(Core.Targets)[0]));

    [Fact]
    public void References_to_a_higher_layer_only_become_fewer() => Assert.Equal(
        47, Layers.Core.FindUpward(Core).Count());

    [Fact]
    public void Each_file_is_in_one_layer_and_each_layer_has_files() => Assert.Equal(
        Layers.Core.Order.Select(layer => layer.Name),
        Layers.Core.Order.Where(layer => Core.Targets.Keys.Any(file => Layers.Core.Find(file) == layer)).Select(layer => layer.Name));

    [Fact]
    public void A_planted_reference_is_found_however_it_is_made()
    {
        var planted = SourceReferences.Read(typeof(Ground).Assembly, "Wire.Tests.Architecture.Planted");
        var layers = new Layers(new("lower", "Lower/"), new("upper", "Upper/"));
        (string, string)[] all =
        [
            .. ((string[])["ByArgument", "ByBase", "ByCall", "ByCode", "ByField", "IBySignature"])
                .Select(name => ($"Lower/{name}.cs", "Upper/Roof.cs")),
        ];
        Assert.Equal(all, layers.FindUpward(planted));
    }

    [Fact]
    public void A_circle_is_found_by_way_of_others()
    {
        var targets = new SortedDictionary<string, SortedSet<string>>
        {
            ["a"] = ["b"],
            ["b"] = ["c", "d"],
            ["c"] = ["a"],
            ["d"] = [],
        };
        Assert.Equal(["a", "b", "c"], Assert.Single(Circles.Find(targets)));
    }
}
