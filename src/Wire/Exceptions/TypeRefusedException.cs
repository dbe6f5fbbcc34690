using Wire.Runtime;
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
        : base(
            WireFormatError.TypeRefused,
            $"The payload names the type '{OneLine.Show(typeName)}', which is refused: {OneLine.Show(reason)} {OneLine.Show(remedy)}")
    {
        FullTypeName = typeName;
        TypeName = OneLine.Show(typeName);
        Reason = OneLine.Show(reason);
        Remedy = OneLine.Show(remedy);
    }

    /// <summary>
    /// The refused type, as the payload names it, on one line: at most 1,003 characters, with control and format characters escaped.
    /// </summary>
    public string TypeName { get; }

    /// <summary>Gets the reason why it is refused.</summary>
    public string Reason { get; }

    /// <summary>Gets a sentence that says what to add to the options to allow it, where it can be allowed, and else what to do.</summary>
    public string Remedy { get; }

    /// <summary>Gets the name of the payload itself, for comparisons.</summary>
    internal string FullTypeName { get; }

    /// <summary>Gets whether the only reason for the refusal is that no rule allows the type.</summary>
    internal bool IsOnlyUnknown { get; init; }

    /// <summary>Calls <see cref="SerializerOptions.TypeRefused"/>, once.</summary>
    internal void Report(Action<RefusedType>? callback, Type root)
    {
        if (_isReported || callback is not { } report)
        {
            return;
        }

        _isReported = true;
        _ = Metadata.TypeName.TryParse(FullTypeName, out Metadata.TypeName? name);
        string? assembly = name?.AssemblyName?.Name;
        report(new RefusedType(
            OneLine.Show(name?.FullName ?? FullTypeName), assembly is null ? null : OneLine.Show(assembly), Reason, root));
    }
}

/// <summary>A refused type, as passed to <see cref="SerializerOptions.TypeRefused"/>.</summary>
/// <param name="FullName">
/// The type's full name, as the payload has it, not to be trusted: at most 1,003 characters, with control and format characters escaped.
/// </param>
/// <param name="AssemblyName">The simple name of its assembly, in the same form; null when the payload has none.</param>
/// <param name="Reason">Why it was refused.</param>
/// <param name="RootType">The type that the caller asked for.</param>
public sealed record RefusedType(string FullName, string? AssemblyName, string Reason, Type RootType);
