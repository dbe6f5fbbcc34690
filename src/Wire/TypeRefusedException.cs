using Metadata = System.Reflection.Metadata;

namespace Wire;

/// <summary>
/// The exception for a payload that names a type that the program has not allowed, or that Wire cannot read, such as a pointer. No object
/// of the type was created, and a type that is not allowed was not loaded.
/// </summary>
public sealed class TypeRefusedException : WireFormatException
{
    // A nested read, by a surrogate's own serializer, ends both.
    private bool _isReported;

    internal TypeRefusedException(string typeName, string reason, string remedy)
        : base(WireFormatError.TypeRefused, $"The payload names the type '{typeName}', which is refused: {reason} {remedy}")
    {
        TypeName = typeName;
        Reason = reason;
        Remedy = remedy;
    }

    /// <summary>The refused type, as the payload names it.</summary>
    public string TypeName { get; }

    /// <summary>Gets the reason why it is refused.</summary>
    public string Reason { get; }

    /// <summary>Gets the line to add to the options to allow it, where it can be allowed.</summary>
    public string Remedy { get; }

    /// <summary>Says whether the only reason for the refusal is that no rule allows the type.</summary>
    internal bool IsOnlyUnknown { get; init; }

    /// <summary>Calls <see cref="SerializerOptions.TypeRefused"/>, once.</summary>
    internal void Report(Action<RefusedType>? callback, Type root)
    {
        if (_isReported || callback is not { } report)
        {
            return;
        }

        _isReported = true;
        _ = Metadata.TypeName.TryParse(TypeName, out Metadata.TypeName? name);
        report(new RefusedType(name?.FullName ?? TypeName, name?.AssemblyName?.Name, Reason, root));
    }
}

/// <summary>A refused type, as passed to <see cref="SerializerOptions.TypeRefused"/>.</summary>
/// <param name="FullName">The type's full name, as the payload has it: at most 16,384 characters, and not to be trusted.</param>
/// <param name="AssemblyName">The simple name of its assembly; null when the payload has none.</param>
/// <param name="Reason">Why it was refused.</param>
/// <param name="RootType">The type that the caller asked for.</param>
public sealed record RefusedType(string FullName, string? AssemblyName, string Reason, Type RootType);
