using System.Globalization;
using System.Runtime.InteropServices;
using System.Text.RegularExpressions;
using Wire.Packages.Tests.Feeds;
using Wire.Testing;

namespace Wire.Packages.Tests;

/// <summary>A program that installs the package and is native code does what it does with a JIT compiler, or says what it needs.</summary>
[Collection(PackagesCollection.Name)]
public sealed partial class NativeTests(PackageFeed feed)
{
    private const string RoundTrips = "RoundTrips/RoundTrips.cs";
    internal const string EachTrip = "67 round trips, 0 failed";
    private const int Trips = 67;
    private const string Unions = "NativeUnions/NativeUnions.fs";
    private const string EachUnionTrip = "42 round trips, 0 failed";
    private const int UnionTrips = 42;

    // Each refusal may hide the next, as that of a collection hides those of its elements.
    private const int MostRounds = 5;

    private const double MostOfStart = 1.5;

    [Fact]
    [Trait("Takes", "long")]
    public async Task Each_round_trip_holds_as_native_code_with_the_same_bytes()
    {
        FreshProject project = NewProject();

        string output = await AssertSameBytesAsync(project, Trips, EachTrip);

        Assert.All(FreshProject.Warnings(output), warning => Assert.True(project.Has(warning), warning));
        Assert.InRange(new FileInfo(project.PublishedProgram).Length, 1 << 20, 14 << 20);
    }

    // The generator of the package makes all rows; the program has none.
    [Fact]
    [Trait("Takes", "long")]
    public async Task Each_round_trip_holds_as_native_code_with_the_rows_of_a_context_alone()
    {
        FreshProject project = NewProject();
        File.Copy(SourceTree.Program("RoundTripsContext/Rows.cs"), Path.Combine(project.Folder, "Rows.cs"), overwrite: true);

        await AssertSameBytesAsync(project, Trips, EachTrip);
    }

    // FSharp.Core has warnings of its own, which the SDK shows at this level alone.
    [Fact]
    [Trait("Takes", "long")]
    public async Task Each_round_trip_of_types_of_FSharp_holds_as_native_code_with_the_same_bytes()
    {
        FreshProject project = NewUnions("<ILLinkWarningLevel>9999</ILLinkWarningLevel>");

        string output = await AssertSameBytesAsync(project, UnionTrips, EachUnionTrip);

        Assert.NotEmpty(FreshProject.Warnings(output));
        Assert.DoesNotContain(FreshProject.Warnings(output), warning => InWire().IsMatch(warning));
        Assert.InRange(new FileInfo(project.PublishedProgram).Length, 1 << 20, 20 << 20);
    }

    [Fact]
    [Trait("Takes", "long")]
    public async Task A_native_program_of_FSharp_without_rows_refuses_what_needs_one_and_names_it()
    {
        FreshProject project = NewUnions();
        File.WriteAllText(
            Path.Combine(project.Folder, "Rows.fs"), "module Rows\n\nlet types = Wire.WireTypes.Create(System.ReadOnlySpan [||])\n");
        await PublishAsync(project);

        string[] failures = Failures((await project.TryRunPublishedAsync("advice")).Output);

        Assert.Equal(20, failures.Length);
        Assert.All(failures, failure => Assert.Contains(": UnsupportedTypeException: ", failure, StringComparison.Ordinal));
        // What has no name in .NET is named by no message, though F# has one for it.
        Assert.All(
            failures.Where(failure => !failure.StartsWith("FAILED anonymous records,", StringComparison.Ordinal)),
            failure => Assert.Matches(Row(), failure));
        Assert.Contains(failures, failure => failure.Contains("Add FSharpRow.StructUnion<Measure>() to", StringComparison.Ordinal));
        Assert.Contains(failures, failure => failure.Contains("Add FSharpRow.List<Int32>() to", StringComparison.Ordinal));
    }

