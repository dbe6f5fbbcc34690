namespace Wire.Format;

/// <summary>The first byte of every payload: the format's version in the high half, flags in the low half (docs/format.md, clause 1).</summary>
internal static class Header
{
    public const byte Version = 0x10;
    public const byte VersionMask = 0xF0;

    /// <summary>The root's manifest is left out; the fingerprint of its schema follows the header.</summary>
    public const byte Typed = 0x01;

    /// <summary>Objects are numbered in the order in which they begin, and later uses refer to the number.</summary>
    public const byte References = 0x02;

    /// <summary>The payload is a message of a long-lived session, whose manifests carry their numbers in it.</summary>
    public const byte Session = 0x04;

    public const byte KnownFlags = Typed | References | Session;
}
