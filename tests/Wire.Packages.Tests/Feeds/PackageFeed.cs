namespace Wire.Packages.Tests.Feeds;

/// <summary>All packages of this checkout, packed once into a folder, and fresh projects outside the tree that install them.</summary>
/// <remarks>
/// The version is of this run alone, and what is installed goes into a folder of this run, so that no package of another day is taken.
/// Packages of others come from where the machine has them.
/// </remarks>
public sealed class PackageFeed : IAsyncLifetime
{
    private readonly string _folder = Directory.CreateTempSubdirectory("wire-packages-").FullName;

    /// <summary>The version that all packages have.</summary>
    public string Version { get; } = $"2.0.0-test.{Guid.NewGuid():N}";

    /// <summary>The address that the packages say the repository has.</summary>
    public string RepositoryUrl { get; } = "https://example.org/wire";

    /// <summary>The copy of the sources that was packed.</summary>
    public string Sources => Path.Combine(_folder, "sources");

    /// <summary>The folder of the packages.</summary>
    public string Packages => Path.Combine(_folder, "feed");

    /// <summary>Packs everything.</summary>
    public async Task InitializeAsync()
    {
        SourceTree.CopyTo(Sources);
        await PackAsync(Sources, Packages);

        Directory.CreateDirectory(Path.Combine(_folder, "projects"));
        string cache = (await Tool.RunAsync(_folder, "dotnet", "nuget", "locals", "global-packages", "--list"))
            .Split("global-packages:")[1].Trim();

        // Sources of the machine stay: the file adds to its configuration.
        File.WriteAllText(Path.Combine(_folder, "nuget.config"), $"""
            <configuration>
              <config><add key="globalPackagesFolder" value="installed" /></config>
              <packageSources><add key="wire" value="feed" /></packageSources>
              <fallbackPackageFolders>{(Directory.Exists(cache) ? $"""<add key="machine" value="{cache}" />""" : "")}</fallbackPackageFolders>
            </configuration>
            """);
    }

    /// <summary>Packs a copy of the sources into a folder, as eng/pack.sh does for everybody.</summary>
    /// <param name="sources">The copy.</param>
    /// <param name="packages">The folder of the packages.</param>
    /// <param name="arguments">Further arguments of the script.</param>
    public async Task PackAsync(string sources, string packages, params string[] arguments) => await Tool.RunAsync(
        sources, Path.Combine(sources, "eng", "pack.sh"), [.. Packing(packages), .. arguments]);

    /// <summary>Says what eng/pack.sh is called with: the style of the sources is checked where the solution is built.</summary>
    /// <param name="packages">The folder of the packages.</param>
    internal string[] Packing(string packages) =>
    [
        "--output", packages, $"-p:Version={Version}", $"-p:RepositoryUrl={RepositoryUrl}",
        "-p:RunAnalyzers=false", "-p:EnforceCodeStyleInBuild=false",
    ];

    /// <summary>The path of a package.</summary>
    /// <param name="id">The id of the package.</param>
    public string Package(string id) => Path.Combine(Packages, $"{id}.{Version}.nupkg");

    /// <summary>Makes an empty folder of this run.</summary>
    /// <param name="name">What the folder is for.</param>
    public string NewFolder(string name) => Directory.CreateDirectory(Path.Combine(_folder, name, Guid.NewGuid().ToString("N"))).FullName;

    /// <summary>Makes a project outside the tree with a program of <c>Programs/</c>, which decides the language by its name.</summary>
    /// <param name="program">The file of the program in the folder Programs.</param>
    /// <param name="packages">Ids of packages that the project file asks for.</param>
    /// <param name="properties">Lines of the project file's property group.</param>
    public FreshProject NewProject(string program, string[] packages, params string[] properties) =>
        new(this, Path.Combine(_folder, "projects", $"{Path.GetFileNameWithoutExtension(program)}{Guid.NewGuid():N}"), program, packages, properties);

    /// <summary>Deletes everything.</summary>
    public Task DisposeAsync()
    {
        Directory.Delete(_folder, recursive: true);
        return Task.CompletedTask;
    }
}
