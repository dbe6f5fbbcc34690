using System.Reflection;

namespace Wire.Compilation;

/// <summary>A field that is written, and its names.</summary>
/// <param name="field">The field.</param>
/// <param name="type">Its type.</param>
/// <param name="plainName">The name without the class that tells it from those of other classes.</param>
/// <param name="isGiven">True if the program gave it that name.</param>
// Without properties: those would have to be compiled for the first message.
internal sealed class NamedField(FieldInfo field, Type type, string plainName, bool isGiven) : IComparable<NamedField>
{
    public readonly FieldInfo Field = field;
    public readonly Type Type = type;
    public readonly string PlainName = plainName;
    public readonly bool IsGiven = isGiven;

    /// <summary>The name on the wire.</summary>
    public string Name = plainName;

    /// <summary>Compares the places of two in the order in which members are written.</summary>
    public int CompareTo(NamedField? other) => string.CompareOrdinal(Name, other?.Name);
}
