using System.Text.RegularExpressions;
using Wire.Packages.Tests.Feeds;
using Wire.Testing;

namespace Wire.Packages.Tests;

/// <summary>The samples do as native programs what they do with a JIT compiler, and no warning is but that a serializer is made.</summary>
public sealed partial class NativeSampleTests(SampleTree tree) : IClassFixture<SampleTree>
{
    [Fact]
    [Trait("Takes", "long")]
    public async Task The_programs_of_getting_started_are_native_code_without_a_change()
    {
        Sample sender = await tree.PublishAsync("GettingStarted/Sender"), receiver = await tree.PublishAsync("GettingStarted/Receiver");

        await AssertSameAsync(sender);

        // Over the file of the native sender, and once more with the context of the guide.
        string[] received = await AssertSameAsync(receiver);
        Assert.Equal(received[..2], await AssertSameAsync(receiver, "context"));
        Assert.StartsWith("OrderPlaced { Id = ", received[0], StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("Amqp")]
    [InlineData("Versions")]
    [Trait("Takes", "long")]
    public async Task A_sample_writes_the_same_as_native_code(string name) => await AssertSameAsync(await tree.PublishAsync(name));

    // The race over the metadata of .NET is left out, since a native program has none.
    [Fact]
    [Trait("Takes", "long")]
    public async Task The_guide_of_the_package_runs_as_native_code()
    {
        Sample sample = await tree.PublishAsync("Quickstart");

        string[] native = Masked(await sample.RunNativeAsync()), compiled = Masked(await sample.RunAsync());

        Assert.Contains("tasks of the guide: as the page says", native);
        Assert.Equal(compiled.Where(native.Contains), native);
    }

    // What it measures is another number each time.
    [Fact]
    [Trait("Takes", "long")]
    public async Task Actors_in_two_native_processes_get_what_they_get_elsewhere()
    {
        const int Facts = 6;
        Sample sample = await tree.PublishAsync("Actors");

        string[] native = FreshProject.Lines(await sample.RunNativeAsync("--messages", "20000"));
        string[] compiled = FreshProject.Lines(await sample.RunAsync("--messages", "20000"));

        Assert.Equal(compiled[..Facts], native[..Facts]);
        Assert.Equal(compiled.Select(Label), native.Select(Label));
        Assert.Equal("All is as it should be.", native[^1]);
    }

    [Theory]
    [InlineData("DirectLane")]
    [InlineData("RabbitMQ")]
    [InlineData("Streams", "200000")]
    [Trait("Takes", "long")]
    [Trait("Needs", "broker")]
    public async Task A_sample_of_a_client_ends_well_as_native_code(string name, params string[] arguments)
    {
        Sample sample = await tree.PublishAsync(name);
        sample.Environment = new()
        {
            ["WIRE_RABBITMQ_URI"] = Broker.Node.Uri.ToString(),
            ["WIRE_RABBITMQ_STREAM_PORT"] = $"{Broker.Node.StreamUri.Port}",
        };

        string[] native = FreshProject.Lines(await sample.RunNativeAsync(arguments));
        string[] compiled = FreshProject.Lines(await sample.RunAsync(arguments));

        // Handlers run at the same time.
        Assert.Equal(compiled.Select(Label).Order(StringComparer.Ordinal), native.Select(Label).Order(StringComparer.Ordinal));
    }

    // Returns what both have written.
    private static async Task<string[]> AssertSameAsync(Sample sample, params string[] arguments)
    {
        string[] compiled = FreshProject.Lines(await sample.RunAsync(arguments));
        string[] native = FreshProject.Lines(await sample.RunNativeAsync(arguments));

        Assert.NotEmpty(native);
        Assert.Equal(compiled.Select(Mask), native.Select(Mask));
        return native;
    }

    private static string[] Masked(string output) => [.. FreshProject.Lines(output).Select(Mask)];

    // New identifiers and times, also as the bytes of a dump.
    private static string Mask(string line) => Fresh().Replace(line, "*");

    private static string Label(string line) => Figures().Replace(line, "#");

    [GeneratedRegex(
        @"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z|\d\d/\d\d/\d{4} [\d:]+|\b[0-9A-F]{2}\b( [0-9A-F]{2}\b)*")]
    private static partial Regex Fresh();

    // An identifier may begin with digits or with letters.
    [GeneratedRegex(@"[ \d.,:]*[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[ \d.,:]*\d[\d.,:%]*|[0-9a-f]{8,}")]
    private static partial Regex Figures();
}
