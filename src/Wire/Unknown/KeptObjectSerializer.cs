using Wire.Copying;
using Wire.Equality;
using Wire.Sessions;

namespace Wire.Unknown;

/// <summary>
/// Writes, compares and copies what a kept object has inside, so that it takes a level of the path like any other. Nothing is read as one.
/// </summary>
internal sealed class KeptObjectSerializer : ValueSerializer<KeptObject>
{
    public static readonly KeptObjectSerializer Instance = new();

    public override void Write(ref WireWriter writer, KeptObject value) => KeptFormat.WriteContent(ref writer, value.Content!);

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

    internal override KeptObject Copy(ref GraphCopier copier, KeptObject value)
    {
        var copy = new KeptObject(value.HasIdentity);
        copier.Track(copy);
        copy.SetType(value.Manifest, value.IsBound);
        copy.SetContent(Copy(ref copier, value.Content!));
        return copy;
    }

    internal override bool TryAddParts(GraphParts parts, object value)
    {
        var kept = (KeptObject)value;
        parts.Add(GraphPath.Root, null, kept.Manifest);
        KeptFormat.AddParts(parts, kept.Content!);
        return true;
    }

    public override KeptObject Read(ref WireReader reader) => throw new NotSupportedException();

    private static KeptContent Copy(ref GraphCopier copier, KeptContent content)
    {
        var copies = new KeptPart[content.Parts.Length];
        for (int i = 0; i < copies.Length; i++)
        {
            KeptPart part = content.Parts[i];
            KeptObject copy = part.Object.Real is { } real ? part.Object.For(copier.CopyObject(copier.Registry.EntryFor(real), real))
                : (KeptObject)copier.CopyTracked(Instance, part.Object);
            copies[i] = part with { Object = copy };
        }

        return content.With(copies);
    }
}
