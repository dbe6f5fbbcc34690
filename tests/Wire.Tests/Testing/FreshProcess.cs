using System.Diagnostics;
using System.Globalization;

namespace Wire.Tests.Testing;

/// <summary>A process in which nothing has run before <see cref="StartupHook"/>.</summary>
internal static class FreshProcess
{
    /// <summary>Runs a task there.</summary>
    /// <param name="task">The task.</param>
    /// <param name="heapLimit">How many bytes the heap of the process may have, so that it ends where it needs more; 0 for any.</param>
    /// <returns>The lines that it prints.</returns>
    public static string[] Run(string task, long heapLimit = 0)
    {
        string tests = typeof(FreshProcess).Assembly.Location;
        var start = new ProcessStartInfo(Environment.ProcessPath!, ["exec", tests]) { RedirectStandardOutput = true };
        start.Environment["DOTNET_STARTUP_HOOKS"] = tests;
        start.Environment[StartupHook.Task] = task;
        if (heapLimit > 0)
        {
            start.Environment["DOTNET_GCHeapHardLimit"] = heapLimit.ToString("X", CultureInfo.InvariantCulture);
        }

        using Process process = Process.Start(start)!;
        string[] lines =
            process.StandardOutput.ReadToEnd().Split('\n', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);
        process.WaitForExit();
        Assert.Equal(0, process.ExitCode);
        return lines;
    }
}
