using Microsoft.CodeAnalysis;

namespace Wire.Generator.Parsing;

/// <summary>A member that generated code writes and reads.</summary>
/// <param name="Owner">The type that declares the field.</param>
/// <param name="Field">The field.</param>
/// <param name="Face">The property or field that stands for it in code.</param>
/// <param name="Given">The name that the program gives it in payloads; null where it gives none.</param>
internal sealed record CodedMember(INamedTypeSymbol Owner, IFieldSymbol Field, ISymbol Face, string? Given)
{
    /// <summary>Gets how it is written, and how many bytes a value of fixed size has.</summary>
    public (MemberKind Kind, int Size, bool CanFail) Way { get; } = MemberKinds.Of(Field.Type);

    /// <summary>Gets whether its value serializer writes it.</summary>
    public bool HasSlot => Way.Kind is MemberKind.Value or MemberKind.Part;
}
