using BenchmarkDotNet.Running;
using Wire.Benchmarks;

switch (args)
{
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
    case ["--floods"]:
        Floods.Run();
        break;
    case []:
        Console.WriteLine(Options.Usage);
        break;
    default:
        BenchmarkSwitcher.FromAssembly(typeof(Program).Assembly).Run(args);
        break;
}
