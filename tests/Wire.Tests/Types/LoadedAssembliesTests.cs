using System.Diagnostics;

namespace Wire.Tests.Types;

/// <summary>The table of .NET's types costs a program none of the assemblies that it does not use.</summary>
public sealed class LoadedAssembliesTests
{
    [Fact]
    public void A_message_loads_no_assembly_of_types_that_it_does_not_have()
    {
        string tests = typeof(LoadedAssembliesTests).Assembly.Location;
        var start = new ProcessStartInfo(Environment.ProcessPath!, ["exec", tests]) { RedirectStandardOutput = true };
        start.Environment["DOTNET_STARTUP_HOOKS"] = tests;
        using Process process = Process.Start(start)!;
        string[] lines =
            process.StandardOutput.ReadToEnd().Split('\n', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);
        process.WaitForExit();

        Assert.Equal((0, "7 a 1.5"), (process.ExitCode, lines.FirstOrDefault()));
        Assert.Contains("Wire", lines);
        string[] unused =
        [
            "System.Text.RegularExpressions", "System.Net.Mail", "System.Net.Primitives", "System.Net.Http",
            "System.Net.NetworkInformation", "System.Drawing.Primitives",
            "System.Private.Xml", "System.Private.Xml.Linq", "System.Xml.XDocument", "System.Text.Json", "System.ObjectModel",
        ];
        Assert.Empty(unused.Intersect(lines));
    }
}
