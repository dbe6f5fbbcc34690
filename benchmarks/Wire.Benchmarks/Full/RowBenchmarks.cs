using BenchmarkDotNet.Attributes;

namespace Wire.Benchmarks.Full;

/// <summary>The rows under BenchmarkDotNet, each in a process of its own: those whose operations take nanoseconds.</summary>
[Config(typeof(FullConfig))]
[GroupBenchmarksBy(BenchmarkDotNet.Configs.BenchmarkLogicalGroupRule.ByCategory)]
[CategoriesColumn]
public class SmallRows
{
    private const int Times = 64;

    private Row _row = null!;

    /// <summary>The scenario and the row.</summary>
    [ParamsSource(nameof(Names))]
    public string Name { get; set; } = "";

    public static IEnumerable<string> Names => FullRun.Names(scenario => scenario.Batch > 1);

    [GlobalSetup]
    public void Prepare() => _row = FullRun.Prepare(Name);

    [GlobalCleanup]
    public void Check() => _row.Check();

    [Benchmark(OperationsPerInvoke = Times), BenchmarkCategory(FullRun.Write)]
    public void Write() => _row.Write(Times);

    [Benchmark(OperationsPerInvoke = Times), BenchmarkCategory(FullRun.Read)]
    public void Read() => _row.Read(Times);

    [Benchmark(OperationsPerInvoke = Times), BenchmarkCategory(FullRun.RoundTrip)]
    public void RoundTrip() => _row.RoundTrip(Times);
}

/// <summary>The other rows: one operation is long enough by itself.</summary>
[Config(typeof(FullConfig))]
[GroupBenchmarksBy(BenchmarkDotNet.Configs.BenchmarkLogicalGroupRule.ByCategory)]
[CategoriesColumn]
public class LargeRows
{
    private Row _row = null!;

    /// <summary>The scenario and the row.</summary>
    [ParamsSource(nameof(Names))]
    public string Name { get; set; } = "";

    public static IEnumerable<string> Names => FullRun.Names(scenario => scenario.Batch == 1);

    [GlobalSetup]
    public void Prepare() => _row = FullRun.Prepare(Name);

    [GlobalCleanup]
    public void Check() => _row.Check();

    [Benchmark, BenchmarkCategory(FullRun.Write)]
    public void Write() => _row.Write(1);

    [Benchmark, BenchmarkCategory(FullRun.Read)]
    public void Read() => _row.Read(1);

    [Benchmark, BenchmarkCategory(FullRun.RoundTrip)]
    public void RoundTrip() => _row.RoundTrip(1);
}
