using System.Diagnostics;

// A round trip in a process of its own, which it may end.
internal static class Apart
{
    public static string Run(int trip, int peer)
    {
        using Process process = Process.Start(new ProcessStartInfo(Environment.ProcessPath!, ["trip", $"{trip}", $"{peer}"])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        })!;
        // What is written there before the end is no more than a stack.
        process.ErrorDataReceived += (_, _) => { };
        process.BeginErrorReadLine();
        string result = process.StandardOutput.ReadToEnd().Trim();
        process.WaitForExit();
        return process.ExitCode == 0 ? result : $"crashed: {process.ExitCode}";
    }
}
