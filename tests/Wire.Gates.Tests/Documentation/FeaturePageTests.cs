using System.Text.RegularExpressions;
using Wire.Testing;

namespace Wire.Gates.Tests.Documentation;

/// <summary>Each row of docs/rabbitmq-features.md names tests that exist, or says why the feature is left out.</summary>
public sealed partial class FeaturePageTests
{
    private const string LeftOut = "left out";
    private const string Because = ", because ";

    private static readonly string[] Rows =
    [
        .. File.ReadLines(Path.Combine(Repository.Root, "docs", "rabbitmq-features.md"))
            .Where(line => line.StartsWith("| ", StringComparison.Ordinal) && !line.StartsWith("| feature |", StringComparison.Ordinal)),
    ];

    // The tests of what talks to a broker, by the names of their classes.
    private static readonly string[] Projects =
    [
        "Wire.RabbitMQ.Tests", "Wire.Amqp.Client.Tests", "Wire.RabbitMQ.Streams.Tests", "Wire.MassTransit.Tests", "Wire.Tool.Broker.Tests",
        "Wire.RabbitMQ.Outbox.Tests",
    ];

    private static readonly ILookup<string, string> Sources = Projects
        .SelectMany(project => SourceFile.In($"tests/{project}"))
        .SelectMany(file => Class().Matches(file.Text).Select(match => (Name: match.Groups["name"].Value, file.Text)))
        .ToLookup(type => type.Name, type => type.Text);

    [Fact]
    public void Each_row_names_a_test_or_says_why_it_is_left_out()
    {
        Assert.InRange(Rows.Length, 80, int.MaxValue);
        Assert.All(Rows, row =>
        {
            string[] cells = row.Trim('|').Split('|');
            Assert.True(cells.Length == 3, $"A row has three cells: {row}");
            string last = cells[2];
            bool isLeftOut = last.Contains(LeftOut, StringComparison.Ordinal) && last.Contains(Because, StringComparison.Ordinal);
            Assert.True(
                isLeftOut != Test().IsMatch(last), $"A row names tests, or says '{LeftOut}{Because}…', and not both: {row}");
        });
    }

    [Fact]
    public void Each_test_that_a_row_names_exists()
    {
        (string Class, string Method)[] named =
            [.. Rows.SelectMany(row => Test().Matches(row)).Select(match => (match.Groups["class"].Value, match.Groups["method"].Value))];
        string[] missing =
        [
            .. named.Where(name => !Sources[name.Class].Any(source => IsTest(source, name.Method)))
                .Select(name => $"{name.Class}.{name.Method}"),
        ];
        Assert.True(missing.Length == 0, $"docs/rabbitmq-features.md names tests that there are not:\n{string.Join('\n', missing)}");
    }

    private static bool IsTest(string source, string method) =>
        Regex.IsMatch(source, $@"\[(Fact|Theory)[^{{]* {Regex.Escape(method)}\(");

    [GeneratedRegex("`(?<class>[A-Za-z]+Tests)\\.(?<method>[A-Za-z0-9_]+)`")]
    private static partial Regex Test();

    [GeneratedRegex(@"\bclass (?<name>\w+Tests)\b")]
    private static partial Regex Class();
}
