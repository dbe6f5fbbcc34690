namespace Wire.Tool.Tests;

public sealed class HelpTests
{
    public static TheoryData<string> Commands() =>
    [
        .. ToolRun.Start("--help").Output[ToolRun.Start("--help").Output.IndexOf("Commands:", StringComparison.Ordinal)..].Split('\n')[1..]
            .Select(line => line.Trim().Split(' ')[0]).Where(name => name.Length > 0),
    ];

    [Theory]
    [MemberData(nameof(Commands))]
    public void Each_command_has_examples(string command)
    {
        ToolRun run = ToolRun.Start(command, "--help");
        Assert.Equal((0, ""), (run.ExitCode, run.Errors));
        Assert.Contains($"\nExamples:\n  wire {command} ", run.Output, StringComparison.Ordinal);
        Assert.Contains($"Usage:\n  wire {command} ", run.Output, StringComparison.Ordinal);
        Assert.All(run.Lines, line => Assert.InRange(line.Length, 0, 140));
    }

    [Fact]
    public void The_help_says_what_exit_codes_mean()
    {
        ToolRun run = ToolRun.Start("--help");
        Assert.Equal(0, run.ExitCode);
        Assert.Contains("Exit codes: 0 good; 1 ", run.Output, StringComparison.Ordinal);
    }
}
