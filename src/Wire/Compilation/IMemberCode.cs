namespace Wire.Compilation;

/// <summary>Makes the generated code for the members of a type, and knows which they are: <see cref="WireTypeRow.Code"/>.</summary>
internal interface IMemberCode
{
    /// <summary>Tells the members that the code was generated for, in their order; null if there are not so many.</summary>
    List<ToldMember>? Tell(int count);

    /// <summary>Makes the code for members; null where they are others.</summary>
    GeneratedMembers? For(WireMember[] members);
}

/// <summary>A member that generated code was made for.</summary>
/// <param name="Owner">The type that declares the field.</param>
/// <param name="Field">The name of the field.</param>
/// <param name="Type">The type of the field.</param>
/// <param name="Given">The name that the program gives it in payloads; null where it gives none.</param>
internal readonly record struct ToldMember(Type Owner, string Field, Type Type, string? Given);
