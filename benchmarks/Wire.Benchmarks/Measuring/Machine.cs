using System.Runtime.InteropServices;

namespace Wire.Benchmarks.Measuring;

/// <summary>What the figures were measured on.</summary>
internal static class Machine
{
    public static string Describe()
    {
        const string CpuInfo = "/proc/cpuinfo";
        string? model = File.Exists(CpuInfo)
            ? File.ReadLines(CpuInfo).FirstOrDefault(line => line.StartsWith("model name", StringComparison.Ordinal))?.Split(':')[1].Trim()
            : null;
        return $"{model ?? "Unknown processor"} ({RuntimeInformation.ProcessArchitecture}), {Environment.ProcessorCount} logical cores, {RuntimeInformation.OSDescription}, {RuntimeInformation.FrameworkDescription}";
    }
}
