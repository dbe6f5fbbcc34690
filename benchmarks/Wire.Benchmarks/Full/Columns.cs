using System.Globalization;
using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;

namespace Wire.Benchmarks.Full;

/// <summary>What the columns of this project have in common: a number for each row.</summary>
internal abstract class FullColumn : IColumn
{
    public string Id => GetType().Name;

    public abstract string ColumnName { get; }

    public abstract string Legend { get; }

    public virtual UnitType UnitType => UnitType.Dimensionless;

    public bool AlwaysShow => true;

    public ColumnCategory Category => ColumnCategory.Custom;

    public int PriorityInCategory => 0;

    public bool IsNumeric => true;

    public bool IsAvailable(Summary summary) => true;

    public bool IsDefault(Summary summary, BenchmarkCase benchmarkCase) => false;

    public abstract string GetValue(Summary summary, BenchmarkCase benchmarkCase);

    public string GetValue(Summary summary, BenchmarkCase benchmarkCase, SummaryStyle style) => GetValue(summary, benchmarkCase);

    public static string RowOf(BenchmarkCase benchmarkCase) => (string)benchmarkCase.Parameters[nameof(SmallRows.Name)];
}

/// <summary>How long the payload is.</summary>
internal sealed class PayloadColumn : FullColumn
{
    public override string ColumnName => "Payload B";

    public override string Legend => "Bytes of one payload";

    public override string GetValue(Summary summary, BenchmarkCase benchmarkCase) =>
        FullRun.Prepare(RowOf(benchmarkCase)).Payload.Length.ToString(CultureInfo.InvariantCulture);
}

/// <summary>The mean, divided by the mean of the floor. The rows are values of a parameter, for which the built-in ratio does not work.</summary>
internal sealed class FloorRatioColumn : FullColumn
{
    public override string ColumnName => "x floor";

    public override string Legend => "Mean divided by the mean of the scenario's first row";

    public override string GetValue(Summary summary, BenchmarkCase benchmarkCase)
    {
        string floorName = FullRun.FloorOf(RowOf(benchmarkCase));
        BenchmarkCase? floor = summary.BenchmarksCases.FirstOrDefault(other =>
            RowOf(other) == floorName
            && other.Descriptor.WorkloadMethod == benchmarkCase.Descriptor.WorkloadMethod
            && other.Job.Equals(benchmarkCase.Job));
        double? ratio = summary[benchmarkCase]?.ResultStatistics?.Mean / (floor is null ? null : summary[floor]?.ResultStatistics?.Mean);
        return ratio?.ToString("0.00", CultureInfo.InvariantCulture) ?? "?";
    }
}
