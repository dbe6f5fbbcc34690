namespace Wire.Benchmarks.Measuring;

internal static class Statistics
{
    public static double Median(this IEnumerable<double> values)
    {
        double[] sorted = [.. values.Order()];
        return (sorted[(sorted.Length - 1) / 2] + sorted[sorted.Length / 2]) / 2;
    }
}
