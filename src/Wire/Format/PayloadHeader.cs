using System.Buffers.Binary;
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

    /// <summary>The whole first byte of a payload behind whose value the elements of async sequences follow, as frames.</summary>
    public const byte AsyncSequences = Version | 0x08;

    public const byte KnownFlags = Typed | References | Session;

    // Versions of the format to come, and not yet the letters of texts.
    private const byte NewestVersion = 0x30;

    // A BinaryFormatter payload begins with 0, the numbers of its root and header, and its version: 1 and 0 ([MS-NRBF], 2.6.1).
    private const int BinaryFormatterIds = 2 * sizeof(int);
    private const string Migration =
        "read it with the package WireSerializer.Migration: new BinaryFormatterReader(serializer).Read<T>(stream). Its Convert makes "
        + "it a payload of Wire.";

    private static ReadOnlySpan<byte> NoHeader => [0xFF, 0xFF, 0xFF, 0xFF];

    private static ReadOnlySpan<byte> BinaryFormatterVersion => [1, 0, 0, 0, 0, 0, 0, 0];

    /// <summary>Returns whether a byte begins a payload of the version that this library reads.</summary>
    public static bool IsKnown(byte header) => (header & VersionMask) == Version && (header & ~(VersionMask | KnownFlags)) == 0;

    /// <summary>Returns what a known header says.</summary>
    public static string Describe(byte header) =>
        $"format {Version >> 4}"
        + ((header & Session) != 0 ? ", of a session" : "")
        + ((header & References) != 0 ? ", object references" : "")
        + ((header & Typed) != 0 ? ", typed root" : "");

    /// <summary>Reports a byte that does not begin a payload.</summary>
    /// <param name="header">The byte.</param>
    /// <param name="behind">The bytes after it, if known: none for a stream that must not be read ahead.</param>
    [DoesNotReturn]
    public static void Refuse(byte header, ReadOnlySpan<byte> behind) => ThrowHelper.Format(
        WireFormatError.Header,
        header == 0 && IsOfBinaryFormatter(behind)
            ? $"This is a BinaryFormatter payload: {Migration}"
            : $"0x{header:X2} is not the header of a payload of format version {Version >> 4}."
                + Guess(header, behind));

    /// <summary>
    /// Returns advice on a stream that ends inside a frame, if that is what BinaryFormatter wrote, whose first bytes pass for a length.
    /// </summary>
    /// <param name="frame">What there is of the frame.</param>
    public static string AdviceForFrame(ReadOnlySpan<byte> frame) => frame.Length > 0 && frame[0] == 0 && IsOfBinaryFormatter(frame[1..])
        ? $" It is a BinaryFormatter payload, which has no frames: {Migration}"
        : "";

    // What programs hand over in place of a payload.
    private static string Guess(byte header, ReadOnlySpan<byte> behind) =>
        header == AsyncSequences
            ? " The elements of async sequences follow its value: read it whole with Deserialize, or as it comes with DeserializeAsync or "
                + "DeserializeElementsAsync."
        : header == 0 && behind.IsEmpty ? $" If BinaryFormatter has written it, {Migration}"
        : header is (byte)'{' or (byte)'[' ? " It looks like JSON: read it with a serializer of JSON."
        : header == 0x1F && behind is [0x8B, ..] ? " It is compressed by gzip: decompress it first."
        : IsFrame(header, behind)
            ? " It looks like frames, which have a length in front of each payload: read them with DeserializeAllFramedAsync."
        : (header & VersionMask) > Version && (header & ~(VersionMask | KnownFlags)) == 0 && header < NewestVersion
            ? " If a later version of Wire has written it, read it with that one."
        : $"{(header is >= (byte)' ' and <= (byte)'~' ? " It looks like text: if it is Base64 or hexadecimal, decode it first." : "")}"
            + " Pass the bytes that Serialize has written, from their beginning.";

    private static bool IsFrame(byte first, ReadOnlySpan<byte> behind) => behind.Length >= sizeof(int) && IsKnown(behind[sizeof(int) - 1])
        && BinaryPrimitives.ReadInt32LittleEndian([first, .. behind[..(sizeof(int) - 1)]]) is > 0 and var length
        && length <= behind.Length - (sizeof(int) - 1);

    // The header follows whole, or, where four bytes were taken for the length of a frame, from the number of the header on: -1.
    private static bool IsOfBinaryFormatter(ReadOnlySpan<byte> behind) =>
        (behind.Length >= BinaryFormatterIds && behind[BinaryFormatterIds..].StartsWith(BinaryFormatterVersion))
        || (behind.StartsWith(NoHeader) && behind[sizeof(int)..].StartsWith(BinaryFormatterVersion));
}
