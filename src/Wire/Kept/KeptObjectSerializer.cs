using Wire.Copying;
using Wire.Equality;

namespace Wire.Kept;

/// <summary>Writes what a kept object has inside, so that it takes a level of the path like any other. Nothing is read as one.</summary>
internal sealed class KeptObjectSerializer : ValueSerializer<KeptObject>
{
    public static readonly KeptObjectSerializer Instance = new();

    public override void Write(ref WireWriter writer, KeptObject value) => KeptFormat.WriteContent(ref writer, value.Content!);

    internal override KeptObject Copy(ref GraphCopier copier, KeptObject value) => value.Copy(ref copier);

    internal override bool TryAddParts(GraphParts parts, object value)
    {
        var kept = (KeptObject)value;
        parts.Manifest = kept.Manifest;
        KeptFormat.AddParts(parts, kept.Content!);
        return true;
    }

    public override KeptObject Read(ref WireReader reader) => throw new NotSupportedException();
}
