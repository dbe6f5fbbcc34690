namespace Wire;

/// <summary>The program asked to serialize a type that cannot be serialized, with the options it has set.</summary>
public sealed class UnsupportedTypeException : NotSupportedException
{
    private readonly string _reason;

    internal UnsupportedTypeException(Type type, string reason)
    {
        Type = type;
        _reason = reason;
    }

    internal string Reason => _reason;

    /// <summary>The type that cannot be serialized.</summary>
    public Type Type { get; }

    /// <summary>The members that led from the root to it; empty at the root.</summary>
    public string MemberPath { get; private set; } = "";

    /// <inheritdoc/>
    public override string Message => MemberPath.Length == 0
        ? $"'{Type}' cannot be serialized: {_reason}"
        : $"'{Type}' (in {MemberPath}) cannot be serialized: {_reason}";

    internal void Locate(string memberPath)
    {
        if (MemberPath.Length == 0)
        {
            MemberPath = memberPath;
        }
    }
}
