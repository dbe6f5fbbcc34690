using Wire.Gates.Tests.Architecture.Planted.Lower;
using Wire.Testing;

namespace Wire.Gates.Tests.Architecture;

/// <summary>
/// The layers of docs/architecture.md, held against the compiled library: who refers to whom, and which files can only be understood
/// together because each refers, in the end, to all others.
/// </summary>
public sealed class LayerTests
{
    private static readonly SourceReferences Core = SourceReferences.Read(typeof(Serializer).Assembly, "Wire");

    private static readonly SourceReferences Inspection = SourceReferences.Read(typeof(PayloadDocument).Assembly, "Wire");

    private static readonly (Layers Layers, SourceReferences Sources)[] Assemblies = [(Layers.Core, Core), (Layers.Inspection, Inspection)];

    private const StringSplitOptions Empty = StringSplitOptions.RemoveEmptyEntries;

    // Of the page: the end of the paragraph before the drawing.
    private const string Drawing = "the compiled library:\n\n```\n";

    // A type in several files counts once: it may be laid out over more of them.
    [Fact]
    public void The_largest_circle_of_files_only_shrinks() => Ratchet.AssertTight(
        Repository.Tests("Wire.Gates.Tests", "Architecture", "circle.ratchet.txt"),
        new Dictionary<string, int> { ["files in the largest circle"] = Circles.Find(Core.Targets)[0].Length },
        "A new file of the circle makes each of the others harder to understand: let it refer downwards alone, or take another one out.");

    [Fact]
    public void No_layer_knows_a_higher_one() => Assert.Empty(Assemblies.SelectMany(each => each.Layers.FindUpward(each.Sources)));

    [Fact]
    public void No_circle_of_files_crosses_layers() => Assert.All(Assemblies, each => Assert.All(
        Circles.Find(each.Sources.Targets), circle => Assert.Single(circle.Select(each.Layers.Find).Distinct())));

    [Fact]
    public void The_page_draws_the_layers_that_are_checked()
    {
        string page = File.ReadAllText(Path.Combine(Repository.Root, "docs", "architecture.md")).ReplaceLineEndings("\n");
        int start = page.IndexOf(Drawing, StringComparison.Ordinal) + Drawing.Length;
        string[] words = page[start..page.IndexOf("```", start, StringComparison.Ordinal)].Split((char[])[' ', '\n'], Empty);
        Assert.Equal(
            Layers.Core.Order.Concat(Layers.Inspection.Order).Reverse()
                .SelectMany(layer => layer.Contents.Select(Drawn).Order().Prepend(layer.Name)),
            words.Aggregate(new List<string[]>(), Grouped).SelectMany(layer => layer.Skip(1).Order().Prepend(layer[0])));
    }

    [Fact]
    public void Each_file_is_in_one_layer_and_each_layer_has_files() => Assert.All(Assemblies, each => Assert.Equal(
        each.Layers.Order,
        each.Layers.Order.Where(layer => each.Sources.Targets.Keys.Any(file => each.Layers.Find(file) == layer))));

    [Fact]
    public void A_planted_reference_is_found_however_it_is_made()
    {
        var planted = SourceReferences.Read(typeof(Ground).Assembly, "Wire.Gates.Tests.Architecture.Planted");
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

    private static string Drawn(string part) => part.EndsWith('/') ? part : Path.GetFileNameWithoutExtension(part);

    // A layer's name is the only word in small letters.
    private static List<string[]> Grouped(List<string[]> layers, string word)
    {
        if (char.IsLower(word[0]))
        {
            layers.Add([word]);
        }
        else
        {
            layers[^1] = [.. layers[^1], word];
        }

        return layers;
    }
}
