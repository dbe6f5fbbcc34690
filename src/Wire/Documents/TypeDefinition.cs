using Wire.Errors;
using Wire.Format;
using Wire.Manifests;

namespace Wire.Documents;

/// <summary>A manifest as a document reads it: what its bytes say, and no type. Immutable.</summary>
internal sealed class TypeDefinition
{
    private TypeDefinition(byte[] bytes)
    {
        Bytes = bytes;
        var parser = new ShapeParser(bytes);
        uint header = parser.ReadVarUInt32();
        bool isKnown = (header & 1) != 0;
        KnownType = isKnown ? (int)(header >> 1) : null;
        Name = isKnown || header == 0 ? null : parser.ReadText(header >> 1);
        byte flags = parser.ReadByte();
        if ((flags & ~(Manifest.SchemaFlag | Manifest.SurrogateFlag)) != 0)
        {
            ThrowHelper.Format(WireFormatError.Manifest, $"0x{flags:X2} are not valid flags of a manifest.");
        }

        IsSurrogate = (flags & Manifest.SurrogateFlag) != 0;
        if ((flags & Manifest.SchemaFlag) != 0)
        {
            Layout = Layout.From(parser.ReadShape());
        }
        else
        {
            parser.ReadBytes(sizeof(uint));
        }

        if (!parser.AtEnd)
        {
            ThrowHelper.Format(WireFormatError.Manifest, "Bytes follow the end of a manifest.");
        }
    }

    /// <summary>Gets the name; null for a known type, and for one that variables declare.</summary>
    public string? Name { get; }

    /// <summary>Gets the identifier of a known type; null for others.</summary>
    public int? KnownType { get; }

    /// <summary>Gets whether a surrogate stands for the values.</summary>
    public bool IsSurrogate { get; }

    /// <summary>Gets the layout of the values; null where the writer left it out.</summary>
    public Layout? Layout { get; }

    /// <summary>Gets the bytes of the manifest.</summary>
    public byte[] Bytes { get; }

    /// <summary>Reads a manifest, or finds the one with the same bytes that was read before.</summary>
    /// <exception cref="WireFormatException">The bytes are no manifest.</exception>
    public static TypeDefinition Read(ReadOnlySpan<byte> bytes) =>
        DefinitionCache.Find(bytes) ?? DefinitionCache.Add(new TypeDefinition(bytes.ToArray()));
}
