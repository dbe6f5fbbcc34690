using System.Diagnostics;
using System.Globalization;
using System.Reflection;
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
        return $"{model ?? "Unknown processor"} ({RuntimeInformation.ProcessArchitecture}), {Environment.ProcessorCount} logical " +
            $"cores, {RuntimeInformation.OSDescription}, {RuntimeInformation.FrameworkDescription}";
    }
}

/// <summary>
/// The processor time of the process, so that what other programs do in between does not count. All threads count: a serializer may
/// go on with a deep graph on another one, and the collector may have its own. Where the system has no such clock, the time that passes.
/// </summary>
internal static class ProcessorClock
{
    private const int ProcessCpuTime = 2;

    public static readonly string Name = OperatingSystem.IsLinux() ? "processor time" : "time";

    public static double Nanoseconds()
    {
        if (!OperatingSystem.IsLinux())
        {
            return Stopwatch.GetTimestamp() * (1e9 / Stopwatch.Frequency);
        }

        return GetTime(ProcessCpuTime, out TimeSpec time) == 0
            ? (time.Seconds * 1e9) + time.Nanoseconds
            : throw new InvalidOperationException("The clock of the process cannot be read.");
    }

    [DllImport("libc", EntryPoint = "clock_gettime")]
    private static extern int GetTime(int clock, out TimeSpec time);

    [StructLayout(LayoutKind.Sequential)]
    private struct TimeSpec
    {
        public nint Seconds;
        public nint Nanoseconds;
    }
}

/// <summary>This program, once more.</summary>
internal static class OwnProcess
{
    /// <summary>Starts it with other arguments, its output to be read.</summary>
    public static Process Start(params IEnumerable<string> arguments) =>
        Process.Start(Information(arguments)) ?? throw new InvalidOperationException("A process for a sample did not start.");

    /// <summary>How it is started with other arguments, its output to be read.</summary>
    public static ProcessStartInfo Information(params IEnumerable<string> arguments)
    {
        var start = new ProcessStartInfo(Environment.ProcessPath!) { RedirectStandardOutput = true };
        if (Path.GetFileNameWithoutExtension(Environment.ProcessPath) == "dotnet")
        {
            start.ArgumentList.Add(Assembly.GetEntryAssembly()!.Location);
        }

        foreach (string argument in arguments)
        {
            start.ArgumentList.Add(argument);
        }

        return start;
    }

    /// <summary>The figures that it prints, when it has come to its end.</summary>
    public static async Task<double[]> FiguresAsync(Process process)
    {
        string output = await process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync();
        return process.ExitCode == 0
            ? [.. output.Split(' ').Select(text => double.Parse(text, CultureInfo.InvariantCulture))]
            : throw new InvalidOperationException($"A process for a sample ended with {process.ExitCode}.");
    }
}
