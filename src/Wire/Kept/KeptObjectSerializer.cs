namespace Wire.Kept;

/// <summary>Writes what a kept object has inside, so that it takes a level of the path like any other. Nothing is read as one.</summary>
internal sealed class KeptObjectSerializer : ValueSerializer<KeptObject>
{
    public static readonly KeptObjectSerializer Instance = new();

    public override void Write(ref WireWriter writer, KeptObject value) => KeptFormat.WriteContent(ref writer, value.Content!);

    public override KeptObject Read(ref WireReader reader) => throw new NotSupportedException();
}
