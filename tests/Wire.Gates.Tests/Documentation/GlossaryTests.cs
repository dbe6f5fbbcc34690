using System.Text.RegularExpressions;
using Wire.Testing;

namespace Wire.Gates.Tests.Documentation;

/// <summary>The rules of docs/glossary.md: where each word lives, how summaries begin.</summary>
public sealed partial class GlossaryTests
{
    [Fact]
    public void Each_type_that_the_glossary_names_is_there()
    {
        string[] named = [.. File.ReadLines(Path.Combine(Repository.Root, "docs", "glossary.md"))
            .Where(line => line.StartsWith('|'))
            .SelectMany(line => Name().Matches(line[line[..^1].LastIndexOf('|')..]))
            .Select(match => match.Groups["name"].Value)
            .Distinct()];
        HashSet<string> declared = [.. Files().SelectMany(file => Declaration().Matches(file.Text))
            .Select(match => match.Groups["name"].Value)];
        Assert.InRange(named.Length, 40, int.MaxValue);
        Assert.Empty(named.Except(declared));
    }

    [Fact]
    public void Summaries_begin_with_a_verb_or_a_noun()
    {
        string[] found = [.. Files().SelectMany(file => Question().Matches(file.Text)
            .Select(match => $"{Path.GetFileName(file.Path)}: {match.Value}"))];
        Assert.Empty(found);
    }

    private static IEnumerable<SourceFile> Files() => SourceFile.In("src");

    [GeneratedRegex(@"<summary>(\s*///)? ?(What|Whether|How|Why|Where|When|Who|Says whether)\b.*")]
    private static partial Regex Question();

    [GeneratedRegex("`(?<name>[A-Za-z]+)`")]
    private static partial Regex Name();

    [GeneratedRegex(@"\b(class|struct|interface|enum|record) (?<name>[A-Z]\w+)")]
    private static partial Regex Declaration();
}
