using BenchmarkDotNet.Attributes;
using BenchmarkDotNet.Configs;

namespace Wire.Benchmarks.Full;

/// <summary>Rows under BenchmarkDotNet, each in a process of its own.</summary>
[Config(typeof(FullConfig))]
[GroupBenchmarksBy(BenchmarkLogicalGroupRule.ByCategory)]
[CategoriesColumn]
public abstract class Rows
{
    private protected Row Row { get; private set; } = null!;

    /// <summary>The scenario and the row.</summary>
    [ParamsSource("Names")]
    public string Name { get; set; } = "";

    [GlobalSetup]
    public void Prepare() => Row = FullRun.Prepare(Name);

    [GlobalCleanup]
    public void Check() => Row.Check();
}

/// <summary>Those whose operations take nanoseconds.</summary>
public class SmallRows : Rows
{
    private const int Times = 64;

    public static IEnumerable<string> Names => FullRun.Names(scenario => scenario.Batch > 1);

    [Benchmark(OperationsPerInvoke = Times), BenchmarkCategory(FullRun.Write)]
    public void Write() => Row.Write(Times);

    [Benchmark(OperationsPerInvoke = Times), BenchmarkCategory(FullRun.Read)]
    public void Read() => Row.Read(Times);

    [Benchmark(OperationsPerInvoke = Times), BenchmarkCategory(FullRun.RoundTrip)]
    public void RoundTrip() => Row.RoundTrip(Times);
}

/// <summary>The others: one operation is long enough by itself.</summary>
public class LargeRows : Rows
{
    public static IEnumerable<string> Names => FullRun.Names(scenario => scenario.Batch == 1);

    [Benchmark, BenchmarkCategory(FullRun.Write)]
    public void Write() => Row.Write(1);

    [Benchmark, BenchmarkCategory(FullRun.Read)]
    public void Read() => Row.Read(1);

    [Benchmark, BenchmarkCategory(FullRun.RoundTrip)]
    public void RoundTrip() => Row.RoundTrip(1);
}
