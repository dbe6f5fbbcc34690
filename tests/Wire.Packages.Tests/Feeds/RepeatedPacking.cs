namespace Wire.Packages.Tests.Feeds;

/// <summary>The same packages from another copy of the sources.</summary>
/// <param name="Sources">The copy.</param>
/// <param name="Packages">The folder of the packages.</param>
internal sealed record RepeatedPacking(string Sources, string Packages);
