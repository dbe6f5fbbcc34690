using System.Xml.Linq;
using Wire.Packages.Tests.Feeds;
using Wire.Testing;

namespace Wire.Packages.Tests;

/// <summary>A copy of an adapter's folder outside the tree builds with the packages, as its page says.</summary>
[Collection(PackagesCollection.Name)]
public sealed class AdapterTests(PackageFeed feed)
{
    /// <summary>The adapters.</summary>
    public static TheoryData<string> Adapters =>
        [.. new DirectoryInfo(Path.Combine(Repository.Root, "integrations")).EnumerateDirectories().Select(folder => folder.Name).Order()];

    [Fact]
    public async Task Each_copy_builds_by_itself()
    {
        string[] copies = [.. ((string[])["Wire.Akka", "Wire.Orleans", "Wire.ProtoActor", "Wire.Rebus", "Wire.Wolverine"]).Select(adapter =>
        {
            string folder = feed.NewFolder("adapters");
            Copy(folder, adapter);
            return ProjectFile(folder, adapter);
        })];

        await BuildAsync(copies);
    }

    [Fact]
    public async Task A_copy_takes_the_versions_of_a_repository_that_has_central_ones()
    {
        string folder = feed.NewFolder("adapters");
        Copy(folder, "Wire.Akka");
        File.WriteAllText(Path.Combine(folder, "Directory.Packages.props"), $"""
            <Project>
              <PropertyGroup><ManagePackageVersionsCentrally>true</ManagePackageVersionsCentrally></PropertyGroup>
              <ItemGroup>
                <PackageVersion Include="Akka" Version="{SourceTree.CentralVersion("Akka")}" />
                <PackageVersion Include="WireSerializer" Version="{feed.Version}" />
              </ItemGroup>
            </Project>
            """);

        await BuildAsync([ProjectFile(folder, "Wire.Akka")]);
    }

    [Fact]
    public async Task Beside_the_serializer_of_Orleans_the_line_of_its_page_says_which_one_is_meant()
    {
        const string line = "using Serializer = Wire.Serializer;";
        Assert.Contains($"`{line}`", Page("Wire.Orleans"), StringComparison.Ordinal);
        string folder = feed.NewFolder("adapters");
        Copy(folder, "Wire.Orleans");
        string file = Path.Combine(folder, "integrations", "Wire.Orleans", "Both.cs");
        string text = """
            using Orleans.Serialization;
            using Wire;

            namespace Shop;

            /// <summary>Uses both.</summary>
            public sealed class Both(Serializer<int> ofOrleans)
            {
                private static readonly Serializer OfWire = new(SerializerOptions.Default);

                /// <summary>Copies a number by both.</summary>
                public int Copy(int number) =>
                    ofOrleans.Deserialize(ofOrleans.SerializeToArray(OfWire.Clone(number)));
            }
            """;
        File.WriteAllText(file, text);
        (int code, string output) = await TryBuildAsync([ProjectFile(folder, "Wire.Orleans")]);
        Assert.NotEqual(0, code);
        Assert.Contains("CS0104", output, StringComparison.Ordinal);

        File.WriteAllText(file, text.Replace("using Wire;", $"using Wire;\n{line}", StringComparison.Ordinal));
        await BuildAsync([ProjectFile(folder, "Wire.Orleans")]);
    }

    // The packages of these frameworks are not on every feed, or are none yet: their signatures take their place.
    [Fact]
    public async Task Each_copy_builds_against_the_signatures_of_its_framework() => await BuildAsync(
        [
            CopyWithStub("Wire.Akka16", "Akka16", "Wire.Akka"),
            CopyWithStub("Wire.EasyNetQ", "EasyNetQ"),
            CopyWithStub("Wire.NServiceBus", "NServiceBus.Core"),
        ],
        "UseContractStub=true");

    [Theory]
    [MemberData(nameof(Adapters))]
    public void Its_versions_are_those_that_the_tests_run_with(string adapter)
    {
        Dictionary<string, string> versions = XDocument.Load(ProjectFile(Repository.Root, adapter)).Descendants("PackageReference")
            .Where(reference => reference.Attribute("Update") is not null)
            .ToDictionary(reference => reference.Attribute("Update")!.Value, reference => reference.Attribute("Version")!.Value);

        Assert.True(versions.Remove("WireSerializer", out string? own));
        Assert.Equal(
            XDocument.Load(Path.Combine(Repository.Root, "Directory.Build.props")).Descendants("Version").Single().Value, own);
        (string framework, string version) = Assert.Single(versions);
        Assert.Equal(SourceTree.CentralVersion(framework), version);
        string page = Page(adapter);
        Assert.Contains($"`{framework}` {version}", page[page.IndexOf("## Take it", StringComparison.Ordinal)..], StringComparison.Ordinal);
    }

    private static string ProjectFile(string root, string adapter) => Path.Combine(root, "integrations", adapter, $"{adapter}.csproj");

    private static string Page(string adapter) =>
        File.ReadAllText(Path.Combine(Repository.Root, "integrations", adapter, "README.md"));

    private async Task BuildAsync(string[] projects, params string[] properties)
    {
        (int code, string output) = await TryBuildAsync(projects, properties);
        Assert.True(code == 0, output);
    }

    private Task<(int Code, string Output)> TryBuildAsync(string[] projects, params string[] properties) =>
        ManyProjects.TryBuildAsync(feed.NewFolder("together"), projects, ["TreatWarningsAsErrors=true", .. properties]);

    // With the version of these packages, as its page says.
    private void Copy(string folder, params string[] adapters)
    {
        foreach (string adapter in adapters)
        {
            SourceTree.Copy(Repository.Root, folder, Path.Combine("integrations", adapter));
            var project = XDocument.Load(ProjectFile(folder, adapter), LoadOptions.PreserveWhitespace);
            project.Descendants("PackageReference").Single(reference => reference.Attribute("Update")?.Value == "WireSerializer")
                .SetAttributeValue("Version", feed.Version);
            project.Save(ProjectFile(folder, adapter));
        }
    }

    private string CopyWithStub(string adapter, string stub, params string[] beside)
    {
        string folder = feed.NewFolder("adapters");
        Copy(folder, [adapter, .. beside]);
        SourceTree.Copy(Repository.Root, folder, Path.Combine("tests", "Stubs", stub));
        SourceTree.Copy(Repository.Root, Path.Combine(folder, "tests"), "Directory.Packages.props");
        File.WriteAllText(Path.Combine(folder, "tests", "Directory.Build.props"), """
            <Project>
              <PropertyGroup>
                <TargetFramework>net10.0</TargetFramework>
                <ImplicitUsings>enable</ImplicitUsings>
                <Nullable>enable</Nullable>
              </PropertyGroup>
            </Project>
            """);

        return ProjectFile(folder, adapter);
    }
}
