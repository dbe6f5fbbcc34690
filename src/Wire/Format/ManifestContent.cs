using System.Buffers.Binary;
using Wire.Errors;

namespace Wire.Format;

/// <summary>The content of a manifest, as its bytes say it (docs/format.md, clause 5): no type is looked up for it. Immutable.</summary>
/// <remarks>Fields, for manifests are read in the first message of a program.</remarks>
internal sealed class ManifestContent
{
    /// <summary>The longest manifest that the format allows, in bytes.</summary>
    public const int MaxLength = 1 << 18;

    /// <summary>The writer's schema follows; without this flag, its fingerprint.</summary>
    public const byte SchemaFlag = 1;

    /// <summary>The values are surrogates of the named type.</summary>
    public const byte SurrogateFlag = 2;

    private const uint NamelessHeader = 0;

    /// <summary>Reads a manifest.</summary>
    /// <exception cref="WireFormatException">The bytes are no manifest.</exception>
    public ManifestContent(byte[] bytes)
    {
        Bytes = bytes;
        var parser = new ShapeParser(bytes);
        uint header = parser.ReadVarUInt32();
        if ((header & 1) != 0)
        {
            KnownType = (int)(header >> 1);
            HasName = true;
        }
        else if (header != NamelessHeader)
        {
            Name = parser.ReadText(header >> 1);
            HasName = true;
        }

        HeaderLength = bytes.Length - parser.Left;
        byte flags = parser.ReadByte();
        if ((flags & ~(SchemaFlag | SurrogateFlag)) != 0)
        {
            ThrowHelper.Format(WireFormatError.Manifest, $"0x{flags:X2} are not valid flags of a manifest.");
        }

        IsSurrogate = (flags & SurrogateFlag) != 0;
        if ((flags & SchemaFlag) != 0)
        {
            Schema = parser.ReadShape();
        }
        else
        {
            Fingerprint = BinaryPrimitives.ReadUInt32LittleEndian(parser.ReadBytes(sizeof(uint)));
        }

        if (parser.Left > 0)
        {
            ThrowHelper.Format(WireFormatError.Manifest, "Bytes follow the end of a manifest.");
        }
    }

    /// <summary>Gets the bytes of the manifest.</summary>
    public readonly byte[] Bytes;

    /// <summary>Gets the name; null for a known type, and for one that variables declare.</summary>
    public readonly string? Name;

    /// <summary>Gets the identifier of a known type; null for others.</summary>
    public readonly int? KnownType;

    /// <summary>Gets whether the manifest names the type itself, rather than leaving that to the position.</summary>
    public readonly bool HasName;

    /// <summary>Gets the type's name in messages and dumps, or what stands for it.</summary>
    public string DisplayName => Name ?? (KnownType is { } known
        ? string.Create(System.Globalization.CultureInfo.InvariantCulture, $"known type {known}")
        : "declared type");

    /// <summary>Gets whether a surrogate stands for the values.</summary>
    public readonly bool IsSurrogate;

    /// <summary>Gets the writer's schema; null where the manifest has only its fingerprint.</summary>
    public readonly Shape? Schema;

    /// <summary>Gets the fingerprint of a schema that the writer left out; 0 where it is there.</summary>
    public readonly uint Fingerprint;

    /// <summary>Gets the number of bytes in front of the flags: what names the type.</summary>
    public readonly int HeaderLength;

    /// <summary>Reads the identifier of a manifest that was defined before, behind its tag.</summary>
    public static uint ReadIdentifier<TCursor>(scoped ref TCursor source, byte tag)
        where TCursor : struct, IPayloadCursor, allows ref struct =>
        tag == Tag.Defined ? source.ReadVarUInt32() : (uint)(tag - Tag.FirstShortIdentifier);

    /// <summary>Returns the number of bytes of a definition: tag, length and manifest, without the identifier in a session.</summary>
    /// <param name="manifest">The number of bytes of the manifest.</param>
    public static int DefinitionLengthOf(int manifest) => 1 + (manifest < 1 << 7 ? 1 : manifest < 1 << 14 ? 2 : 3) + manifest;
}
