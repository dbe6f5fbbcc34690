using Wire.Format;

namespace Wire.Unknown;

/// <summary>The unknown members that some objects have kept: one layout for all objects with the same ones.</summary>
/// <param name="schema">The members that the class does not know.</param>
/// <param name="kept">The indices of those that are kept.</param>
/// <param name="names">The names that the writer gives to members of the class, where the class gives others.</param>
internal sealed class UnknownLayout(ShapeMember[] schema, int[] kept, IReadOnlyDictionary<string, string> names)
{
    /// <summary>Gets the indices of the members in their schema.</summary>
    public IReadOnlyList<int> Indices => kept;

    /// <summary>Returns a member.</summary>
    /// <param name="index">Its index in the schema.</param>
    public ShapeMember Member(int index) => schema[index];

    /// <summary>
    /// Returns the name by which the writer knows a member of the class. A name that several of the writer's classes have comes with the
    /// class, and the member must not be taken for that of another one.
    /// </summary>
    public string NameOf(string own) => names.GetValueOrDefault(own, own);
}
