using System.Text.RegularExpressions;
using Wire.Testing;

namespace Wire.Tests.Documentation;

/// <summary>The rules of docs/glossary.md: where each word lives, which words are not used any more, how summaries begin.</summary>
public sealed partial class GlossaryTests
{
    private static readonly string Sources = Path.Combine(Repository.Root, "src");

    // Each had a field's standard term, which stands in the glossary.
    private static readonly string[] Former =
    [
        "Outbox", "WaitingRow", "ChannelLife", "ProducerLife", "LifeDeliveries", "KeptBack", "AckHold", "ConfirmHold", "Notice", "Arrival",
        "Arrived", "Place", "PlaceFinder", "ConsumerLane", "MessageLane", "BatchLane", "TypedLane", "Throw", "Refusal", "Waiting",
    ];

    [Fact]
    public void Each_type_that_the_glossary_names_is_there()
    {
        string[] named = [.. File.ReadLines(Path.Combine(Repository.Root, "docs", "glossary.md"))
            .Where(line => line.StartsWith('|'))
            .SelectMany(line => Name().Matches(line[line[..^1].LastIndexOf('|')..]))
            .Select(match => match.Groups["name"].Value)
            .Distinct()];
        HashSet<string> declared = [.. Files().SelectMany(file => Declaration().Matches(File.ReadAllText(file)))
            .Select(match => match.Groups["name"].Value)];
        Assert.InRange(named.Length, 40, int.MaxValue);
        Assert.Empty(named.Except(declared));
    }

    [Fact]
    public void Words_that_the_glossary_has_replaced_name_nothing()
    {
        string[] found = [.. Files().SelectMany(file => Declaration().Matches(File.ReadAllText(file)))
            .Select(match => match.Groups["name"].Value).Intersect(Former)];
        Assert.Empty(found);
    }

    [Fact]
    public void Methods_say_what_they_begin_take_or_tell()
    {
        // The builders' End belongs to their BeginTable, BeginList and so on.
        string[] found = [.. Files().Where(file => !file.EndsWith("Builder.cs", StringComparison.Ordinal))
            .SelectMany(file => Vague().Matches(File.ReadAllText(file)).Select(match => $"{Path.GetFileName(file)}: {match.Value}"))];
        Assert.Empty(found);
    }

    [Fact]
    public void Summaries_begin_with_a_verb_or_a_noun()
    {
        string[] found = [.. Files().SelectMany(file => Question().Matches(File.ReadAllText(file))
            .Select(match => $"{Path.GetFileName(file)}: {match.Value}"))];
        Assert.Empty(found);
    }

    private static IEnumerable<string> Files() => Directory.EnumerateFiles(Sources, "*.cs", SearchOption.AllDirectories)
        .Where(file => !file.Contains($"{Path.DirectorySeparatorChar}obj{Path.DirectorySeparatorChar}", StringComparison.Ordinal));

    [GeneratedRegex(@"<summary>(\s*///)? ?(What|Whether|How|Why|Where|When|Who)\b.*")]
    private static partial Regex Question();

    [GeneratedRegex(
        @"(public|internal|private|protected|static) [^=;/\n""]*\b(Begin|Of|Take|End|Tell|Give|Hand)(Async)?(<[^>]*>)?\([^\n]*")]
    private static partial Regex Vague();

    [GeneratedRegex("`(?<name>[A-Za-z]+)`")]
    private static partial Regex Name();

    [GeneratedRegex(@"\b(class|struct|interface|enum|record) (?<name>[A-Z]\w+)")]
    private static partial Regex Declaration();
}
