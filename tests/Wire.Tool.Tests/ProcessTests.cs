namespace Wire.Tool.Tests;

/// <summary>The program as a process of its own, in pipes.</summary>
public sealed class ProcessTests : IDisposable
{
    private readonly Samples _samples = new();

    public void Dispose() => _samples.Dispose();

    [Fact]
    public void A_pipe_in_and_a_pipe_out_have_no_colors()
    {
        string file = _samples.Write(Samples.Frames(Samples.NewOrder(1), Samples.NewOrder(2)));
        ToolRun run = ToolRun.Shell($"cat {file} | $wire show - --path Id | cat");
        Assert.Equal((0, ""), (run.ExitCode, run.Errors));
        Assert.Equal(4, run.Lines.Length);
        Assert.DoesNotContain('\u001b', run.Output);
    }

    [Fact]
    public void A_closed_pipe_ends_the_program_quietly()
    {
        string file = _samples.Write(Samples.Payload(Enumerable.Range(0, 1_000_000).ToArray()));
        ToolRun run = ToolRun.Shell($"set -o pipefail; $wire show {file} --limit 0 | head -n 1");
        Assert.Equal((141, ""), (run.ExitCode, run.Errors));
        Assert.Single(run.Lines);
        ToolRun json = ToolRun.Shell($"set -o pipefail; $wire show {file} --json | head -n 1");
        Assert.Equal((141, ""), (json.ExitCode, json.Errors));
    }

    // Whether little is written, at the end, or much, on the way.
    [Theory]
    [InlineData("show", 1)]
    [InlineData("show --limit 0", 100_000)]
    [InlineData("show --find 1 --limit 0", 100_000)]
    [InlineData("show --json", 1)]
    [InlineData("show --json", 100_000)]
    [InlineData("check", 1)]
    [InlineData("stats", 1)]
    [InlineData("diff", 1)]
    [InlineData("diff --limit 0", 100_000)]
    [InlineData("contract", 1)]
    [InlineData("--help", 1)]
    public void A_full_disk_is_one_line_of_error(string command, int elements)
    {
        string file = _samples.Write(Samples.Payload(Enumerable.Range(0, elements).ToArray()));
        string other = _samples.Write(Samples.Payload(Enumerable.Range(1, elements).Select(i => (long)i * i).ToArray()), "other");
        string files = command.Split(' ')[0] switch
        {
            "diff" => $"{file} {other}",
            "contract" => typeof(ProcessTests).Assembly.Location,
            "--help" => "",
            _ => file,
        };
        ToolRun run = ToolRun.Shell($"$wire {command} {files} > /dev/full");
        Assert.Equal(2, run.ExitCode);
        Assert.StartsWith("wire: the output cannot be written: ", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void Two_programs_write_to_one_file()
    {
        string file = _samples.Write(Samples.Payload("abc"));
        ToolRun run = ToolRun.Shell($"($wire show {file}; $wire show {file}) > {file}.txt; cat {file}.txt");
        Assert.Equal(2, run.Lines.Length);
    }

    [Fact]
    public void Exit_codes_reach_the_shell()
    {
        string file = _samples.Write([0x10, 0x06]);
        Assert.Equal(1, ToolRun.Shell($"$wire show {file}").ExitCode);
        Assert.Equal(2, ToolRun.Shell($"$wire show {file}.not").ExitCode);
        Assert.Equal(0, ToolRun.Shell("$wire --version").ExitCode);
    }
}
