using Wire.Packages.Tests.Feeds;

namespace Wire.Packages.Tests;

/// <summary>What eng/pack.sh promises.</summary>
[Collection(PackagesCollection.Name)]
public sealed class PackingTests(PackageFeed feed)
{
    [Fact]
    public async Task The_same_sources_are_the_same_packages_in_another_folder()
    {
        RepeatedPacking again = await feed.PackAgainAsync();
        string[] packages =
            [.. Directory.EnumerateFiles(again.Packages).Select(file => Path.GetFileName(file)!).Order(StringComparer.Ordinal)];

        // With its symbols, each.
        Assert.Equal(2 * PackageFeed.Ids.Length, packages.Length);
        foreach (string name in packages)
        {
            string path = Path.Combine(feed.Packages, name);
            string second = Path.Combine(again.Packages, name);
            var (package, repeated) = (new PackedPackage(path), new PackedPackage(second));
            Assert.Equal(package.Names, repeated.Names);
            Assert.All(package.Names, file => Assert.True(
                package.Bytes(file).AsSpan().SequenceEqual(repeated.Bytes(file)), $"{file} in {name} differs"));
            Assert.True(File.ReadAllBytes(path).AsSpan().SequenceEqual(File.ReadAllBytes(second)), $"{name} differs");
        }
    }

    [Fact]
    public async Task A_public_member_that_is_gone_ends_packing_with_a_baseline()
    {
        RepeatedPacking again = await feed.PackAgainAsync();
        string file = Path.Combine(again.Sources, "src", "Wire.RabbitMQ.Streams", "StreamOffset.cs");
        const string member = "static StreamOffset Last";
        string text = File.ReadAllText(file);
        File.WriteAllText(file, text.Replace($"public {member}", $"internal {member}", StringComparison.Ordinal));

        (int code, string output) = await feed.TryPackAsync(again.Sources, feed.NewFolder("without"), "--baseline", feed.Packages);

        Assert.Equal(1, code);
        string error = Assert.Single(output.Split('\n').Where(line => line.Contains("error CP", StringComparison.Ordinal)).Distinct());
        Assert.Contains("CP0002: Member", error, StringComparison.Ordinal);
        Assert.Contains("Wire.RabbitMQ.Streams.StreamOffset.Last.get' exists on [Baseline]", error, StringComparison.Ordinal);
    }
}
