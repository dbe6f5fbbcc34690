using BenchmarkDotNet.Running;
using Wire.Benchmarks;

try
{
    await RunAsync(args);
    return 0;
}
catch (UsageException exception)
{
    Console.Error.WriteLine($"{exception.Message}\n\n{Options.Usage}");
    return 2;
}

static async Task RunAsync(string[] args)
{
    switch (args)
    {
        case [] or [.., "--help" or "-h"]:
            Console.WriteLine(Options.Usage);
            break;
        case ["--cold-start", string serializer]:
            ColdStart.Sample(serializer);
            break;
        case ["--quick", ..]:
            Quick.Run(Options.Parse(args));
            break;
        case ["--growth", ..]:
            Growth.Run(Options.Parse(args));
            break;
        case ["--full", ..]:
            Full.Run(Options.Parse(args));
            break;
        case ["--report", ..]:
            Report.Write(Options.Parse(args));
            break;
        case ["--rabbitmq", ..]:
            await BrokerBench.RunAsync(Options.Parse(args));
            break;
        case ["--faults", ..]:
            await FaultTable.RunAsync(Options.Parse(args));
            break;
        case ["--lane", ..]:
            await LaneBench.RunAsync(Options.Parse(args));
            break;
        case ["--streams", ..]:
            await StreamBench.RunAsync(Options.Parse(args));
            break;
        case ["--streams88"]:
            await Headline.RunAsync(Options.Parse(args));
            break;
        case [MemorySample.Mode, .. string[] sample]:
            await MemorySample.RunAsync(sample);
            break;
        case [Sink.Mode]:
            Sink.Run();
            break;
        case ["--floods"]:
            Floods.Run();
            break;
        case ["--crafted"]:
            Crafted.Run();
            break;
        case ["--filter" or "-f" or "--list", ..]:
            BenchmarkSwitcher.FromAssembly(typeof(Options).Assembly).Run(args);
            break;
        default:
            throw new UsageException($"'{string.Join(' ', args)}' is not known.");
    }
}
