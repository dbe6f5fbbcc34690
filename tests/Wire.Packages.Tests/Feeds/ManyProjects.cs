namespace Wire.Packages.Tests.Feeds;

/// <summary>Builds projects that have nothing to do with each other by one command, which starts the SDK once for all.</summary>
internal static class ManyProjects
{
    /// <summary>Restores and builds the projects, and returns the exit code with what the build has said.</summary>
    /// <param name="folder">Where the command is run.</param>
    /// <param name="projects">The paths of the project files.</param>
    /// <param name="properties">Properties of all of them, as NAME=VALUE.</param>
    public static async Task<(int Code, string Output)> TryBuildAsync(
        string folder, IEnumerable<string> projects, params string[] properties)
    {
        string all = Path.Combine(folder, "all.proj");
        File.WriteAllText(all, $"""
            <Project DefaultTargets="Build">
              <ItemGroup>
                {string.Join("\n    ", projects.Select(project => $"""<Each Include="{project}" />"""))}
              </ItemGroup>
              <Target Name="Restore">
                <MSBuild Projects="@(Each)" Targets="Restore" />
              </Target>
              <Target Name="Build">
                <MSBuild Projects="@(Each)" Targets="Build" />
              </Target>
            </Project>
            """);
        return await Tool.TryRunAsync(
            folder,
            "dotnet",
            [
                "msbuild", all, "-restore", "-nologo", "-verbosity:quiet", "-property:Configuration=Release",
                .. properties.Select(property => $"-property:{property}"),
            ]);
    }
}
