namespace Wire.Packages.Tests.Feeds;

/// <summary>The tests that share one feed: packing takes longest.</summary>
[CollectionDefinition(Name)]
public sealed class PackagesCollection : ICollectionFixture<PackageFeed>
{
    /// <summary>The name of the collection.</summary>
    public const string Name = "packages";
}
