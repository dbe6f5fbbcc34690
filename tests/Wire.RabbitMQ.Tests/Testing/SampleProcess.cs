using System.Diagnostics;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Testing;

/// <summary>A sample that was built with the tests, as a process.</summary>
internal static class SampleProcess
{
    /// <summary>Starts one; it takes a free port where it listens.</summary>
    /// <param name="sample">Its folder among the samples.</param>
    /// <param name="program">The name of its assembly.</param>
    /// <param name="arguments">Its arguments.</param>
    /// <param name="variables">The environment variables that it has in addition.</param>
    public static Process Start(string sample, string program, string[] arguments, Dictionary<string, string> variables)
    {
        // .../bin/CONFIGURATION/net10.0/
        string[] output = AppContext.BaseDirectory.TrimEnd(Path.DirectorySeparatorChar).Split(Path.DirectorySeparatorChar)[^3..];
        string folder = Path.Combine(Repository.Root, "samples", sample);
        var start = new ProcessStartInfo("dotnet", [Path.Combine([folder, .. output, $"{program}.dll"]), .. arguments])
        {
            WorkingDirectory = folder,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        start.Environment["ASPNETCORE_URLS"] = "http://127.0.0.1:0";
        foreach ((string name, string value) in variables)
        {
            start.Environment[name] = value;
        }

        return Process.Start(start)!;
    }
}
