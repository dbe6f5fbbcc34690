using System.Text;

namespace Wire.ValueSerializers.Scalars;

/// <summary>
/// An Encoding: its code page, its preamble flag, and its fallbacks. An encoding that equals a property of <see cref="Encoding"/> is
/// restored as that shared object.
/// </summary>
internal static class EncodingConversion
{
    private const int Utf8 = 65001;
    private const int Utf16 = 1200;
    private const int Utf16BigEndian = 1201;
    private const int Utf32 = 12000;
    private const int Utf32BigEndian = 12001;

    private static readonly Encoding[] Shared =
        [Encoding.UTF8, Encoding.Unicode, Encoding.BigEndianUnicode, Encoding.UTF32, Encoding.ASCII, Encoding.Latin1];

    /// <summary>The kind of fallback for characters or bytes that cannot be converted.</summary>
    internal enum FallbackKind : byte
    {
        /// <summary>The encoding's own.</summary>
        Own,

        /// <summary>An exception is thrown.</summary>
        Exception,

        /// <summary>A text replaces it.</summary>
        Replacement,
    }

    public static Parts To(Encoding value)
    {
        Parts? parts = Find(value.CodePage, value.Preamble.Length > 0) is { } own && Fallbacks(value, own) is var (encoder, decoder)
            ? new Parts(value.CodePage, value.Preamble.Length > 0, encoder, decoder)
            : null;
        return parts is { } found && From(found).Equals(value)
            ? found
            : throw new UnsupportedTypeException(
                value.GetType(), $"code page {value.CodePage} ('{value.WebName}') cannot be made again with its fallbacks: only " +
                    "fallbacks that throw, or insert a text, are supported.");
    }

    public static Encoding From(Parts written)
    {
        Encoding encoding = Find(written.CodePage, written.Preamble)
            ?? throw new FormatException($"This program has no encoding with the code page {written.CodePage}.");
        bool throws = written.Encoder.Kind == FallbackKind.Exception && written.Decoder.Kind == FallbackKind.Exception;
        if (throws && Strict(written) is { } strict)
        {
            return strict;
        }

        if (written.Encoder.Kind != FallbackKind.Own || written.Decoder.Kind != FallbackKind.Own)
        {
            encoding = (Encoding)encoding.Clone();
            encoding.EncoderFallback = Encoder(written.Encoder) ?? encoding.EncoderFallback;
            encoding.DecoderFallback = Decoder(written.Decoder) ?? encoding.DecoderFallback;
        }

        return Array.Find(Shared, shared => shared.Equals(encoding)) ?? encoding;
    }

    // UTF-7, which is unsafe, is not among them: the runtime refuses it.
    private static Encoding? Find(int codePage, bool preamble) => codePage switch
    {
        Utf8 => new UTF8Encoding(preamble),
        Utf16 or Utf16BigEndian => new UnicodeEncoding(codePage == Utf16BigEndian, preamble),
        Utf32 or Utf32BigEndian => new UTF32Encoding(codePage == Utf32BigEndian, preamble),
        _ => FindOther(codePage),
    };

    private static Encoding? FindOther(int codePage)
    {
        try
        {
            return codePage <= 0 ? null : Encoding.GetEncoding(codePage);
        }
        catch (Exception e) when (e is ArgumentException or NotSupportedException)
        {
            return null;
        }
    }

    private static Encoding? Strict(Parts written) => written.CodePage switch
    {
        Utf8 => new UTF8Encoding(written.Preamble, throwOnInvalidBytes: true),
        Utf16 or Utf16BigEndian => new UnicodeEncoding(written.CodePage == Utf16BigEndian, written.Preamble, throwOnInvalidBytes: true),
        Utf32 or Utf32BigEndian => new UTF32Encoding(written.CodePage == Utf32BigEndian, written.Preamble, throwOnInvalidCharacters: true),
        _ => null,
    };

    private static (Fallback Encoder, Fallback Decoder)? Fallbacks(Encoding value, Encoding own) =>
        ToFallback(value.EncoderFallback, own.EncoderFallback) is { } encoder
            && ToFallback(value.DecoderFallback, own.DecoderFallback) is { } decoder
            ? (encoder, decoder)
            : null;

    private static Fallback? ToFallback(object fallback, object own) => fallback.Equals(own) ? default(Fallback) : fallback switch
    {
        EncoderExceptionFallback or DecoderExceptionFallback => new Fallback(FallbackKind.Exception, null),
        EncoderReplacementFallback replacement => new Fallback(FallbackKind.Replacement, replacement.DefaultString),
        DecoderReplacementFallback replacement => new Fallback(FallbackKind.Replacement, replacement.DefaultString),
        _ => null,
    };

    private static EncoderFallback? Encoder(Fallback written) => written.Kind switch
    {
        FallbackKind.Own => null,
        FallbackKind.Exception => EncoderFallback.ExceptionFallback,
        FallbackKind.Replacement => new EncoderReplacementFallback(written.Text!),
        _ => throw new FormatException($"{written.Kind} is not a kind of fallback."),
    };

    private static DecoderFallback? Decoder(Fallback written) => written.Kind switch
    {
        FallbackKind.Own => null,
        FallbackKind.Exception => DecoderFallback.ExceptionFallback,
        FallbackKind.Replacement => new DecoderReplacementFallback(written.Text!),
        _ => throw new FormatException($"{written.Kind} is not a kind of fallback."),
    };

    internal readonly record struct Fallback(FallbackKind Kind, string? Text);

    internal readonly record struct Parts(int CodePage, bool Preamble, Fallback Encoder, Fallback Decoder);
}
