using System.Globalization;
using System.Text.RegularExpressions;
using Wire.Packages.Tests.Feeds;
using Wire.Testing;

namespace Wire.Packages.Tests;

/// <summary>What eng/pack.sh promises.</summary>
[Collection(PackagesCollection.Name)]
public sealed partial class PackingTests(PackageFeed feed)
{
    [Fact]
    [Trait("Takes", "long")]
    public async Task The_same_sources_are_the_same_packages_in_another_folder()
    {
        RepeatedPacking again = await feed.PackAgainAsync();
        string[] packages =
            [.. Directory.EnumerateFiles(again.Packages).Select(file => Path.GetFileName(file)!).Order(StringComparer.Ordinal)];

        // Each, and of a library its symbols.
        Assert.Equal(PackageFeed.Ids.Length + PackageFeed.Libraries.Length, packages.Length);
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
    public void The_page_has_the_packages_with_their_sizes_and_dependencies()
    {
        string page = File.ReadAllText(Path.Combine(Repository.Root, "docs", "packages.md"));
        string[][] rows = [.. page[page.IndexOf("| package | KiB |", StringComparison.Ordinal)..].Split('\n')
            .TakeWhile(line => line.StartsWith('|')).Skip(2).Select(line => line.Trim('|', ' ').Split(" | "))];

        Assert.Equal(PackageFeed.Ids.Order(StringComparer.Ordinal), rows.Select(row => row[0].Trim('`')));
        Assert.All(rows, row =>
        {
            string id = row[0].Trim('`');
            PackedPackage package = feed.Package(id);
            string[] dependencies = [.. package.Dependencies.Select(dependency => $"`{dependency.Key}` {dependency.Value}")];
            string expected = dependencies.Length == 0 ? "nothing" : string.Join(", ", dependencies);
            Assert.Equal(expected, WrittenVersion().Replace(row[3], feed.Version));
            AssertNear(new FileInfo(Path.Combine(feed.Packages, $"{id}.{feed.Version}.nupkg")).Length, row[1]);
            AssertNear(package.Assemblies.Sum(assembly => assembly.Length), row[2]);
        });

        static void AssertNear(long bytes, string kibibytes)
        {
            double written = 1024 * double.Parse(kibibytes, CultureInfo.InvariantCulture);
            Assert.InRange(bytes, 0.85 * written, 1.15 * written);
        }
    }

    [GeneratedRegex(@"2\.0\.0-preview\.\d+")]
    private static partial Regex WrittenVersion();

    [Fact]
    [Trait("Takes", "long")]
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
