namespace Wire.Equality;

/// <summary>Writes values of which only the bytes are known, each alone: what it shares with the rest of its graph does not count.</summary>
internal sealed class WrittenAlone(Serializer serializer)
{
    private SerializerSession? _session;

    /// <summary>Returns the bytes of a value.</summary>
    public byte[] Write(object value) => serializer.Serialize(
        value, _session ??= new SerializerSession(serializer, ownThread: true) { IsOfParts = true });
}
