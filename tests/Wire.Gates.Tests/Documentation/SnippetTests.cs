using System.Text.RegularExpressions;
using Wire.Testing;

namespace Wire.Gates.Tests.Documentation;

/// <summary>
/// Every piece of C# in the README and the docs is a region of a sample, or of the tests of an adapter, which the build compiles.
/// </summary>
public sealed partial class SnippetTests
{
    [Fact]
    public void Every_snippet_is_made_of_regions_that_are_compiled()
    {
        string root = Repository.Root;
        string[] folders = ["samples", .. Directory.EnumerateDirectories(Path.Combine(root, "tests"), "Wire.Integrations.*")];
        HashSet<string> regions = [.. folders
            .SelectMany(folder => SourceFile.In(folder))
            .SelectMany(file => Region().Matches(file.Text).Select(m => Dedent(m.Groups["text"].Value)))];
        string[] documents =
            [Path.Combine(root, "README.md"), .. Directory.EnumerateFiles(Path.Combine(root, "docs"), "*.md", SearchOption.AllDirectories)];
        (string File, string Text)[] snippets = [.. documents.SelectMany(
            file => Snippet().Matches(File.ReadAllText(file)).Select(m => (Path.GetFileName(file), m.Groups["text"].Value.Trim('\n'))))];

        Assert.NotEmpty(snippets);
        foreach ((string file, string text) in snippets)
        {
            string rest = text;
            foreach (string region in regions.OrderByDescending(region => region.Length))
            {
                rest = rest.Replace(region, "", StringComparison.Ordinal);
            }

            Assert.True(rest.Trim().Length == 0, $"In {file}, this is in no region that is compiled:\n{rest.Trim()}");
        }
    }

    private static string Dedent(string text)
    {
        string[] lines = text.Trim('\n').Split('\n');
        int indent = lines.Where(line => line.Trim().Length > 0).Min(line => line.Length - line.TrimStart().Length);
        return string.Join('\n', lines.Select(line => line.Length > indent ? line[indent..] : line.TrimStart())).TrimEnd();
    }

    [GeneratedRegex(@"#region [^\n]*\n(?<text>.*?)\n[ \t]*#endregion", RegexOptions.Singleline)]
    private static partial Regex Region();

    [GeneratedRegex(@"```csharp\n(?<text>.*?)```", RegexOptions.Singleline)]
    private static partial Regex Snippet();
}
