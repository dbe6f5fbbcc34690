using Wire.Packages.Tests.Feeds;

namespace Wire.Packages.Tests;

/// <summary>Fresh projects outside the tree install the packages and run a program with them.</summary>
[Collection(PackagesCollection.Name)]
public sealed class InstallTests(PackageFeed feed)
{
    [Fact]
    public async Task The_serializer_is_added_to_a_project_and_copies_a_graph()
    {
        FreshProject project = feed.NewProject("Serializer.cs", []);
        await project.AddPackageAsync("WireSerializer");

        Assert.Equal(
            [
                "OrderPlaced { Id = 1, Customer = Ada, Total = 19.90 }",
                "OrderShipped { Id = 1, Parcels = 2 }",
                "42 System.Int32, text System.String, [1; 2] System.Collections.Generic.List`1[System.Int32]",
                "one of two is the same",
                "a type that nobody named is refused: TypeRefused",
            ],
            Lines(await project.RunAsync()));
    }

    private static string[] Lines(string text) => text.Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
}
