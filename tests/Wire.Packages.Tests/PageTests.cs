using System.Text;
using System.Text.RegularExpressions;
using Wire.Packages.Tests.Feeds;

namespace Wire.Packages.Tests;

/// <summary>The pages in packages: those that the README leads to, and what texts of the library name.</summary>
[Collection(PackagesCollection.Name)]
public sealed partial class PageTests(PackageFeed feed)
{
    /// <summary>The packages.</summary>
    public static TheoryData<string> Ids => [.. PackageFeed.Ids];

    [Theory]
    [MemberData(nameof(Ids))]
    public void The_pages_of_the_README_are_in_the_package_and_no_link_in_them_is_dead(string id)
    {
        PackedPackage package = feed.Package(id);
        string[] pages = [.. package.Names.Where(name => name.StartsWith("docs/", StringComparison.Ordinal))];
        string address = $"{feed.RepositoryUrl}/blob/v{feed.Version}/";

        Assert.Equal(
            Links(package.Text("README.md")).Where(link => link.StartsWith($"{address}docs/", StringComparison.Ordinal))
                .Select(link => link[address.Length..]).ToHashSet(),
            pages.ToHashSet());
        Assert.All(pages, page => Assert.All(
            Links(package.Text(page)).Where(link => link.Length > 0 && !link.Contains("://", StringComparison.Ordinal)),
            link => Assert.Contains(Path.GetRelativePath("/", Path.GetFullPath(link, $"/{Path.GetDirectoryName(page)}")), pages)));
    }

    [Theory]
    [MemberData(nameof(Ids))]
    public void A_page_that_a_text_names_is_in_a_package(string id)
    {
        PackedPackage package = feed.Package(id);
        HashSet<string> pages = [.. package.Names, .. feed.Package("WireSerializer").Names];
        string documentation = package.IsTool ? "" : string.Concat(package.Documentation.Values);

        // Text in an assembly has one byte for a character, or two.
        string assembly = string.Concat(package.Assemblies.Select(Encoding.Latin1.GetString)).Replace("\0", "", StringComparison.Ordinal);
        string[] named = [.. Page().Matches(documentation + assembly).Select(match => match.Value)];

        Assert.All(named, page => Assert.Contains(page, pages));
        Assert.True(id != "WireSerializer" || named.Contains("docs/contracts.md"));
    }

    [Theory]
    [MemberData(nameof(Ids))]
    public async Task Without_an_address_the_README_names_the_files_of_the_package(string id)
    {
        string packing = Path.Combine(feed.Sources, "eng", "Packing", "bin", "Release", "net10.0", "Packing.dll");
        string folder = feed.NewFolder("pages");
        string readme = Path.Combine("src", $"Wire{id["WireSerializer".Length..]}", "README.md");

        string[] pages = (await Tool.RunAsync(feed.Sources, "dotnet", packing, "readme", readme, ".", folder)).TrimEnd().Split('\n');

        string text = File.ReadAllText(Path.Combine(folder, "README.md"));
        Assert.Empty(Links(text));
        Assert.All(pages, page =>
        {
            Assert.Contains($" (`{page}` in this package)", text, StringComparison.Ordinal);
            Assert.All(
                Links(File.ReadAllText(Path.Combine(folder, page))).Where(link => !link.Contains("://", StringComparison.Ordinal)),
                link => Assert.True(File.Exists(Path.Combine(folder, Path.GetDirectoryName(page)!, link)) || link.Length == 0, link));
        });
    }

    private static IEnumerable<string> Links(string page) =>
        Link().Matches(page).Where(match => match.Groups["target"].Success).Select(match => match.Groups["target"].Value);

    // Without the heading; code has no links.
    [GeneratedRegex(
        @"^```.*?^```|`[^`\n]*`(?!\])|\[[^\]]+\]\((?<target>[^)\s#]*)(#[^)\s]*)?\)", RegexOptions.Multiline | RegexOptions.Singleline)]
    private static partial Regex Link();

    [GeneratedRegex(@"docs/[a-z/-]+\.md")]
    private static partial Regex Page();
}
