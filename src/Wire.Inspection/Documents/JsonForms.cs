using System.Globalization;
using System.Numerics;
using System.Text;
using System.Text.Json;
using Wire.Format;
using Wire.Runtime;

namespace Wire.Documents;

/// <summary>Writes values: those that JSON holds as they are, and others as text.</summary>
internal static class JsonForms
{
    /// <summary>The number of characters that are written at once.</summary>
    public const int LongestPiece = 1 << 24;

    private const int ExactDigits = 15;

    // The largest integer up to which a double holds all: many readers of JSON have no other numbers.
    private static readonly BigInteger MostExact = (1L << 53) - 1;

    private static readonly BigInteger MostDigits = BigInteger.Pow(10, ExactDigits) - 1;

    /// <summary>Returns whether every reader of JSON holds an integer exactly.</summary>
    public static bool IsExact(BigInteger number) => BigInteger.Abs(number) <= MostExact;

    /// <summary>Returns whether every reader of JSON holds a decimal exactly.</summary>
    public static bool IsExact(decimal number)
    {
        Span<int> parts = stackalloc int[4];
        decimal.GetBits(number, parts);
        return new BigInteger(new decimal(parts[0], parts[1], parts[2], false, 0)) <= MostDigits;
    }

    /// <summary>Writes a value as what it is in JSON, or its text.</summary>
    public static void Write(Utf8JsonWriter json, byte tag, object value)
    {
        if (Scalars.Find(tag) is { IsPlain: { } isPlain } row && isPlain(value))
        {
            (row.Json ?? WriteDigits)(json, value);
        }
        else
        {
            WriteText(json, TagTypes.TextOf(tag, value));
        }
    }

    /// <summary>Writes a Half, by its digits: they are fewer than those of the float that it equals.</summary>
    public static void WriteHalf(Utf8JsonWriter json, object value)
    {
        if ((Half)value == Half.Zero && Half.IsNegative((Half)value))
        {
            json.WriteNumberValue(-0.0);
            return;
        }

        WriteDigits(json, value);
    }

    /// <summary>Writes both parts of a complex number.</summary>
    public static void WriteComplex(Utf8JsonWriter json, object value)
    {
        json.WriteStartObject();
        json.WritePropertyName("real");
        Write(json, Tag.Double, ((Complex)value).Real);
        json.WritePropertyName("imaginary");
        Write(json, Tag.Double, ((Complex)value).Imaginary);
        json.WriteEndObject();
    }

    /// <summary>Writes text. JSON has escapes for surrogates without a partner, and UTF-8 has nothing.</summary>
    public static void WriteText(Utf8JsonWriter json, string text)
    {
        if (IsWellFormed(text))
        {
            WritePieces(json, text);
            return;
        }

        var escaped = new StringBuilder("\"", text.Length + 16);
        foreach (char c in text)
        {
            escaped.Append(c is >= ' ' and <= '~' and not ('"' or '\\')
                ? c.ToString()
                : string.Create(CultureInfo.InvariantCulture, $"\\u{(int)c:x4}"));
        }

        json.WriteRawValue(escaped.Append('"').ToString(), skipInputValidation: true);
    }

    // The writer takes no string that is longer than some hundred million characters, but pieces of one.
    private static void WritePieces(Utf8JsonWriter json, ReadOnlySpan<char> text)
    {
        while (text.Length > LongestPiece)
        {
            int length = char.IsHighSurrogate(text[LongestPiece - 1]) ? LongestPiece - 1 : LongestPiece;
            json.WriteStringValueSegment(text[..length], isFinalSegment: false);
            text = text[length..];
            if (text.Length <= LongestPiece)
            {
                json.WriteStringValueSegment(text, isFinalSegment: true);
                return;
            }
        }

        json.WriteStringValue(text);
    }

    /// <summary>Returns whether all surrogates of a text are in pairs.</summary>
    public static bool IsWellFormed(ReadOnlySpan<char> text)
    {
        while (!text.IsEmpty)
        {
            if (Rune.DecodeFromUtf16(text, out _, out int length) != System.Buffers.OperationStatus.Done)
            {
                return false;
            }

            text = text[length..];
        }

        return true;
    }

    private static void WriteDigits(Utf8JsonWriter json, object value) =>
        json.WriteNumberValue(decimal.Parse(ScalarText.Own(value), NumberStyles.Float, CultureInfo.InvariantCulture));
}
