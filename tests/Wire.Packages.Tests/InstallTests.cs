using Wire.Packages.Tests.Feeds;

namespace Wire.Packages.Tests;

/// <summary>Fresh projects outside the tree install the packages and run a program with them.</summary>
[Collection(PackagesCollection.Name)]
public sealed class InstallTests(PackageFeed feed)
{
    [Fact]
    public async Task The_serializer_is_added_to_a_project_and_copies_a_graph()
    {
        FreshProject project = feed.NewProject("Serializer.cs", []);
        await project.AddPackageAsync("WireSerializer");

        AssertLines(
            await project.RunAsync(),
            "OrderPlaced { Id = 1, Customer = Ada, Total = 19.90 }",
            "True",
            "OrderShipped { Id = 1, Parcels = 2 }",
            "42 System.Int32, text System.String, [1; 2] System.Collections.Generic.List`1[System.Int32]",
            "a type that nobody named is refused: TypeRefused");
    }

    [Fact]
    public async Task A_program_in_FSharp_copies_unions() =>
        await AssertWrites("Unions.fs", "[Box (4.0, 3.0); Circle 1.5; Nothing]", "true");

    // A project in F# has the FSharp.Core of its SDK, or another that it asks for: the package must do with each.
    [Theory]
    [InlineData("6.0.0")]
    [InlineData("10.0.111")]
    public async Task A_program_in_FSharp_may_have_an_older_FSharp_Core_than_the_SDK(string version) =>
        await AssertWrites($"Unions.fs {version}", "[Box (4.0, 3.0); Circle 1.5; Nothing]", "true");

    // What NuGet lets in says no more than that the namespace Wire is missing.
    [Theory]
    [InlineData("net8.0")]
    [InlineData("netstandard2.0")]
    public async Task A_project_for_another_framework_is_refused_by_restore(string framework)
    {
        FreshProject project = feed.NewProject(
            "Serializer.cs",
            PackageFeed.Libraries,
            $"<TargetFramework>{framework}</TargetFramework>",
            "<DisableImplicitFrameworkReferences>true</DisableImplicitFrameworkReferences>");

        (int code, string output) = await project.TryBuildAsync();

        Assert.Equal(1, code);
        Assert.All(PackageFeed.Libraries, id => Assert.Contains(
            $"error NU1202: Package {id} {feed.Version} is not compatible with {framework}", output, StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_program_writes_and_reads_frames_of_AMQP() =>
        await AssertWrites("Codec.cs", "OrderPlaced { Id = 1, Customer = Ada, Total = 19.90 }", "2 1 True");

    [Fact]
    public async Task A_program_reads_what_BinaryFormatter_wrote() => await AssertWrites("Old.cs", "hello hello False");

    [Fact]
    public async Task A_program_serves_and_asks_over_HTTP() =>
        await AssertWrites("Web.cs", "OrderPlaced { Id = 1, Customer = Ada, Total = 19.90 }", "400");

    [Fact]
    public async Task A_program_on_MassTransit_gets_what_it_published() =>
        await AssertWrites("Events.cs", "OrderPlaced { Id = 1, Customer = Ada, Total = 19.90 }");

    // What these do with a broker is for their own tests; here they are installed, compiled and run until they need one.
    [Theory]
    [InlineData("Client.cs", "no broker")]
    [InlineData("Typed.cs", "no broker", "True")]
    [InlineData("Streams.cs", "no broker")]
    public async Task A_program_with_a_client_runs_until_it_misses_the_broker(string program, params string[] lines) =>
        await AssertWrites(program, lines);

    [Fact]
    public async Task A_program_keeps_messages_in_a_database_of_its_own() => await AssertWrites("Kept.cs", "no broker", "1");

    [Fact]
    public async Task The_tool_is_installed_from_the_packed_file_and_reads_payloads_and_types()
    {
        string folder = feed.NewFolder("tools");
        await Tool.RunAsync(
            folder, "dotnet", "tool", "install", "WireSerializer.Tool", "--tool-path", "bin", "--add-source", feed.Packages,
            "--version", feed.Version);
        string wire = Path.Combine(folder, "bin", OperatingSystem.IsWindows() ? "wire.exe" : "wire");
        File.WriteAllBytes(Path.Combine(folder, "answer.bin"), [0x10, 0x15, 42, 0, 0, 0]);
        FreshProject project = await feed.InstalledAsync("Serializer.cs");
        string program = Path.Combine(project.Folder, "out", $"{project.Name}.dll");

        Assert.Equal(feed.Version, (await Tool.RunAsync(folder, wire, "--version")).Split('+')[0].Trim());
        Assert.Equal("       1  42 Int32\n", await Tool.RunAsync(folder, wire, "show", "answer.bin"));
        await Tool.RunAsync(folder, wire, "contract", program, "--type", "OrderPlaced", "-o", "orders.contract");
        string contract = File.ReadAllText(Path.Combine(folder, "orders.contract"));
        Assert.Contains("root sealed class OrderPlaced", contract, StringComparison.Ordinal);
        Assert.Equal(
            "Everything is compatible.\n",
            await Tool.RunAsync(folder, wire, "contract", "orders.contract", program, "--type", "OrderPlaced"));
    }

    // What does not fit together must not be restored in silence.
    [Fact]
    public async Task A_package_of_another_version_does_not_go_with_one_that_uses_its_internals()
    {
        const string other = "2.0.0-zzz";
        feed.Package("WireSerializer").CopyAs(feed.Packages, other);
        FreshProject project = feed.NewProject("Unions.fs", ["WireSerializer.FSharp"]);
        project.Reference("WireSerializer", other);

        (int code, string output) = await project.TryBuildAsync();

        Assert.Equal(1, code);
        Assert.Contains(
            $"requires WireSerializer (= {feed.Version}) but version WireSerializer {other} was resolved",
            output,
            StringComparison.Ordinal);
    }

    private async Task AssertWrites(string program, params string[] lines) =>
        AssertLines(await (await feed.InstalledAsync(program)).RunBuiltAsync(), lines);

    private static void AssertLines(string output, params string[] lines) => Assert.Equal(lines, FreshProject.Lines(output));
}
