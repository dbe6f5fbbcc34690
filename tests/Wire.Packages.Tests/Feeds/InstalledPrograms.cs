namespace Wire.Packages.Tests.Feeds;

/// <summary>Programs that install a package each, built at once: one restore, and one build of all, take a third of many.</summary>
internal static class InstalledPrograms
{
    // Of each, what it is called here, its file, its package and what else its project has.
    private static readonly (string Name, string Program, string Package, string[] Items)[] All =
    [
        ("Unions.fs", "Unions.fs", "WireSerializer.FSharp", []),
        ("Unions.fs 6.0.0", "Unions.fs", "WireSerializer.FSharp", [OlderCore("6.0.0")]),
        ("Unions.fs 10.0.111", "Unions.fs", "WireSerializer.FSharp", [OlderCore("10.0.111")]),
        ("Codec.cs", "Codec.cs", "WireSerializer.Amqp", []),
        ("Old.cs", "Old.cs", "WireSerializer.Migration", []),
        ("Web.cs", "Web.cs", "WireSerializer.AspNetCore", []),
        ("Events.cs", "Events.cs", "WireSerializer.MassTransit", []),
        ("Client.cs", "Client.cs", "WireSerializer.Amqp.Client", []),
        ("Typed.cs", "Typed.cs", "WireSerializer.RabbitMQ", []),
        ("Streams.cs", "Streams.cs", "WireSerializer.RabbitMQ.Streams", []),
        ("Kept.cs", "Kept.cs", "WireSerializer.RabbitMQ.Outbox", [Of("Microsoft.Data.Sqlite")]),
        ("Serializer.cs", "Serializer.cs", "WireSerializer", []),
    ];

    /// <summary>Makes the projects and builds them, and returns them by their names.</summary>
    /// <param name="feed">The packages.</param>
    public static async Task<IReadOnlyDictionary<string, FreshProject>> BuildAsync(PackageFeed feed)
    {
        Dictionary<string, FreshProject> projects = All.ToDictionary(each => each.Name, each =>
        {
            FreshProject project = feed.NewProject(each.Program, [each.Package]);
            Array.ForEach(each.Items, project.AddItem);
            return project;
        });
        (int code, string output) = await ManyProjects.TryBuildAsync(
            feed.NewFolder("together"), projects.Values.Select(project => project.ProjectFile), "OutputPath=out/");
        Assert.True(code == 0, output);
        return projects;
    }

    // A project in F# has the FSharp.Core of its SDK, or another that it asks for.
    private static string OlderCore(string version) => $"""<PackageReference Update="FSharp.Core" Version="{version}" />""";

    private static string Of(string package) =>
        $"""<PackageReference Include="{package}" Version="{SourceTree.CentralVersion(package)}" />""";
}
