using Wire.Contracts;
using Wire.Format;
using Wire.Types;

namespace Wire.Kept;

/// <summary>The unknown members that some objects have kept: one layout for all objects with the same ones.</summary>
/// <param name="schema">The members that the class does not know.</param>
/// <param name="kept">The indices of those that are kept.</param>
internal sealed class KeptLayout(ShapeMember[] schema, int[] kept)
{
    private Written? _last;

    /// <summary>Gets the indices of the members in their schema.</summary>
    public IReadOnlyList<int> Indices => kept;

    /// <summary>Returns a member.</summary>
    /// <param name="index">Its index in the schema.</param>
    public ShapeMember Member(int index) => schema[index];

    /// <summary>Gets what writes objects of a class that have kept these members.</summary>
    /// <exception cref="InvalidOperationException">The class has a member of the name of one.</exception>
    public Written For(TypeEntry entry, TypeRegistry registry)
    {
        if (_last is { } known && ReferenceEquals(known.Entry, entry))
        {
            return known;
        }

        ValueSerializer serializer = ((IKeepingSerializer)entry.Serializer).With(this);
        return _last = new Written(
            entry,
            serializer,
            new KeptManifest(registry.DefinitionOf(entry.Type, serializer, withName: true)),
            entry.IsSealed ? new KeptManifest(registry.DefinitionOf(entry.Type, serializer, withName: false)) : null);
    }

    /// <summary>How objects of a class are written that have kept these members.</summary>
    /// <param name="Entry">The class.</param>
    /// <param name="Serializer">The value serializer for the members of both.</param>
    /// <param name="Named">The manifest with the name of the class.</param>
    /// <param name="Nameless">The manifest for variables of a sealed class; null for others.</param>
    public sealed record Written(TypeEntry Entry, ValueSerializer Serializer, KeptManifest Named, KeptManifest? Nameless);
}
