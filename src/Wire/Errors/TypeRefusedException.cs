namespace Wire;

/// <summary>A payload names a type that the program has not allowed. Nothing of that type was loaded or created.</summary>
public sealed class TypeRefusedException : WireFormatException
{
    internal TypeRefusedException(string typeName, string reason, string remedy)
        : base(WireFormatError.TypeRefused, $"The payload names the type '{typeName}', which is refused: {reason} {remedy}")
    {
        TypeName = typeName;
        Reason = reason;
        Remedy = remedy;
    }

    /// <summary>The refused type, as the payload names it.</summary>
    public string TypeName { get; }

    /// <summary>Why it is refused.</summary>
    public string Reason { get; }

    /// <summary>What to add to the options to allow it, where it can be allowed.</summary>
    public string Remedy { get; }
}
