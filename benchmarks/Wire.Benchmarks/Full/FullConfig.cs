using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Diagnosers;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Reports;
using Perfolizer.Horology;

namespace Wire.Benchmarks.Full;

/// <summary>How BenchmarkDotNet measures rows: shorter iterations than its own, as there are hundreds of rows.</summary>
internal sealed class FullConfig : ManualConfig
{
    public FullConfig()
    {
        AddJob(Job.Default.WithIterationTime(TimeInterval.FromMilliseconds(150)).WithMinIterationCount(8).WithMaxIterationCount(15));
        AddDiagnoser(new MemoryDiagnoser(new MemoryDiagnoserConfig(displayGenColumns: false)));
        AddColumn(new FloorRatioColumn(), new PayloadColumn());
        WithSummaryStyle(SummaryStyle.Default.WithMaxParameterColumnWidth(80));
    }
}
