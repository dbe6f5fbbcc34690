using System.Diagnostics;
using System.Reflection;

namespace Wire.Benchmarks.Measuring;

/// <summary>This program, once more.</summary>
internal static class OwnProcess
{
    /// <summary>What starts it with other arguments, its output to be read.</summary>
    public static ProcessStartInfo With(params IEnumerable<string> arguments)
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
}
