using System.Diagnostics;

namespace Wire.Packages.Tests.Feeds;

/// <summary>Programs that tests run, above all dotnet.</summary>
internal static class Tool
{
    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(10);

    /// <summary>Runs a program to its end and returns what it has written; fails when it fails.</summary>
    public static async Task<string> RunAsync(string folder, string program, params string[] arguments)
    {
        (int code, string output) = await TryRunAsync(folder, program, arguments);
        Assert.True(code == 0, $"{program} {string.Join(' ', arguments)} ended with {code} in {folder}:\n{output}");
        return output;
    }

    /// <summary>Runs a program to its end and returns its exit code, with what it has written.</summary>
    public static async Task<(int Code, string Output)> TryRunAsync(string folder, string program, params string[] arguments)
    {
        var start = new ProcessStartInfo(program, arguments)
        {
            WorkingDirectory = folder,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };

        // What the SDK has told the test host about itself is not for the SDK of a fresh project.
        foreach (string name in start.Environment.Keys.Where(
            name => name.StartsWith("MSBUILD", StringComparison.OrdinalIgnoreCase) || name is "DOTNET_HOST_PATH").ToList())
        {
            start.Environment.Remove(name);
        }

        // No build server stays behind, and texts are in one language. The compiler is that of the run, which ends it, if it has one.
        start.Environment["MSBUILDDISABLENODEREUSE"] = "1";
        start.Environment["DOTNET_CLI_USE_MSBUILD_SERVER"] = "0";
        start.Environment["UseSharedCompilation"] = start.Environment.ContainsKey("SharedCompilationId") ? "true" : "false";
        start.Environment["DOTNET_CLI_TELEMETRY_OPTOUT"] = "1";
        start.Environment["DOTNET_CLI_UI_LANGUAGE"] = "en";
        start.Environment["DOTNET_NOLOGO"] = "1";

        using Process process = Process.Start(start)!;
        process.StandardInput.Close();
        using var late = new CancellationTokenSource(Limit);
        try
        {
            string[] texts = await Task.WhenAll(
                process.StandardOutput.ReadToEndAsync(late.Token), process.StandardError.ReadToEndAsync(late.Token));
            await process.WaitForExitAsync(late.Token);
            return (process.ExitCode, string.Concat(texts));
        }
        catch (OperationCanceledException)
        {
            process.Kill(entireProcessTree: true);
            throw new TimeoutException($"{program} {string.Join(' ', arguments)} took more than {Limit} in {folder}.");
        }
    }
}
