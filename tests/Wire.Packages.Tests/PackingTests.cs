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
        string[] packages = [.. Directory.EnumerateFiles(again.Packages).Select(file => Path.GetFileName(file)!).Order(StringComparer.Ordinal)];

        // With its symbols, each.
        Assert.Equal(2 * PackageFeed.Ids.Length, packages.Length);
        foreach (string name in packages)
        {
            var (first, second) = (new PackedPackage(Path.Combine(feed.Packages, name)), new PackedPackage(Path.Combine(again.Packages, name)));
            Assert.Equal(first.Names, second.Names);
            Assert.All(first.Names, file => Assert.True(first.Bytes(file).AsSpan().SequenceEqual(second.Bytes(file)), $"{file} in {name} differs"));
            Assert.Equal(File.ReadAllBytes(Path.Combine(feed.Packages, name)), File.ReadAllBytes(Path.Combine(again.Packages, name)));
        }
    }

    [Fact]
    public async Task A_public_member_that_is_gone_ends_packing_with_a_baseline()
    {
        RepeatedPacking again = await feed.PackAgainAsync();
        string file = Path.Combine(again.Sources, "src", "Wire.RabbitMQ.Streams", "StreamOffset.cs");
        string text = File.ReadAllText(file);
        File.WriteAllText(file, text.Replace("public static StreamOffset Last", "internal static StreamOffset Last", StringComparison.Ordinal));

        (int code, string output) = await feed.TryPackAsync(again.Sources, feed.NewFolder("without"), "--baseline", feed.Packages);

        Assert.Equal(1, code);
        string error = Assert.Single(output.Split('\n').Where(line => line.Contains("error CP", StringComparison.Ordinal)).Distinct());
        Assert.Contains("CP0002: Member 'Wire.RabbitMQ.Streams.StreamOffset Wire.RabbitMQ.Streams.StreamOffset.Last.get' exists on", error, StringComparison.Ordinal);
    }
}
