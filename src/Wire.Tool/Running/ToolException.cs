namespace Wire.Tool.Running;

/// <summary>The end of a command, with one line for the user.</summary>
/// <param name="message">The line.</param>
/// <param name="exitCode">One of <see cref="ExitCodes"/>.</param>
internal sealed class ToolException(string message, int exitCode) : Exception(message)
{
    /// <summary>Gets the exit code.</summary>
    public int ExitCode => exitCode;
}

/// <summary>The program that read the output has ended.</summary>
internal sealed class OutputClosedException(IOException inner) : Exception("The output is closed.", inner);
