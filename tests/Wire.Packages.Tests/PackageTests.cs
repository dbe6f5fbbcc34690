using System.Text.RegularExpressions;
using System.Xml.Linq;
using Wire.Packages.Tests.Feeds;
using Wire.Testing;

namespace Wire.Packages.Tests;

/// <summary>What a package says of itself, and what is in it.</summary>
[Collection(PackagesCollection.Name)]
public sealed partial class PackageTests(PackageFeed feed)
{
    private const string Notices = "THIRD-PARTY-NOTICES.txt";

    /// <summary>The packages.</summary>
    public static TheoryData<string> Ids => [.. PackageFeed.Ids];

    [Fact]
    public void Each_project_is_a_package_and_there_is_no_other()
    {
        Assert.Equal(
            PackageFeed.Ids.Order(StringComparer.Ordinal),
            Directory.EnumerateFiles(feed.Packages, $"*.{feed.Version}.nupkg")
                .Select(file => Path.GetFileName(file)[..^$".{feed.Version}.nupkg".Length])
                .Order(StringComparer.Ordinal));
        Assert.Contains("WireSerializer", PackageFeed.Ids);
        Assert.Contains("WireSerializer.RabbitMQ.Streams", PackageFeed.Ids);
    }

    // A build that finds a file of the same time and size in its output does not copy the one of another version.
    [Fact]
    public async Task The_files_of_each_version_have_a_time_of_their_own()
    {
        string[] times = [await TimeOfAsync("2.0.0"), await TimeOfAsync("2.0.1"), await TimeOfAsync("2.0.0")];
        Assert.Equal(times[0], times[2]);
        Assert.NotEqual(times[0], times[1]);

        static async Task<string> TimeOfAsync(string version) => await Tool.RunAsync(
            Repository.Root, "dotnet", "msbuild", "src/Wire", "-getProperty:DeterministicTimestamp", $"-p:Version={version}");
    }

    [Theory]
    [MemberData(nameof(Ids))]
    public void A_package_says_who_made_it_and_where_it_comes_from(string id)
    {
        PackedPackage package = feed.Package(id);
        XElement metadata = package.Metadata;

        Assert.Equal(id, metadata.Element("id")!.Value);
        Assert.Equal(feed.Version, metadata.Element("version")!.Value);
        Assert.Equal("MIT", metadata.Element("license")!.Value);
        Assert.Equal(feed.RepositoryUrl, metadata.Element("projectUrl")!.Value);
        Assert.Equal(feed.RepositoryUrl, metadata.Element("repository")!.Attribute("url")!.Value);
        Assert.Equal("git", metadata.Element("repository")!.Attribute("type")!.Value);
        Assert.Equal(PackageFeed.Commit, metadata.Element("repository")!.Attribute("commit")!.Value);
        Assert.Equal($"{feed.RepositoryUrl}/blob/v{feed.Version}/CHANGELOG.md", metadata.Element("releaseNotes")!.Value);
        Assert.InRange(metadata.Element("description")!.Value.Length, 60, 400);
        Assert.Equal(package.Bytes(metadata.Element("icon")!.Value)[..4], [0x89, .. "PNG"u8]);
    }

    [Theory]
    [InlineData("WireSerializer", "serializer")]
    [InlineData("WireSerializer.FSharp", "serializer", "fsharp")]
    [InlineData("WireSerializer.Amqp", "amqp")]
    [InlineData("WireSerializer.Migration", "migration", "BinaryFormatter")]
    [InlineData("WireSerializer.AspNetCore", "aspnetcore", "signalr", "hybridcache")]
    [InlineData("WireSerializer.Amqp.Client", "amqp", "rabbitmq")]
    [InlineData("WireSerializer.Transport", "amqp", "rabbitmq")]
    [InlineData("WireSerializer.RabbitMQ", "amqp", "rabbitmq")]
    [InlineData("WireSerializer.RabbitMQ.Outbox", "amqp", "rabbitmq", "outbox")]
    [InlineData("WireSerializer.RabbitMQ.Outbox.EntityFrameworkCore", "rabbitmq", "outbox", "entityframeworkcore")]
    [InlineData("WireSerializer.RabbitMQ.Streams", "rabbitmq", "streams")]
    [InlineData("WireSerializer.RabbitMQ.Streams.Compression", "rabbitmq", "streams", "compression")]
    [InlineData("WireSerializer.RabbitMQ.Streams.Hosting", "rabbitmq", "streams", "hosting")]
    [InlineData("WireSerializer.MassTransit", "masstransit", "messaging")]
    [InlineData("WireSerializer.Tool", "serializer", "tool")]
    public void Tags_are_those_of_the_package(string id, params string[] expected)
    {
        string[] tags = feed.Package(id).Metadata.Element("tags")!.Value.Split(' ');

        Assert.InRange(tags.Distinct().Count(), 3, 10);
        Assert.Subset(tags.ToHashSet(), expected.ToHashSet());
        Assert.Equal(expected.Contains("amqp"), tags.Contains("amqp"));
    }

