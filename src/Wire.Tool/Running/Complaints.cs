namespace Wire.Tool.Running;

/// <summary>Reports what was refused, in one line each on the standard error, and keeps the exit code that it leads to.</summary>
/// <param name="console">The streams.</param>
internal sealed class Complaints(ToolConsole console)
{
    private const int Most = 20;

    private int _count;

    /// <summary>Gets the worst exit code so far.</summary>
    public int ExitCode { get; private set; }

    /// <summary>Reports something, in one line: its texts must be plain.</summary>
    public void Add(string line, int exitCode)
    {
        ExitCode = Math.Max(ExitCode, exitCode);
        if (_count++ < Most)
        {
            console.Out.Flush();
            console.Complain(line);
        }
    }

    /// <summary>Says how many were not reported.</summary>
    public void Conclude()
    {
        console.EndProgress();
        if (_count > Most)
        {
            console.Complain(FormattableString.Invariant($"{_count - Most} more were refused."));
        }
    }
}