    // With what dotnet new writes into the projects of native programs. Instructions, since they repeat where time does not.
    [Fact]
    [Trait("Takes", "long")]
    public async Task A_native_program_with_twenty_types_takes_at_most_8_MB_and_starts_nearly_as_soon_as_one_with_generated_JSON()
    {
        FreshProject project = NewMessages("NativeMessages/NativeMessages.cs", "WireSerializer");
        FreshProject json = NewMessages("NativeMessagesJson/NativeMessagesJson.cs");
        json.AddItem($"""<Compile Include="{SourceTree.Program("NativeMessages/Messages.cs")}" />""");

        string output = await PublishAsync(project);
        await PublishAsync(json);

        Assert.Equal("20 messages, 0 failed", (await project.RunPublishedAsync()).Trim());
        Assert.All(FreshProject.Warnings(output), warning => Assert.True(project.Has(warning), warning));
        Assert.InRange(new FileInfo(project.PublishedProgram).Length, 1_000_000, 8_000_000);
        double start = (double)await InstructionsAsync(project, "first") / await InstructionsAsync(json, "first");
        Assert.True(
            start is > 0.5 and <= MostOfStart,
            $"The first message takes {start:F2} times the instructions; {MostOfStart} are allowed.");
    }

    // The build tells nothing without the targets, as where a program refers to the project: members that are missing would not be noticed.
    [Fact]
    [Trait("Takes", "long")]
    public async Task A_native_program_without_the_targets_refuses_its_types_and_loses_nothing()
    {
        FreshProject project = NewProject();
        project.LeaveOutTargets("WireSerializer");

        await PublishAsync(project);

        await CheckRefusedAsync(project, "The build has not told which assemblies are whole");
    }

    // The program has no row at first, and then those that its own errors have named, until there is no error.
    [Fact]
    [Trait("Takes", "long")]
    public async Task The_rows_that_a_native_program_asks_for_are_those_that_it_needs()
    {
        // The build would say it first.
        FreshProject project = NewProject("<NoWarn>$(NoWarn);WIRE010</NoWarn>");
        string[] compiled = FreshProject.Lines(await project.RunAsync("bytes"));
        var rows = new SortedSet<string>(StringComparer.Ordinal);
        for (int round = 0; round < MostRounds; round++)
        {
            WriteRows(project, rows);
            await PublishAsync(project);

            string output = (await project.TryRunPublishedAsync("advice")).Output;
            string[] failures = Failures(output);
            if (failures.Length == 0)
            {
                Assert.NotEqual(0, round);
                string[] native = FreshProject.Lines(await project.RunPublishedAsync("bytes"));
                Assert.Equal(EachTrip, native[^1]);
                Assert.Equal(compiled[Trips..], native);
                return;
            }

            // A payload that names such a type is refused as one that names any other that cannot be read.
            Assert.All(failures, failure => Assert.Matches(": (UnsupportedType|TypeRefused)Exception: ", failure));
            Assert.All(failures, failure => Assert.Matches(Row(), failure));
            int known = rows.Count;
            rows.UnionWith(Row().Matches(output).Select(match => match.Groups[1].Value));
            Assert.True(rows.Count > known, $"The rows that are there already are asked for again:\n{string.Join('\n', failures)}");
        }

        Assert.Fail($"There are errors after {MostRounds} rounds, with {string.Join(", ", rows)}.");
    }

    // What the compiler has removed would be missing in payloads without an error.
    [Fact]
    [Trait("Takes", "long")]
    public async Task A_native_program_whose_types_are_not_kept_refuses_them_with_the_line_to_add()
    {
        FreshProject project = NewProject("<WireKeepsTypes>false</WireKeepsTypes>");

        await PublishAsync(project);

        await CheckRefusedAsync(project, "Add <TrimmerRootAssembly Include=\"RoundTrips\" /> to the project file of the program");
    }

    // RabbitMQ.Client and what it needs do not say that they are for native code.
    [Fact]
    [Trait("Takes", "long")]
    [Trait("Needs", "broker")]
    public async Task Each_client_publishes_and_consumes_as_native_code()
    {
        FreshProject project = feed.NewProject(
            "NativeClients/NativeClients.cs",
            ["WireSerializer.RabbitMQ", "WireSerializer.RabbitMQ.Streams"],
            "<TreatWarningsAsErrors>false</TreatWarningsAsErrors>",
            "<VerifyReferenceAotCompatibility>true</VerifyReferenceAotCompatibility>");
        project.Reference("Microsoft.Extensions.Hosting", SourceTree.CentralVersion("Microsoft.Extensions.Hosting.Abstractions"));
        BrokerNode broker = Broker.Node;

        string output = await PublishAsync(project);

        Assert.Equal("34 exchanges, 0 failed", (await project.RunPublishedAsync(
            broker.Uri.ToString(), broker.StreamUri.ToString(), $"{broker.TlsUri}?cacertfile={broker.Authority}")).Trim());
        string[] warnings = [.. FreshProject.Warnings(output)];
        string[] others = [.. warnings.Where(warning => !project.Has(warning))];
        Assert.NotEqual(warnings.Length, others.Length);
        Assert.All(others, warning => Assert.Contains("warning IL3058: Referenced assembly '", warning, StringComparison.Ordinal));
        Assert.DoesNotContain(others, warning => warning.Contains("'Wire", StringComparison.Ordinal));
        Assert.InRange(new FileInfo(project.PublishedProgram).Length, 1 << 20, 22 << 20);
    }

