namespace Wire;

/// <summary>
/// The replacement for an exception whose type this program does not have or does not allow, when <see
/// cref="SerializerOptions.ReplaceUnknownExceptions"/> is set. It has the properties of <see cref="Exception"/> and the name of the
/// original's type. Members that the original's class adds are skipped.
/// </summary>
public sealed class RemoteException : Exception
{
    private RemoteException()
    {
    }

    /// <summary>The name of the original's type, as the payload has it.</summary>
    public string TypeName { get; internal set; } = "";

    /// <summary>The original's type, message, inner exceptions and stack trace.</summary>
    public override string ToString() =>
        $"{TypeName}: {Message}" +
        (InnerException is null
            ? ""
            : $"{Environment.NewLine} ---> {InnerException}{Environment.NewLine}   --- End of inner exception stack trace ---") +
        (StackTrace is null ? "" : Environment.NewLine + StackTrace);
}
