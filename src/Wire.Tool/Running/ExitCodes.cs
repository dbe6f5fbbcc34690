namespace Wire.Tool.Running;

/// <summary>The exit codes of the tool.</summary>
internal static class ExitCodes
{
    /// <summary>All was read, and nothing was found that the command looks for.</summary>
    public const int Good = 0;

    /// <summary>A payload was refused, nothing was found, two files differ, or a message could not be sent back.</summary>
    public const int Refused = 1;

    /// <summary>The command line is wrong, or a file, broker or queue cannot be read.</summary>
    public const int Usage = 2;

    /// <summary>The program that read the output has ended: what a shell says of others that this happens to.</summary>
    public const int PipeClosed = 141;
}