    // Internals may change with each version, and nothing else may.
    [Theory]
    [MemberData(nameof(Ids))]
    public void A_package_asks_for_exactly_the_version_whose_internals_it_sees(string id)
    {
        PackedPackage package = feed.Package(id);
        string name = new AssemblyFacts(package.Assembly).Name;
        foreach (string other in PackageFeed.Ids.Where(other => other != id))
        {
            bool shares = new AssemblyFacts(feed.Package(other).Assembly).Friends.Contains(name);
            string? range = package.Dependencies.GetValueOrDefault(other);
            Assert.Equal(shares ? $"[{feed.Version}]" : range is null ? null : feed.Version, range);
        }
    }

    [Theory]
    [MemberData(nameof(Ids))]
    public void Assemblies_and_packages_have_the_same_version(string id)
    {
        AssemblyFacts[] assemblies = [.. feed.Package(id).Assemblies.Select(bytes => new AssemblyFacts(bytes))];

        Assert.All(assemblies, assembly => Assert.Equal(new Version(2, 0, 0, 0), assembly.Version));
        Assert.Equal(SourceTree.Assemblies[id], assemblies.Select(assembly => assembly.Name));
        Assert.Equal(id, $"WireSerializer{assemblies[0].Name["Wire".Length..]}");
    }

    [Theory]
    [MemberData(nameof(Ids))]
    public void A_README_installs_the_package_and_leads_to_this_version(string id)
    {
        string readme = feed.Package(id).Text("README.md");
        string[] links = [.. Link().Matches(readme).Select(match => match.Groups["target"].Value)];

        Assert.StartsWith($"# {id}\n", readme, StringComparison.Ordinal);
        Assert.InRange(links.Length, 3, 20);
        Assert.All(links, link => Assert.StartsWith($"{feed.RepositoryUrl}/blob/v{feed.Version}/", link, StringComparison.Ordinal));
        Assert.All(links, link => Assert.True(Path.Exists(Path.Combine(Repository.Root, File(link))), link));
        if (id != "WireSerializer.Transport")
        {
            string install = feed.Package(id).IsTool ? "dotnet tool install -g" : "dotnet add package";
            Assert.Contains($"\n{install} {id} --prerelease\n", readme, StringComparison.Ordinal);
        }
    }

    private static string[] Analyzers => [.. SourceTree.Analyzers.Select(name => $"analyzers/dotnet/cs/{name}.dll")];

    private string File(string link) => link[$"{feed.RepositoryUrl}/blob/v{feed.Version}/".Length..].Split('#')[0];

    // Nothing but what is meant: a file that is picked up by accident is in all packages for ever.
    [Theory]
    [MemberData(nameof(Ids))]
    public void A_package_has_no_file_that_is_not_meant(string id)
    {
        PackedPackage package = feed.Package(id);
        string name = new AssemblyFacts(package.Assembly).Name;
        string[] meant =
        [
            "README.md", "icon.png", $"{id}.nuspec", "[Content_Types].xml", "_rels/.rels",
            .. package.IsTool
                ? [Notices, .. Needed(package, name)]
                : SourceTree.Assemblies[id].SelectMany(part => new[] { $"{package.Folder}/{part}.dll", $"{package.Folder}/{part}.xml" }),
            .. id == "WireSerializer" ? Analyzers : [],
        ];
        Assert.All(package.Names.Except(meant), file => Assert.True(
            file.StartsWith("package/services/", StringComparison.Ordinal)
            || file.StartsWith("docs/", StringComparison.Ordinal)
            || file.StartsWith($"buildTransitive/net10.0/{id}.", StringComparison.Ordinal),
            file));
    }

    [Fact]
    public void The_package_of_the_serializer_has_what_compilers_load()
    {
        Assert.InRange(Analyzers.Length, 3, 9);
        Assert.Empty(Analyzers.Except(feed.Package("WireSerializer").Names));
    }

    [Fact]
    public void A_tool_has_the_notice_of_each_assembly_of_others_that_it_carries()
    {
        foreach (PackedPackage package in PackageFeed.Ids.Select(feed.Package).Where(package => package.IsTool))
        {
            string notices = package.Text(Notices);
            string[] others = [.. package.Names.Where(file => file.EndsWith(".dll", StringComparison.Ordinal))
                .Select(file => Path.GetFileNameWithoutExtension(file))
                .Where(name => name != "Wire" && !name.StartsWith("Wire.", StringComparison.Ordinal))];

            Assert.NotEmpty(others);
            Assert.All(others, name => Assert.Contains($"\n{name} {SourceTree.CentralVersion(name)}\n", notices, StringComparison.Ordinal));
            Assert.Equal(others.Length, notices.Split("Permission is hereby granted, free of charge").Length - 1);
        }
    }

    // What a tool runs with: all assemblies that it has are those that it names as its own.
    private static IEnumerable<string> Needed(PackedPackage package, string name) =>
    [
        $"{package.Folder}/DotnetToolSettings.xml", $"{package.Folder}/{name}.deps.json", $"{package.Folder}/{name}.runtimeconfig.json",
        .. Runtime().Matches(package.Text($"{package.Folder}/{name}.deps.json"))
            .Select(match => $"{package.Folder}/{match.Groups["file"].Value}"),
    ];

    [GeneratedRegex(@"""([^""]*/)?(?<file>[^""/]+\.dll)"": \{")]
    private static partial Regex Runtime();

    [GeneratedRegex(@"\[[^\]\n]+\]\((?<target>[^)\s]+)\)")]
    private static partial Regex Link();
}
