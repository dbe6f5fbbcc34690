using System.Text.RegularExpressions;
using Wire.Testing;

namespace Wire.Gates.Tests.Documentation;

/// <summary>Every test that a page of the documentation names exists.</summary>
public sealed partial class PageTests
{
    [Fact]
    public void Every_test_that_a_page_names_exists()
    {
        ILookup<string, string> sources = Directory
            .EnumerateFiles(Path.Combine(Repository.Root, "tests"), "*Tests.*s", SearchOption.AllDirectories)
            .ToLookup(file => Path.GetFileNameWithoutExtension(file), File.ReadAllText);

        // SecurityPageTests asks the assembly itself, which knows inherited tests as well.
        IEnumerable<string> pages = Directory.EnumerateFiles(Path.Combine(Repository.Root, "docs"), "*.md", SearchOption.AllDirectories)
            .Where(page => Path.GetFileName(page) != "security.md");
        (string Page, string Class, string Method)[] named = [.. pages.SelectMany(page => TestName().Matches(File.ReadAllText(page))
            .Select(match => (Path.GetFileName(page), match.Groups["class"].Value, match.Groups["method"].Value)))];

        Assert.InRange(named.Length, 20, int.MaxValue);
        Assert.All(named, name => Assert.Contains(
            sources[name.Class], source => Regex.IsMatch(source, $@"\[(Fact|Theory)[^{{]* {name.Method}\(|let {name.Method}\b")));
    }

    [GeneratedRegex("`(?<class>[A-Za-z]+Tests)\\.(?<method>[A-Za-z0-9_]+)`")]
    private static partial Regex TestName();
}