    private FreshProject NewProject(params string[] properties) =>
        feed.NewProject(RoundTrips, ["WireSerializer"], ["<TreatWarningsAsErrors>false</TreatWarningsAsErrors>", .. properties]);

    private FreshProject NewMessages(string program, params string[] packages) => feed.NewProject(
        program,
        packages,
        "<TreatWarningsAsErrors>false</TreatWarningsAsErrors>",
        "<InvariantGlobalization>true</InvariantGlobalization>");

    // The files of F# have an order.
    private FreshProject NewUnions(params string[] properties)
    {
        FreshProject project = feed.NewProject(
            Unions, ["WireSerializer.FSharp"], ["<TreatWarningsAsErrors>false</TreatWarningsAsErrors>", .. properties]);
        project.AddItem("""<CompileBefore Include="Types.fs;Rows.fs;Trips.fs" />""");
        return project;
    }

    // What each has written as native code is what it writes with a JIT compiler, byte for byte. Returns what publishing says.
    private static async Task<string> AssertSameBytesAsync(FreshProject project, int trips, string each)
    {
        string[] compiled = FreshProject.Lines(await project.RunAsync("bytes"));

        string output = await PublishAsync(project);

        string[] native = FreshProject.Lines(await project.RunPublishedAsync("bytes"));
        Assert.Equal(each, native[^1]);
        Assert.Equal(trips + 1, native.Length);
        // The other half is without dynamic code.
        Assert.Equal(compiled[..trips], native[..^1]);
        Assert.Equal(compiled[trips..], native);
        return output;
    }

    // The compiler that most machines have links as well.
    private static async Task<string> PublishAsync(FreshProject project) => await project.PublishAsync(
        ["-r", RuntimeInformation.RuntimeIdentifier, "-p:TrimmerSingleWarn=false", "-p:PublishAot=true", "-p:CppCompilerAndLinker=gcc"]);

    // The bound keeps the runtime from reserving more addresses than valgrind has, which cannot read the symbols of native code.
    private static async Task<long> InstructionsAsync(FreshProject project, string argument)
    {
        File.Delete($"{project.PublishedProgram}.dbg");
        string output = await Tool.RunAsync(
            project.Folder, "env", "DOTNET_GCHeapHardLimit=10000000", "valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
            project.PublishedProgram, argument);
        return long.Parse(Collected().Match(output).Groups[1].Value, CultureInfo.InvariantCulture);
    }

    // Each trip that fails is a refusal that says what to do.
    private static async Task CheckRefusedAsync(FreshProject project, string advice)
    {
        (int failed, string output) = await project.TryRunPublishedAsync();
        string[] failures = Failures(output);
        Assert.NotEmpty(failures);
        Assert.Equal(failures.Length, failed);
        Assert.All(failures, failure => Assert.Contains("Exception: '", failure, StringComparison.Ordinal));
        Assert.All(failures, failure => Assert.Contains(advice, failure, StringComparison.Ordinal));
    }

    private static string[] Failures(string output) =>
        [.. FreshProject.Lines(output).Where(line => line.StartsWith("FAILED ", StringComparison.Ordinal))];

    private static void WriteRows(FreshProject project, IEnumerable<string> rows) =>
        File.WriteAllText(Path.Combine(project.Folder, "Rows.cs"), $$"""
            using System.Numerics;
            using Shop;
            using Wire;

            internal static class Rows
            {
                public static WireTypes Types { get; } =
                [
                    {{string.Join(",\n        ", rows)}}
                ];
            }
            """);

    [GeneratedRegex(@"Collected : (\d+)")]
    private static partial Regex Collected();

    [GeneratedRegex(@"warning IL\d+: Wire\.")]
    private static partial Regex InWire();

    [GeneratedRegex(@"Add ((?:Wire|FSharp)Row\.\w+(?:<.+?>)?\(\)) to SerializerOptions\.Types\.")]
    private static partial Regex Row();
}
