using Wire.Copying;
using Wire.Equality;
using Wire.Sessions;

namespace Wire.Unknown;

/// <summary>
/// Writes, compares and copies what a kept object has inside, so that it takes a level of the path like any other. Nothing is read as one.
/// </summary>
internal sealed class UnknownObjectSerializer : ValueSerializer<UnknownObject>
{
    public static readonly UnknownObjectSerializer Instance = new();

    public override void Write(ref WireWriter writer, UnknownObject value) => UnknownFormat.WriteContent(ref writer, value.Content!);

    /// <summary>Copies unknown members, and the objects in them.</summary>
    public static UnknownMembers Copy(ref GraphCopier copier, UnknownMembers unknown)
    {
        UnknownMembers copy = unknown.Emptied();
        for (int i = 0; i < unknown.Count; i++)
        {
            copy.Set(i, unknown.Content(i) is { } content ? Copy(ref copier, content) : null);
        }

        return copy;
    }

    internal override UnknownObject Copy(ref GraphCopier copier, UnknownObject value)
    {
        var copy = new UnknownObject(value.HasIdentity);
        copier.Track(copy);
        copy.SetType(value.Manifest, value.IsBound);
        copy.SetContent(Copy(ref copier, value.Content!));
        return copy;
    }

    internal override bool TryAddParts(GraphParts parts, object value)
    {
        var kept = (UnknownObject)value;
        parts.Add(GraphPath.Root, null, kept.Manifest);
        UnknownFormat.AddParts(parts, kept.Content!);
        return true;
    }

    public override UnknownObject Read(ref WireReader reader) => throw new NotSupportedException();

    private static UnknownContent Copy(ref GraphCopier copier, UnknownContent content)
    {
        var copies = new UnknownPart[content.Parts.Length];
        for (int i = 0; i < copies.Length; i++)
        {
            UnknownPart part = content.Parts[i];
            UnknownObject copy = part.Object.Real is { } real ? part.Object.For(copier.CopyObject(copier.Registry.EntryFor(real), real))
                : (UnknownObject)copier.CopyTracked(Instance, part.Object);
            copies[i] = part with { Object = copy };
        }

        return content.With(copies);
    }
}
