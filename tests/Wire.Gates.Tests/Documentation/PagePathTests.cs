using System.Text.RegularExpressions;
using Wire.Testing;

namespace Wire.Gates.Tests.Documentation;

/// <summary>What the pages for maintainers name is there: the paths of files and folders, and what a part of the tests is run by.</summary>
public sealed partial class PagePathTests
{
    private static readonly (string Page, string Text)[] Pages =
    [
        .. ((string[])["README.md", "CONTRIBUTING.md"])
            .Concat(Directory.EnumerateFiles(Path.Combine(Repository.Root, "docs"), "*.md", SearchOption.AllDirectories))
            .Select(page => (Path.GetFileName(page), File.ReadAllText(Path.Combine(Repository.Root, page)))),
    ];

    [Fact]
    public void Every_path_that_a_page_names_exists()
    {
        (string Page, string Path)[] named = Named(InPart());
        Assert.InRange(named.Count(name => name.Page == "where-to-put-it.md"), 60, int.MaxValue);
        string[] missing =
        [
            .. named.Where(name => !Path.Exists(Path.Combine(Repository.Root, name.Path))).Select(name => $"{name.Page}: {name.Path}"),
        ];
        Assert.True(missing.Length == 0, $"There is no such file or folder:\n{string.Join('\n', missing)}");
    }

    [Fact]
    public void Every_part_of_the_tests_that_a_page_names_is_one()
    {
        HashSet<string> parts =
        [
            .. File.ReadLines(Path.Combine(Repository.Root, "eng", "only.tsv")).Select(line => line.Split('\t')[0]),
            .. Directory.EnumerateDirectories(Path.Combine(Repository.Root, "tests"), "*.Tests")
                .Select(folder => Path.GetFileNameWithoutExtension(folder)),
        ];
        (string Page, string Names)[] named = Named(Only());
        Assert.InRange(named.Length, 10, int.MaxValue);

        // What is in capitals stands for a name.
        Assert.All(named, name => Assert.Empty(name.Names.Split(' ').Where(part => !part.All(char.IsAsciiLetterUpper)).Except(parts)));
    }

    private static (string Page, string Name)[] Named(Regex regex) =>
        [.. Pages.SelectMany(page => regex.Matches(page.Text).Select(match => (page.Page, match.Groups["name"].Value)))];

    // A pattern, with an asterisk, is no path.
    [GeneratedRegex("`(?<name>(src|tests|docs|eng|web|integrations|samples|benchmarks)/[\\w./-]+)`")]
    private static partial Regex InPart();

    [GeneratedRegex(@"\./test\.sh --only (?<name>[\w.]+( [\w.]+)*)")]
    private static partial Regex Only();
}
