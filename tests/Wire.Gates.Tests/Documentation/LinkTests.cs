using System.Text.RegularExpressions;
using Wire.Testing;

namespace Wire.Gates.Tests.Documentation;

/// <summary>Every link of a page leads to a file of the repository, and to a heading of it where it names one.</summary>
public sealed partial class LinkTests
{
    [Fact]
    public void Every_link_resolves()
    {
        string root = Repository.Root;
        string[] pages =
        [
            .. Directory.EnumerateFiles(root, "*.md"),
            .. Directory.EnumerateFiles(Path.Combine(root, "docs"), "*.md", SearchOption.AllDirectories),
            .. Directory.EnumerateDirectories(Path.Combine(root, "src")).Select(library => Path.Combine(library, "README.md")),
            .. Directory.EnumerateDirectories(Path.Combine(root, "integrations")).Select(adapter => Path.Combine(adapter, "README.md")),
        ];
        (string Page, string Link)[] links = [.. pages.SelectMany(page => Link().Matches(Prose(page))
            .Select(match => match.Groups["target"].Value)
            .Where(link => !link.Contains("://", StringComparison.Ordinal))
            .Select(link => (page, link)))];

        Assert.InRange(links.Length, 50, int.MaxValue);
        Assert.All(links, link => Assert.Null(Broken(link.Page, link.Link)));
    }

    // What is wrong with a link, or null.
    private static string? Broken(string page, string link)
    {
        string[] parts = link.Split('#', 2);
        string file = parts[0].Length == 0 ? page : Path.GetFullPath(Path.Combine(Path.GetDirectoryName(page)!, parts[0]));
        return !Path.Exists(file) ? $"{page}: there is no {parts[0]}"
            : parts.Length == 2 && !Headings(file).Contains(parts[1]) ? $"{page}: {file} has no heading #{parts[1]}"
            : null;
    }

    // As the sites that show the pages name them: in small letters, blanks as hyphens, without punctuation.
    private static HashSet<string> Headings(string file) =>
        [.. Heading().Matches(Prose(file)).Select(
            match => Left().Replace(match.Groups["text"].Value.Trim().ToLowerInvariant(), "").Replace(' ', '-'))];

    private static string Prose(string file) => Code().Replace(File.ReadAllText(file), "");

    [GeneratedRegex(@"(?<!`)\[[^\]\n]+\]\((?<target>[^)\s]+)\)")]
    private static partial Regex Link();

    [GeneratedRegex(@"^#+ (?<text>.+)$", RegexOptions.Multiline)]
    private static partial Regex Heading();

    [GeneratedRegex(@"[^\p{L}\p{N} _-]")]
    private static partial Regex Left();

    [GeneratedRegex(@"^```.*?^```", RegexOptions.Multiline | RegexOptions.Singleline)]
    private static partial Regex Code();
}
