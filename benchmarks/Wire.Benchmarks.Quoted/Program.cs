using Wire.Benchmarks.Quoted;

const string Usage = """
    --quick [--only NAME] [--json FILE]    all messages in one process, interleaved, and first calls, in three minutes
                                           --only: that name, else all that contain it; FILE keeps what else it has
    --command TEXT                         the command that is named beside the figures, instead of this one
    --check [--only NAME]                  whether each row reads what it writes; nothing is measured
    --report --json FILE                   the tables of docs/performance/quoted.md, from a file of results
    --help                                 this text
    """;

return await Command.RunAsync(args, Usage, RunAsync);

static Task RunAsync(string[] args)
{
    switch (args)
    {
        case [RefusedRow.Mode, string scenario, string row]:
            RefusedRow.Attempt(QuotedSuite.All, scenario, row);
            break;
        case [FirstCalls.Mode, string name]:
            FirstCalls.Sample(name);
            break;
        case ["--quick", ..]:
            Quick.Run(Options.Parse(args), QuotedSuite.All);
            break;
        case ["--check", ..]:
            Checks.Run(Options.Parse(args), QuotedSuite.All);
            break;
        case ["--report", ..]:
            QuotedReport.Write(Options.Parse(args));
            break;
        default:
            throw new UsageException($"'{string.Join(' ', args)}' is not known.");
    }

    return Task.CompletedTask;
}
