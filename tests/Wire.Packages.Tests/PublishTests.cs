using System.Runtime.InteropServices;
using Wire.Packages.Tests.Feeds;

namespace Wire.Packages.Tests;

/// <summary>
/// Programs that install the package, published in the modes of docs/publishing.md, do what they do unpublished, byte for byte.
/// </summary>
[Collection(PackagesCollection.Name)]
public sealed class PublishTests(PackageFeed feed)
{
    private const string RoundTrips = "RoundTrips/RoundTrips.cs";
    private static readonly string[] Trimmed = ["--self-contained", "-p:PublishTrimmed=true"];

    [Fact]
    public Task Each_round_trip_holds_where_the_program_is_trimmed_and_warnings_stand_where_it_calls() => CheckTripsAsync(Trimmed);

    [Fact]
    [Trait("Takes", "long")]
    public Task Each_round_trip_holds_where_the_program_is_one_file_compiled_ahead() =>
        CheckTripsAsync("--no-self-contained", "-p:PublishSingleFile=true", "-p:PublishReadyToRun=true");

    [Fact]
    [Trait("Takes", "long")]
    public Task Each_round_trip_holds_where_the_program_is_trimmed_in_part() =>
        CheckTripsAsync("--self-contained", "-p:PublishTrimmed=true", "-p:TrimMode=partial");

    // No line of the program's project says anything of Wire.
    private async Task CheckTripsAsync(params string[] arguments)
    {
        FreshProject project = feed.NewProject(RoundTrips, ["WireSerializer"], "<TreatWarningsAsErrors>false</TreatWarningsAsErrors>");

        string[] unpublished = FreshProject.Lines(await project.RunAsync("bytes"));

        string output = await Publish(project, arguments);

        Assert.Equal(NativeTests.EachTrip, unpublished[^1]);
        Assert.Equal(unpublished, FreshProject.Lines(await project.RunPublishedAsync("bytes")));
        Assert.Equal(arguments.Contains("-p:PublishTrimmed=true"), Carries(project, "Wire"));
        Assert.False(Carries(project, "Wire.Inspection"));
        string[] warnings = [.. FreshProject.Warnings(output)];
        Assert.All(warnings, warning => Assert.True(project.Has(warning), warning));
        Assert.Equal(
            arguments.Contains("-p:PublishTrimmed=true"),
            warnings.Any(warning => warning.Contains("IL2026", StringComparison.Ordinal)
                && warning.Contains("'Wire.Serializer.Serializer(SerializerOptions)'", StringComparison.Ordinal)
                && warning.Contains("<TrimmerRootAssembly Include=", StringComparison.Ordinal)));
    }

    [Fact]
    [Trait("Takes", "long")]
    public async Task A_trimmed_program_in_FSharp_copies_unions_and_nothing_in_the_libraries_warns()
    {
        FreshProject project = feed.NewProject(
            "Unions.fs", ["WireSerializer.FSharp"], "<TreatWarningsAsErrors>false</TreatWarningsAsErrors>");

        string output = await Publish(project, [.. Trimmed, "-p:ILLinkWarningLevel=9999"]);

        Assert.Equal("[Box (4.0, 3.0); Circle 1.5; Nothing]", (await project.RunPublishedAsync()).Split('\n')[0].Trim());
        Assert.Contains(
            FreshProject.Warnings(output), warning => warning.Contains("Wire.Serializer.Serializer(", StringComparison.Ordinal));
        Assert.DoesNotContain(FreshProject.Warnings(output), warning => warning.Contains(" IL2", StringComparison.Ordinal)
            && warning.Split(": ").Any(part => part.StartsWith("Wire.", StringComparison.Ordinal)));
    }

    // Result belongs to FSharp.Core, of which the trimmer keeps what the program itself uses.
    [Fact]
    public async Task A_trimmed_program_copies_what_has_a_type_of_FSharp_Core()
    {
        FreshProject project = feed.NewProject(
            "Results.fs", ["WireSerializer.FSharp"], "<TreatWarningsAsErrors>false</TreatWarningsAsErrors>");

        await Publish(project, Trimmed);

        Assert.Equal("1 of 2 paid, true", (await project.RunPublishedAsync()).Trim());
    }

    // The trimmer looks at what a program uses, and here at all of each library, as the analyzer of the build has.
    [Fact]
    [Trait("Takes", "long")]
    public async Task A_trimmed_program_may_have_every_package_and_nothing_in_the_libraries_warns()
    {
        FreshProject project = feed.NewProject("Codec.cs", PackageFeed.Libraries, "<TreatWarningsAsErrors>false</TreatWarningsAsErrors>");
        foreach (string name in PackageFeed.Libraries.SelectMany(id => SourceTree.Assemblies[id]))
        {
            project.AddItem($"""<TrimmerRootAssembly Include="{name}" />""");
        }

        string output = await Publish(project, Trimmed);

        Assert.Equal("OrderPlaced { Id = 1, Customer = Ada, Total = 19.90 }", (await project.RunPublishedAsync()).Split('\n')[0].Trim());
        Assert.Contains(FreshProject.Warnings(output), warning => warning.Contains("Codec.cs(", StringComparison.Ordinal));
        Assert.DoesNotContain(
            FreshProject.Warnings(output),
            warning => !warning.Contains("Codec.cs(", StringComparison.Ordinal)
                && warning.Split(": ").Any(part => part.StartsWith("Wire.", StringComparison.Ordinal)));
    }

    // What the trimmer removed would be missing in payloads without an error.
    [Fact]
    [Trait("Takes", "long")]
    public async Task A_type_of_an_assembly_that_is_not_kept_is_refused_with_the_line_to_add()
    {
        FreshProject project = feed.NewProject(
            "Serializer.cs",
            ["WireSerializer"],
            "<TreatWarningsAsErrors>false</TreatWarningsAsErrors>",
            "<WireKeepsTypes>false</WireKeepsTypes>");
        await Publish(project, Trimmed);

        (int code, string output) = await project.TryRunPublishedAsync();

        Assert.NotEqual(0, code);
        Assert.Contains("UnsupportedTypeException: 'OrderPlaced' ", output, StringComparison.Ordinal);
        Assert.Contains(
            "it belongs to the assembly Serializer, which is trimmed, so that members of it may be missing. " +
                "Add <TrimmerRootAssembly Include=\"Serializer\" /> to the project file of the program",
            output,
            StringComparison.Ordinal);
    }

    // Documents, dumps and contracts are an assembly of their own, which nothing keeps.
    [Fact]
    [Trait("Takes", "long")]
    public async Task A_trimmed_program_that_looks_into_payloads_carries_what_it_uses()
    {
        FreshProject project = feed.NewProject("Looking.cs", ["WireSerializer"], "<TreatWarningsAsErrors>false</TreatWarningsAsErrors>");

        string output = await Publish(project, Trimmed);

        Assert.Equal("Ada, 2 lines, Reads", (await project.RunPublishedAsync()).Split('\n')[0].Trim());
        Assert.True(Carries(project, "Wire.Inspection"));
        Assert.All(FreshProject.Warnings(output), warning => Assert.Contains("Looking.cs(", warning, StringComparison.Ordinal));
    }

    private static bool Carries(FreshProject project, string assembly) =>
        File.Exists(Path.Combine(project.Folder, "published", $"{assembly}.dll"));

    private static async Task<string> Publish(FreshProject project, string[] arguments) =>
        await project.PublishAsync(["-r", RuntimeInformation.RuntimeIdentifier, "-p:TrimmerSingleWarn=false", .. arguments]);
}
