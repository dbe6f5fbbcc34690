namespace Wire;

/// <summary>
/// The members of a type without which a payload is refused: <see cref="SerializerOptions.MissingMembers"/>. A property counts with its
/// field, when the compiler has made that.
/// </summary>
public enum MissingMembers
{
    /// <summary>A payload may lack any member.</summary>
    Allowed,

    /// <summary>A payload that lacks a member marked <c>required</c> is refused.</summary>
    RequiredRefused,

    /// <summary>
    /// So is one that lacks a member of a reference type that may not be null, by the annotations that the compiler has left in the type.
    /// Members of value types, and what is declared without annotations, are not concerned.
    /// </summary>
    NonNullRefused,
}
