using Wire.Testing;

namespace Wire.Packages.Tests.Feeds;

/// <summary>All packages of this checkout, packed once into a folder, and fresh projects outside the tree that install them.</summary>
/// <remarks>
/// The version is of this run alone, and what is installed goes into a folder of this run, so that no package of another day is taken.
/// Packages of others come from where the machine has them.
/// </remarks>
public sealed class PackageFeed : IAsyncLifetime
{
    /// <summary>The commit that the packages say they were made of.</summary>
    public const string Commit = "0123456789abcdef0123456789abcdef01234567";

    private readonly string _folder = Directory.CreateTempSubdirectory("wire-packages-").FullName;
    private readonly Lazy<Task<RepeatedPacking>> _again;
    private readonly Lazy<Task<IReadOnlyDictionary<string, FreshProject>>> _installed;

    /// <summary>Makes a feed, which is empty until it is initialized.</summary>
    public PackageFeed()
    {
        _again = new(async () =>
        {
            var again = new RepeatedPacking(Path.Combine(_folder, "sources-2"), Path.Combine(_folder, "again"));
            SourceTree.Copy(Sources, again.Sources);
            await PackAsync(again.Sources, again.Packages);
            return again;
        });
        _installed = new(() => InstalledPrograms.BuildAsync(this));
    }

    /// <summary>The version that all packages have.</summary>
    public string Version { get; } = $"2.0.0-test.{Guid.NewGuid():N}";

    /// <summary>The address that the packages say the repository has.</summary>
    public string RepositoryUrl { get; } = "https://example.org/wire";

    /// <summary>The copy of the sources that was packed.</summary>
    public string Sources => Path.Combine(_folder, "sources-1");

    /// <summary>The folder of the packages.</summary>
    public string Packages => Path.Combine(_folder, "feed");

    /// <summary>Packs everything.</summary>
    public async Task InitializeAsync()
    {
        SourceTree.Copy(Repository.Root, Sources);
        await PackAsync(Sources, Packages);

        Directory.CreateDirectory(Path.Combine(_folder, "projects"));
        string cache = (await Tool.RunAsync(_folder, "dotnet", "nuget", "locals", "global-packages", "--list"))
            .Split("global-packages:")[1].Trim();

        string fallback = Directory.Exists(cache) ? $"""<add key="machine" value="{cache}" />""" : "";

        // Sources of the machine stay: the file adds to its configuration.
        File.WriteAllText(Path.Combine(_folder, "nuget.config"), $"""
            <configuration>
              <config><add key="globalPackagesFolder" value="installed" /></config>
              <packageSources><add key="wire" value="feed" /></packageSources>
              <fallbackPackageFolders>{fallback}</fallbackPackageFolders>
            </configuration>
            """);
    }

    /// <summary>Packs everything once more, from another copy of the sources in another folder: once for all tests.</summary>
    /// <remarks>The path is as long as the first one: the F# compiler leaves room for it, though it writes another.</remarks>
    internal Task<RepeatedPacking> PackAgainAsync() => _again.Value;

    /// <summary>The project of one of the <see cref="InstalledPrograms"/>, built once for all tests.</summary>
    /// <param name="name">Its name there.</param>
    internal async Task<FreshProject> InstalledAsync(string name) => (await _installed.Value)[name];

    /// <summary>Packs a copy of the sources into a folder, and returns what eng/pack.sh ends with and says.</summary>
    /// <param name="sources">The copy.</param>
    /// <param name="packages">The folder of the packages.</param>
    /// <param name="arguments">Further arguments of the script.</param>
    public async Task<(int Code, string Output)> TryPackAsync(string sources, string packages, params string[] arguments) =>
        await Tool.TryRunAsync(sources, Path.Combine(sources, "eng", "pack.sh"), [.. Packing(packages), .. arguments]);

    private async Task PackAsync(string sources, string packages) =>
        await Tool.RunAsync(sources, Path.Combine(sources, "eng", "pack.sh"), Packing(packages));

    // The style of the sources is checked where the solution is built.
    private string[] Packing(string packages) =>
    [
        "--output", packages, $"-p:Version={Version}", $"-p:RepositoryUrl={RepositoryUrl}", $"-p:RepositoryCommit={Commit}",
        "-p:RunAnalyzers=false", "-p:EnforceCodeStyleInBuild=false",
    ];

    /// <summary>The ids of all packages: that of Wire.Amqp is WireSerializer.Amqp.</summary>
    public static string[] Ids { get; } = [.. SourceTree.Projects.Select(SourceTree.IdOf)];

    /// <summary>The ids of the packages that programs refer to.</summary>
    public static string[] Libraries { get; } =
        [.. SourceTree.Projects.Where(project => !SourceTree.IsTool(project)).Select(SourceTree.IdOf)];

    /// <summary>Reads a package.</summary>
    /// <param name="id">The id of the package.</param>
    public PackedPackage Package(string id) => new(Path.Combine(Packages, $"{id}.{Version}.nupkg"));

    /// <summary>Makes an empty folder of this run.</summary>
    /// <param name="name">What the folder is for.</param>
    public string NewFolder(string name) => Directory.CreateDirectory(Path.Combine(_folder, name, Guid.NewGuid().ToString("N"))).FullName;

    /// <summary>Makes a project outside the tree with a program of <c>Programs/</c>, which decides the language by its name.</summary>
    /// <param name="program">The file of the program in the folder Programs.</param>
    /// <param name="packages">Ids of packages that the project file asks for.</param>
    /// <param name="properties">Lines of the project file's property group.</param>
    public FreshProject NewProject(string program, string[] packages, params string[] properties) =>
        new(this, NewFolder("projects"), program, packages, properties);

    /// <summary>Deletes everything.</summary>
    public Task DisposeAsync()
    {
        Directory.Delete(_folder, recursive: true);
        return Task.CompletedTask;
    }
}
