namespace Wire.Compilation;

/// <summary>A member that generated code was made for.</summary>
/// <param name="Owner">The type that declares the field.</param>
/// <param name="Field">The name of the field.</param>
/// <param name="Type">The type of the field.</param>
/// <param name="Given">The name that the program gives it in payloads; null where it gives none.</param>
internal readonly record struct ToldMember(Type Owner, string Field, Type Type, string? Given)
{
    /// <summary>The generated code that tells members: <see cref="WireTypeRow.Code"/>.</summary>
    internal interface ITeller
    {
        /// <summary>Tells the members of its type, in their order; null if there are not so many.</summary>
        List<ToldMember>? Tell(int count);
    }
}
