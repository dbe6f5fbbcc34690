using Wire.Format;

namespace Wire.Manifests;

/// <summary>The bytes that define a manifest in a payload: tag, length and manifest.</summary>
internal static class ManifestDefinition
{
    private const string Remedy = "Set SerializerOptions.EnumsByName or VersionTolerance to false, or split the type.";

    /// <summary>Makes a definition: tag, length and manifest.</summary>
    /// <param name="type">The type.</param>
    /// <param name="name">Its name; null for none.</param>
    /// <param name="knownType">Its number, in place of a name; null for none.</param>
    /// <param name="isSurrogate">True if its values are those of a surrogate.</param>
    /// <param name="shape">Their layout.</param>
    /// <param name="withSchema">True if the layout is in it, and not only a fingerprint.</param>
    /// <param name="withNames">True if the names of enums' members are in the layout.</param>
    /// <exception cref="UnsupportedTypeException">No reader would accept it.</exception>
    public static byte[] Create(Type type, string? name, int? knownType, bool isSurrogate, Shape shape, bool withSchema, bool withNames)
    {
        using var manifest = new MemoryStream();
        using var writer = new BinaryWriter(manifest);
        byte[] utf8 = name is null || knownType is not null ? [] : System.Text.Encoding.UTF8.GetBytes(name);
        writer.Write7BitEncodedInt(knownType is { } id ? (id << 1) | 1 : utf8.Length << 1);
        writer.Write(utf8);
        writer.Write((byte)((withSchema ? ManifestContent.SchemaFlag : 0) | (isSurrogate ? ManifestContent.SurrogateFlag : 0)));
        byte[] schema = shape.Encode(withNames);
        if (withSchema)
        {
            CheckReadable(type, schema);
            writer.Write(schema);
        }
        else
        {
            writer.Write(Fingerprint.Compute("", schema));
        }

        writer.Flush();
        if (manifest.Length > ManifestContent.MaxLength)
        {
            throw new UnsupportedTypeException(
                type,
                $"its manifest would take {manifest.Length} bytes, more than the {ManifestContent.MaxLength} that the format allows. "
                + Remedy);
        }

        return Define(manifest.ToArray());
    }

    /// <summary>Refuses a type whose manifest no reader accepts.</summary>
    public static void CheckReadable(Type type, byte[] schema)
    {
        try
        {
            new ShapeParser(schema).ReadShape();
        }
        catch (WireFormatException e)
        {
            throw new UnsupportedTypeException(
                type,
                $"its schema exceeds what the format allows. {e.Message} "
                + Remedy);
        }
    }

    /// <summary>Gets the manifest of a definition.</summary>
    public static ReadOnlySpan<byte> ManifestOf(ReadOnlySpan<byte> definition)
    {
        // Behind the tag and the bytes of the length.
        int start = 2;
        while (definition[start - 1] >= 0x80)
        {
            start++;
        }

        return definition[start..];
    }

    /// <summary>Returns a manifest with the bytes in front of it: the tag and its length.</summary>
    public static byte[] Define(byte[] manifest)
    {
        using var definition = new MemoryStream();
        using var writer = new BinaryWriter(definition);
        writer.Write(Tag.Definition);
        writer.Write7BitEncodedInt(manifest.Length);
        writer.Write(manifest);
        writer.Flush();
        return definition.ToArray();
    }
}
