using System.Diagnostics.CodeAnalysis;
using Wire.Errors;

namespace Wire.Format;

/// <summary>
/// The first byte of every payload: the format's version in the high half, flags in the low half (docs/format.md, clause 1).
/// </summary>
internal static class PayloadHeader
{
    public const byte Version = 0x10;
    public const byte VersionMask = 0xF0;

    /// <summary>The root's manifest is left out; the fingerprint of its schema follows the header.</summary>
    public const byte Typed = 0x01;

    /// <summary>Objects are numbered in the order in which they begin, and later references use the number.</summary>
    public const byte References = 0x02;

    /// <summary>The payload is a message of a long-lived session, whose manifests carry their numbers.</summary>
    public const byte Session = 0x04;

    public const byte KnownFlags = Typed | References | Session;

    // A BinaryFormatter payload begins with 0, the numbers of its root and header, and its version: 1 and 0 ([MS-NRBF], 2.6.1).
    private const int BinaryFormatterIds = 2 * sizeof(int);
    private static ReadOnlySpan<byte> BinaryFormatterVersion => [1, 0, 0, 0, 0, 0, 0, 0];

    /// <summary>Says whether a byte begins a payload of the version that this library reads.</summary>
    public static bool IsKnown(byte header) => (header & VersionMask) == Version && (header & ~(VersionMask | KnownFlags)) == 0;

    /// <summary>Reports a byte that does not begin a payload.</summary>
    /// <param name="header">The byte.</param>
    /// <param name="behind">The bytes after it, if known: none for a stream that must not be read ahead.</param>
    [DoesNotReturn]
    public static void Refuse(byte header, ReadOnlySpan<byte> behind) => ThrowHelper.Format(
        WireFormatError.Header,
        IsOfBinaryFormatter(header, behind)
            ? "This is a BinaryFormatter payload, which Wire does not read. "
                + "Read it with System.Formats.Nrbf, and write its values again with Wire."
            : $"0x{header:X2} is not the header of a payload of format version {Version >> 4}."
                + (header == 0 && behind.IsEmpty ? " If BinaryFormatter has written it, System.Formats.Nrbf reads it." : ""));

    private static bool IsOfBinaryFormatter(byte header, ReadOnlySpan<byte> behind) =>
        header == 0 && behind.Length >= BinaryFormatterIds && behind[BinaryFormatterIds..].StartsWith(BinaryFormatterVersion);
}
