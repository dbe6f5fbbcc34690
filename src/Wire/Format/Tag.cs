namespace Wire.Format;

/// <summary>
/// The byte in front of every value whose position does not determine its type (docs/format.md, clauses 3 and 5). The tags of built-in
/// types double as the codes of their shapes.
/// </summary>
internal static class Tag
{
    public const byte Null = 0x00;

    /// <summary>An object that this message has already carried: its number follows.</summary>
    public const byte Reference = 0x01;

    /// <summary>
    /// A manifest follows, in a session's message after its identifier; otherwise it takes the payload's next identifier.
    /// </summary>
    public const byte Definition = 0x02;

    /// <summary>The identifier of an earlier manifest follows.</summary>
    public const byte Defined = 0x03;

    /// <summary>The value has exactly the type that the position declares, and that type's layout is in the enclosing schema.</summary>
    public const byte Declared = 0x04;

    /// <summary>A one-dimensional array of a built-in type, whose tag follows.</summary>
    public const byte Vector = 0x05;

    public const byte Boolean = 0x10;
    public const byte SByte = 0x11;
    public const byte Byte = 0x12;
    public const byte Int16 = 0x13;
    public const byte UInt16 = 0x14;
    public const byte Int32 = 0x15;
    public const byte UInt32 = 0x16;
    public const byte Int64 = 0x17;
    public const byte UInt64 = 0x18;
    public const byte Int128 = 0x19;
    public const byte UInt128 = 0x1A;
    public const byte IntPtr = 0x1B;
    public const byte UIntPtr = 0x1C;
    public const byte Half = 0x1D;
    public const byte Single = 0x1E;
    public const byte Double = 0x1F;
    public const byte Decimal = 0x20;
    public const byte Char = 0x21;
    public const byte Rune = 0x22;
    public const byte Guid = 0x23;
    public const byte DateTime = 0x24;
    public const byte DateTimeOffset = 0x25;
    public const byte TimeSpan = 0x26;
    public const byte DateOnly = 0x27;
    public const byte TimeOnly = 0x28;
    public const byte Complex = 0x29;
    public const byte String = 0x2A;
    public const byte Uri = 0x2B;
    public const byte Version = 0x2C;
    public const byte BigInteger = 0x2D;
    public const byte Type = 0x2E;
    public const byte Object = 0x2F;

    /// <summary>Identifiers 0 to 127 of the session's manifests, in one byte.</summary>
    public const byte FirstShortIdentifier = 0x80;

    public const int ShortIdentifiers = 0x80;
}
