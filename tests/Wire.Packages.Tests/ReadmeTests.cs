using System.Text.RegularExpressions;
using Wire.Packages.Tests.Feeds;
using Wire.Testing;

namespace Wire.Packages.Tests;

/// <summary>The READMEs of packages show the programs that <see cref="InstallTests"/> installs and runs.</summary>
public sealed partial class ReadmeTests
{
    [Theory]
    [InlineData("Wire", "Serializer.cs")]
    [InlineData("Wire.FSharp", "Unions.fs")]
    [InlineData("Wire.Amqp", "Codec.cs")]
    [InlineData("Wire.Migration", "Old.cs")]
    [InlineData("Wire.AspNetCore", "Web.cs")]
    [InlineData("Wire.Amqp.Client", "Client.cs")]
    [InlineData("Wire.RabbitMQ", "Typed.cs")]
    [InlineData("Wire.RabbitMQ.Outbox", "Kept.cs")]
    [InlineData("Wire.RabbitMQ.Streams", "Streams.cs")]
    [InlineData("Wire.MassTransit", "Events.cs")]
    public void The_first_program_is_one_that_runs(string library, string program)
    {
        string readme = File.ReadAllText(Path.Combine(Repository.Root, "src", library, "README.md"));
        string text = File.ReadAllText(SourceTree.Program(program));
        string shown = program.EndsWith(".fs", StringComparison.Ordinal) ? text.Trim()
            : string.Join("\n\n", Region().Matches(text).Select(match => Dedent(match.Groups["text"].Value)));

        Assert.Equal([shown], Code().Matches(readme).Select(match => match.Groups["text"].Value));
    }

    private static string Dedent(string text)
    {
        string[] lines = text.Split('\n');
        int indent = lines.Where(line => line.Length > 0).Min(line => line.Length - line.TrimStart().Length);
        return string.Join('\n', lines.Select(line => line.Length == 0 ? line : line[indent..]));
    }

    [GeneratedRegex(@"#region readme\n(?<text>.*?)\n[ \t]*#endregion", RegexOptions.Singleline)]
    private static partial Regex Region();

    [GeneratedRegex(@"```(csharp|fsharp)\n(?<text>.*?)\n```", RegexOptions.Singleline)]
    private static partial Regex Code();
}
