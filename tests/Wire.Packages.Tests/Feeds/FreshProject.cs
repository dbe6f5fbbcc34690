namespace Wire.Packages.Tests.Feeds;

/// <summary>A project outside the tree, as someone has it who installs the packages.</summary>
public sealed class FreshProject
{
    private readonly PackageFeed _feed;
    private readonly string _extension;

    internal FreshProject(PackageFeed feed, string folder, string program, string[] packages, string[] properties)
    {
        _feed = feed;
        Folder = Directory.CreateDirectory(folder).FullName;
        Name = Path.GetFileNameWithoutExtension(program);
        _extension = Path.GetExtension(program);
        // A program in a folder of its own has several files.
        string source = SourceTree.Program(program);
        string[] files = Path.GetDirectoryName(program) is "" ? [source] : Directory.GetFiles(Path.GetDirectoryName(source)!);
        Array.ForEach(files, file => File.Copy(file, Path.Combine(Folder, Path.GetFileName(file))));
        File.WriteAllText(ProjectFile, $"""
            <Project Sdk="Microsoft.NET.Sdk">
              <PropertyGroup>
                <OutputType>Exe</OutputType>
                <TargetFramework>net10.0</TargetFramework>
                {(_extension == ".cs" ? "<ImplicitUsings>enable</ImplicitUsings><Nullable>enable</Nullable>" : "")}
                <TreatWarningsAsErrors>true</TreatWarningsAsErrors>
                {string.Join("\n    ", properties)}
              </PropertyGroup>
              <ItemGroup>
                {(_extension == ".fs" ? $"""<Compile Include="{Path.GetFileName(program)}" />""" : "")}
                {string.Join("\n    ", packages.Select(id => $"""<PackageReference Include="{id}" Version="{feed.Version}" />"""))}
              </ItemGroup>
            </Project>
            """);
    }

    /// <summary>The folder of the project.</summary>
    public string Folder { get; }

    /// <summary>The name of the project and its program.</summary>
    public string Name { get; }

    /// <summary>The path of the project file.</summary>
    public string ProjectFile => Path.Combine(Folder, $"{Name}{_extension}proj");

    /// <summary>Installs a package as the documentation says.</summary>
    /// <param name="id">The id of the package.</param>
    public async Task AddPackageAsync(string id) => await Tool.RunAsync(
        Folder, "dotnet", "add", ProjectFile, "package", id, "--version", _feed.Version);

    /// <summary>Asks for a version of a package in the project file.</summary>
    /// <param name="id">The id of the package.</param>
    /// <param name="version">Its version.</param>
    public void Reference(string id, string version) => AddItem($"""<PackageReference Include="{id}" Version="{version}" />""");

    /// <summary>Adds an item to the project file.</summary>
    /// <param name="item">The item, as XML.</param>
    public void AddItem(string item) => File.WriteAllText(
        ProjectFile, File.ReadAllText(ProjectFile).Replace("</ItemGroup>", $"{item}</ItemGroup>", StringComparison.Ordinal));

    /// <summary>Builds the project, and returns the exit code with what the build has said.</summary>
    public async Task<(int Code, string Output)> TryBuildAsync() =>
        await Tool.TryRunAsync(Folder, "dotnet", "build", ProjectFile, "-c", "Release", "-o", "out");

    /// <summary>Builds the project, runs its program, and returns what that writes.</summary>
    /// <param name="arguments">The arguments of the program.</param>
    public async Task<string> RunAsync(params string[] arguments)
    {
        await Tool.RunAsync(Folder, "dotnet", "build", ProjectFile, "-c", "Release", "-o", "out", "-v", "q");
        return await RunBuiltAsync(arguments);
    }

    /// <summary>Runs the program of the project, which was built, and returns what that writes.</summary>
    /// <param name="arguments">The arguments of the program.</param>
    public async Task<string> RunBuiltAsync(params string[] arguments) =>
        await Tool.RunAsync(Folder, "dotnet", [Path.Combine("out", $"{Name}.dll"), .. arguments]);

    /// <summary>Publishes the project into <c>published</c>, and returns what the build has said.</summary>
    /// <param name="arguments">Arguments of <c>dotnet publish</c>.</param>
    public async Task<string> PublishAsync(params string[] arguments) =>
        await Tool.RunAsync(Folder, "dotnet", ["publish", ProjectFile, "-c", "Release", "-o", "published", .. arguments]);

    /// <summary>The path of the published program.</summary>
    public string PublishedProgram => Path.Combine(Folder, "published", OperatingSystem.IsWindows() ? $"{Name}.exe" : Name);

    /// <summary>Runs the published program, and returns what it writes.</summary>
    /// <param name="arguments">The arguments of the program.</param>
    public async Task<string> RunPublishedAsync(params string[] arguments) => await Tool.RunAsync(Folder, PublishedProgram, arguments);

    /// <summary>Runs the published program, and returns its exit code with what it writes.</summary>
    /// <param name="arguments">The arguments of the program.</param>
    public async Task<(int Code, string Output)> TryRunPublishedAsync(params string[] arguments) =>
        await Tool.TryRunAsync(Folder, PublishedProgram, arguments);

    /// <summary>Refers to a package without what it adds to builds, as a program does that refers to its project.</summary>
    /// <param name="id">The id of the package.</param>
    public void LeaveOutTargets(string id) => File.WriteAllText(ProjectFile, File.ReadAllText(ProjectFile).Replace(
        $"""<PackageReference Include="{id}" """,
        $"""<PackageReference Include="{id}" ExcludeAssets="build;buildTransitive" """,
        StringComparison.Ordinal));

    /// <summary>The lines that a program has written, without those that are empty.</summary>
    public static string[] Lines(string output) =>
        output.Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);

    /// <summary>The warnings of the trimmer and of the compiler of native code.</summary>
    public static IEnumerable<string> Warnings(string output) =>
        output.Split('\n').Where(line => line.Contains("warning IL", StringComparison.Ordinal));

    /// <summary>Returns whether a warning is at a line of the program itself.</summary>
    public bool Has(string warning) =>
        Directory.GetFiles(Folder, "*.cs").Any(file => warning.Contains($"{Path.GetFileName(file)}(", StringComparison.Ordinal));
}
