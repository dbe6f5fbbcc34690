using System.Text.RegularExpressions;
using Wire.Tests.Testing;

namespace Wire.Tests.Documentation;

/// <summary>Every test that docs/amqp.md names is there, in the tests of Wire.Amqp or of Wire.RabbitMQ.</summary>
public sealed partial class AmqpPageTests
{
    [Fact]
    public void Every_test_that_the_page_names_is_one()
    {
        (string Class, string Method)[] named = [.. TestName().Matches(File.ReadAllText(Path.Combine(Repository.Root, "docs", "amqp.md")))
            .Select(match => (match.Groups["class"].Value, match.Groups["method"].Value))];

        Assert.NotEmpty(named);
        Assert.All(named, name => Assert.Matches($@"\[(Fact|Theory)[^{{]* {name.Method}\(", Source(name.Class)));
    }

    // The assemblies of these tests are not referenced here.
    private static string Source(string testClass) => File.ReadAllText(Assert.Single(
        new[] { "Wire.Amqp.Tests", "Wire.RabbitMQ.Tests" }
            .SelectMany(project => Directory.EnumerateFiles(Path.Combine(Repository.Root, "tests", project), $"{testClass}.cs", SearchOption.AllDirectories))));

    [GeneratedRegex("`(?<class>[A-Za-z]+Tests)\\.(?<method>[A-Za-z0-9_]+)`")]
    private static partial Regex TestName();
}
