using Wire.Testing;
using Wire.Tests.Testing;

namespace Wire.Tests.Documentation;

/// <summary>The tables of docs/changes.md are made from the tests of changes.</summary>
public sealed class ChangesPageTests
{
    [Fact]
    public void The_page_has_the_outcomes_of_the_tests() => Approved.AssertPart(
        Path.Combine(Repository.Root, "docs", "changes.md"), "<!-- begin: changes -->\n", "<!-- end: changes -->", ChangesPage.Text());
}
