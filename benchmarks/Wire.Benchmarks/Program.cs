using Wire.Benchmarks;
using Wire.Benchmarks.Copying;
using Wire.Benchmarks.Framing;
using Wire.Benchmarks.Full;
using Wire.Benchmarks.Growth;
using Wire.Benchmarks.Hostile;
using Wire.Benchmarks.Looking;
using Wire.Benchmarks.Reports;

const string Usage = """
    --quick [--only NAME] [--json FILE]    all scenarios in one process, interleaved, in two minutes
    --growth [--only NAME] [--json FILE]   what an element costs as sizes grow
    --copies                               copies by hand, by Clone, and by writing and reading: docs/performance/copies.md
    --into                                 messages that are read into objects that exist: docs/performance/into.md
    --documents                            one value of a payload, without types: docs/performance/documents.md and views.md
    --frames                               messages over a connection, batched and with a flush each: docs/performance/frames.md
    --full [--only NAME] [--json FILE]     the rows of the scenarios with BenchmarkDotNet
                                           --only: that name, else all that contain it; FILE keeps what else it has
    --command TEXT                         the command that is named beside the figures, instead of this one
    --check [--only NAME]                  whether each row reads what it writes; nothing is measured
    --report --json FILE                   the tables and charts of docs/performance/serializer.md, from a file of results
    --floods                               crafted keys against keys by chance
    --crafted                              what a byte of crafted payloads takes, as they grow
    --help                                 this text
    """;

return await Command.RunAsync(args, Usage, RunAsync);

static Task RunAsync(string[] args)
{
    switch (args)
    {
        case ["--cold-start", string serializer]:
            ColdStart.Sample(serializer);
            break;
        case ["--quick", ..]:
            Quick.Run(Options.Parse(args), SerializerSuite.All);
            break;
        case ["--check", ..]:
            Checks.Run(Options.Parse(args), SerializerSuite.All);
            break;
        case ["--copies"]:
            Copies.Run();
            break;
        case ["--documents"]:
            Documents.Run();
            Views.Run();
            break;
        case ["--into"]:
            Into.Run();
            break;
        case ["--frames"]:
            return FrameBench.RunAsync();
        case ["--growth", ..]:
            GrowthSweeps.Run(Options.Parse(args));
            break;
        case ["--full", ..]:
            FullRun.Run(Options.Parse(args));
            break;
        case ["--report", ..]:
            Report.Write(Options.Parse(args));
            break;
        case ["--floods"]:
            Floods.Run();
            break;
        case ["--crafted"]:
            Crafted.Run();
            break;
        default:
            throw new UsageException($"'{string.Join(' ', args)}' is not known.");
    }

    return Task.CompletedTask;
}
