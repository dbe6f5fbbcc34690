using Wire.Testing;

namespace Wire.Gates.Tests.Documentation;

/// <summary>A guide is short enough to be finished, and shows a program before one has to scroll.</summary>
public sealed class GuideTests
{
    /// <summary>The guides: one for each package, and those of a subject.</summary>
    public static TheoryData<string> Guides =>
    [
        "serializer", "fsharp", "amqp", "client", "rabbitmq", "rabbitmq-hosting", "rabbitmq-outbox", "rabbitmq-topology",
        "rabbitmq-failures", "rabbitmq-bodies", "rabbitmq-handlers", "rabbitmq-gathering", "streams", "streams-hosting",
        "getting-started", "choosing-options", "migrating", "versioning", "changes", "connections", "aspnetcore", "coming-from",
        "rabbitmq-coming-from", "analyzers", "generator", "telemetry", "elements",
    ];

    [Theory]
    [MemberData(nameof(Guides))]
    public void A_guide_has_at_most_300_lines(string guide) => Assert.InRange(Lines(guide).Length, 20, 300);

    [Theory]
    [MemberData(nameof(Guides))]
    public void A_guide_is_in_the_map(string guide) =>
        Assert.Contains($"({guide}.md)", File.ReadAllText(Page("README")), StringComparison.Ordinal);

    [Theory]
    [InlineData("serializer", "csharp")]
    [InlineData("fsharp", "fsharp")]
    [InlineData("amqp", "csharp")]
    [InlineData("client", "csharp")]
    [InlineData("rabbitmq", "csharp")]
    [InlineData("rabbitmq-hosting", "csharp")]
    [InlineData("rabbitmq-outbox", "csharp")]
    [InlineData("streams", "csharp")]
    [InlineData("streams-hosting", "csharp")]
    [InlineData("aspnetcore", "csharp")]
    public void The_guide_of_a_package_begins_with_a_program(string guide, string language) =>
        Assert.InRange(Array.IndexOf(Lines(guide), $"```{language}"), 3, 25);

    private static string[] Lines(string guide) => File.ReadAllLines(Page(guide));

    private static string Page(string name) => Path.Combine(Repository.Root, "docs", $"{name}.md");
}
