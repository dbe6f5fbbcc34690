using Wire.Testing;
using Wire.Tests.Testing;

namespace Wire.Tests.Documentation;

/// <summary>The tables of docs/changes.md are made from the tests of changes; <c>docs/update-changes.sh</c> writes them anew.</summary>
public sealed class ChangesPageTests
{
    private const string Begin = "<!-- begin: changes -->\n";
    private const string End = "<!-- end: changes -->";

    [Fact]
    public void The_page_has_the_outcomes_of_the_tests()
    {
        string file = Path.Combine(Repository.Root, "docs", "changes.md");
        string page = File.ReadAllText(file);
        int begin = page.IndexOf(Begin, StringComparison.Ordinal) + Begin.Length;
        int end = page.IndexOf(End, StringComparison.Ordinal);
        string text = ChangesPage.Text();
        if (Repository.IsAskedFor("WIRE_CHANGES_WRITE"))
        {
            File.WriteAllText(file, page[..begin] + text + page[end..]);
            return;
        }

        Assert.Equal(text, page[begin..end]);
    }
}
