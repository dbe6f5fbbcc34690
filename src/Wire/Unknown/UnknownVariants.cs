using System.Runtime.CompilerServices;
using Wire.Slots;
using Wire.Types;

namespace Wire.Unknown;

/// <summary>
/// The ways in which objects of a class are written that have kept unknown members: one for each layout, as long as there are objects with
/// it.
/// </summary>
/// <param name="type">The class.</param>
/// <param name="serializer">The value serializer for objects that have kept none.</param>
internal sealed class UnknownVariants(Type type, IKeepingSerializer serializer)
{
    private readonly ConditionalWeakTable<UnknownLayout, Variant> _variants = new();

    /// <summary>Gets what writes the objects with a layout.</summary>
    /// <param name="layout">The layout.</param>
    /// <param name="entry">The entry of the class.</param>
    /// <param name="registry">The registry that has the entry.</param>
    /// <exception cref="InvalidOperationException">The class has a member of the name of one.</exception>
    public Variant Find(UnknownLayout layout, TypeEntry entry, TypeRegistry registry) =>
        _variants.TryGetValue(layout, out Variant? known) ? known : _variants.GetValue(layout, _ => Create(layout, entry, registry));

    private Variant Create(UnknownLayout layout, TypeEntry entry, TypeRegistry registry)
    {
        ValueSerializer written = serializer.With(layout);
        return new Variant(
            written,
            new UnknownTypeManifest(registry.DefinitionOf(type, written, withName: true)),
            entry.IsSealed ? new UnknownTypeManifest(registry.DefinitionOf(type, written, withName: false)) : null);
    }

    /// <summary>The writing of objects with one layout.</summary>
    /// <param name="Serializer">The value serializer for the members of both.</param>
    /// <param name="Named">The manifest with the name of the class.</param>
    /// <param name="Nameless">The manifest for variables of a sealed class; null for others.</param>
    public sealed record Variant(ValueSerializer Serializer, UnknownTypeManifest Named, UnknownTypeManifest? Nameless);
}
