using Wire.Testing;
using Wire.Tests.Testing;

namespace Wire.Tests.Documentation;

/// <summary>The tables of docs/types.md are those of the tests' inventory.</summary>
public sealed class TypesPageTests
{
    [Fact]
    public void The_page_has_the_tables_of_the_inventory() => Approved.AssertPart(
        Path.Combine(Repository.Root, "docs", "types.md"), "<!-- begin: core -->\n", "<!-- end: core -->", TypesPage.Text());

    [Fact]
    public void Every_row_says_how_it_is_written() =>
        Assert.All(TypesPage.Rows(), row => Assert.False(string.IsNullOrWhiteSpace(row.Written), row.Type));
}
