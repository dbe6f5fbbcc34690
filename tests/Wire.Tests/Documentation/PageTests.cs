using System.Text.RegularExpressions;
using Wire.Testing;
using Wire.Tests.Testing;

namespace Wire.Tests.Documentation;

/// <summary>
/// Every test that docs/amqp.md, docs/rabbitmq.md and docs/streams.md name is there, in the tests of the projects that they are about.
/// </summary>
public sealed partial class PageTests
{
    [Theory]
    [InlineData("amqp.md", "Wire.Amqp.Tests", "Wire.Transport.Tests", "Wire.Amqp.Client.Tests", "Wire.RabbitMQ.Tests")]
    [InlineData("rabbitmq.md", "Wire.RabbitMQ.Tests")]
    [InlineData("streams.md", "Wire.RabbitMQ.Streams.Tests")]
    public void Every_test_that_the_page_names_is_one(string page, params string[] projects)
    {
        (string Class, string Method)[] named = [.. TestName().Matches(File.ReadAllText(Path.Combine(Repository.Root, "docs", page)))
            .Select(match => (match.Groups["class"].Value, match.Groups["method"].Value))];

        Assert.NotEmpty(named);
        Assert.All(named, name => Assert.Matches($@"\[(Fact|Theory)[^{{]* {name.Method}\(", Source(projects, name.Class)));
    }

    // The assemblies of these tests are not referenced here.
    private static string Source(string[] projects, string testClass) => File.ReadAllText(Assert.Single(
        projects.SelectMany(project =>
            Directory.EnumerateFiles(Path.Combine(Repository.Root, "tests", project), $"{testClass}.cs", SearchOption.AllDirectories))));

    [GeneratedRegex("`(?<class>[A-Za-z]+Tests)\\.(?<method>[A-Za-z0-9_]+)`")]
    private static partial Regex TestName();
}
