using System.Diagnostics;
using System.Text;
using Wire.Tool.Running;

namespace Wire.Tool.Tests;

/// <summary>What a run of the tool has written.</summary>
/// <param name="ExitCode">The exit code.</param>
/// <param name="Output">The output.</param>
/// <param name="Errors">The errors.</param>
internal sealed record ToolRun(int ExitCode, string Output, string Errors)
{
    /// <summary>Gets the lines of the output.</summary>
    public string[] Lines => Output.Split('\n', StringSplitOptions.RemoveEmptyEntries);

    /// <summary>Gets the only line of the errors.</summary>
    public string Error => Assert.Single(Errors.Split('\n', StringSplitOptions.RemoveEmptyEntries));

    /// <summary>Runs the program in this process.</summary>
    public static ToolRun Start(params string[] args) => With(Stream.Null, args);

    /// <summary>Runs the program in this process, with an input.</summary>
    public static ToolRun With(Stream input, params string[] args)
    {
        using var output = new MemoryStream();
        using var errors = new StringWriter { NewLine = "\n" };
        using var console = new ToolConsole(() => input, output, errors);
        int exitCode = WireTool.Run(args, console);
        return new(exitCode, Encoding.UTF8.GetString(output.ToArray()), errors.ToString());
    }

    /// <summary>Runs a line of the shell in which $wire is the program.</summary>
    public static ToolRun Shell(string line)
    {
        string program = Path.Combine(AppContext.BaseDirectory, "Wire.Tool.dll");
        var start = new ProcessStartInfo("bash", ["-c", line])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            Environment = { ["wire"] = $"{Environment.ProcessPath} {program}" },
        };
        if (!Path.GetFileNameWithoutExtension(Environment.ProcessPath)!.Equals("dotnet", StringComparison.Ordinal))
        {
            start.Environment["wire"] = $"dotnet {program}";
        }

        using Process process = Process.Start(start)!;
        Task<string> errors = process.StandardError.ReadToEndAsync();
        string output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return new(process.ExitCode, output, errors.Result);
    }
}
