using BenchmarkDotNet.Attributes;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Reports;

namespace Wire.Benchmarks;

/// <summary>The rows under BenchmarkDotNet, each in a process of its own.</summary>
[Config(typeof(Config))]
[MemoryDiagnoser(displayGenColumns: false)]
[GroupBenchmarksBy(BenchmarkLogicalGroupRule.ByCategory)]
[CategoriesColumn]
public class PocoBenchmarks
{
    private const int Times = 64;

    private Scenario _scenario = null!;

    [ParamsSource(nameof(Rows))]
    public string Row { get; set; } = "";

    public static IEnumerable<string> Rows => Scenarios.Names;

    [GlobalSetup]
    public void Setup() => _scenario = Scenarios.Make(Row);

    [Benchmark(OperationsPerInvoke = Times), BenchmarkCategory("write")]
    public void Write() => _scenario.Write(Times);

    [Benchmark(OperationsPerInvoke = Times), BenchmarkCategory("read")]
    public void Read() => _scenario.Read(Times);

    [Benchmark(OperationsPerInvoke = Times), BenchmarkCategory("round trip")]
    public void RoundTrip() => _scenario.RoundTrip(Times);

    private sealed class Config : ManualConfig
    {
        public Config()
        {
            AddColumn(new FloorRatioColumn(), new PayloadColumn());
            WithSummaryStyle(SummaryStyle.Default.WithMaxParameterColumnWidth(60));
        }
    }
}
