using BenchmarkDotNet.Running;
using Wire.Benchmarks;

if (args is ["--quick"])
{
    Quick.Run();
}
else if (args is ["--floods"])
{
    Floods.Run();
}
else
{
    BenchmarkSwitcher.FromAssembly(typeof(Program).Assembly).Run(args);
}
