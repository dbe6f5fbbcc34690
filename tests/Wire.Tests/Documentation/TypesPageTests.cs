using Wire.Testing;
using Wire.Tests.Testing;

namespace Wire.Tests.Documentation;

/// <summary>The tables of docs/types.md are those of the tests' inventory. <c>docs/update-types.sh</c> writes them anew.</summary>
public sealed class TypesPageTests
{
    private const string Begin = "<!-- begin: core -->\n";
    private const string End = "<!-- end: core -->";

    [Fact]
    public void The_page_has_the_tables_of_the_inventory()
    {
        string file = Path.Combine(Repository.Root, "docs", "types.md");
        string page = File.ReadAllText(file);
        int begin = page.IndexOf(Begin, StringComparison.Ordinal) + Begin.Length;
        int end = page.IndexOf(End, StringComparison.Ordinal);
        string text = TypesPage.Text();
        if (Repository.IsAskedFor("WIRE_TYPES_WRITE"))
        {
            File.WriteAllText(file, page[..begin] + text + page[end..]);
            return;
        }

        Assert.Equal(text, page[begin..end]);
    }

    [Fact]
    public void Every_row_says_how_it_is_written() =>
        Assert.All(TypesPage.Rows(), row => Assert.False(string.IsNullOrWhiteSpace(row.Written), row.Type));
}
