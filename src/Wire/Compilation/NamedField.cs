using System.Reflection;

namespace Wire.Compilation;

/// <summary>A field that is written, and its names.</summary>
/// <param name="Field">The field.</param>
/// <param name="PlainName">The name without the class that tells it from those of other classes.</param>
/// <param name="IsGiven">True if the program gave it that name.</param>
internal sealed record NamedField(FieldInfo Field, string PlainName, bool IsGiven) : IComparable<NamedField>
{
    /// <summary>Gets or sets the name on the wire.</summary>
    public string Name { get; set; } = PlainName;

    /// <summary>Compares the places of two in the order in which members are written.</summary>
    public int CompareTo(NamedField? other) => string.CompareOrdinal(Name, other?.Name);
}
