using System.Diagnostics;

namespace Wire.Tests.Testing;

/// <summary>A process in which nothing has run before <see cref="StartupHook"/>.</summary>
internal static class FreshProcess
{
    /// <summary>Runs a task there.</summary>
    /// <returns>The lines that it prints.</returns>
    public static string[] Run(string task)
    {
        string tests = typeof(FreshProcess).Assembly.Location;
        var start = new ProcessStartInfo(Environment.ProcessPath!, ["exec", tests]) { RedirectStandardOutput = true };
        start.Environment["DOTNET_STARTUP_HOOKS"] = tests;
        start.Environment[StartupHook.Task] = task;
        using Process process = Process.Start(start)!;
        string[] lines =
            process.StandardOutput.ReadToEnd().Split('\n', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);
        process.WaitForExit();
        Assert.Equal(0, process.ExitCode);
        return lines;
    }
}
