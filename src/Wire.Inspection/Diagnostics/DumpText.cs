using System.Buffers.Binary;
using System.Collections.Immutable;
using System.Globalization;
using System.Numerics;
using System.Text;
using Wire.Documents;
using Wire.Format;
using Wire.Runtime;

namespace Wire.Diagnostics;

/// <summary>Shows values in a dump: the same in every culture, on one line, and never long.</summary>
internal static class DumpText
{
    private const int MaxCharacters = 60;
    private const int MaxDescription = 200;
    private const int MaxBigInteger = 32;

    /// <summary>The value of a built-in type of fixed size.</summary>
    private static string Fixed(byte tag, ReadOnlySpan<byte> bytes)
    {
        try
        {
            return Show(Scalars.ReadFixed(tag, bytes));
        }
        catch (WireFormatException e)
        {
            return $"invalid: {e.Message}";
        }
    }

    /// <summary>The value of a built-in type of fixed size, or of an enum: its name, if it has one, and its number.</summary>
    public static string Fixed(Shape shape, ReadOnlySpan<byte> bytes)
    {
        if (shape.Code != ShapeCode.Enum)
        {
            return Fixed(shape.Code, bytes);
        }

        var number = EnumMember.ValueOf(EnumMember.BitsOf(bytes), shape.Element!.Code).ToString(CultureInfo.InvariantCulture);
        ImmutableArray<string> names = EnumBits.NamesOf(shape, bytes);
        return !names.IsEmpty ? $"{string.Join(", ", names.Select(Plain))} ({number})" : number;
    }

    /// <summary>A scalar, with its type.</summary>
    public static string Scalar(PayloadNode node)
    {
        byte tag = node.ScalarTag;
        ByteCursor source = node.Document.CursorAt(node.Content);
        string text = node.Layout is { Code: ShapeCode.Enum } layout ? Fixed(layout, source.ReadBytes(layout.FixedSize))
            : TagTypes.FixedSizeOf(tag) is > 0 and int size ? Fixed(tag, source.ReadBytes(size))
            : tag switch
            {
                Tag.Uri => $"{UriForm.NameOf(source.ReadByte())} {Text(ref source)}",
                Tag.Version => string.Create(
                    CultureInfo.InvariantCulture, $"{source.ReadInt32()}.{source.ReadInt32()}.{source.ReadInt32()}.{source.ReadInt32()}"),
                Tag.BigInteger => Integer(source.ReadBytes(source.ReadCount(1))),
                _ => Text(ref source),
            };
        return $"{TagTypes.NameOf(tag)} {text}";
    }

    private static string Text(ref ByteCursor source)
    {
        uint length = source.ReadTextHead(out bool isWide).GetValueOrDefault();
        ReadOnlySpan<byte> bytes = source.ReadBytes(length * (isWide ? 2L : 1L));
        Span<char> start = stackalloc char[(int)Math.Min(length, MaxCharacters)];
        for (int i = 0; i < start.Length; i++)
        {
            start[i] = isWide ? (char)BinaryPrimitives.ReadUInt16LittleEndian(bytes[(2 * i)..]) : (char)bytes[i];
        }

        return Quote(start, length);
    }

    private static string Integer(ReadOnlySpan<byte> bytes) =>
        bytes.Length <= MaxBigInteger ? new BigInteger(bytes).ToString(CultureInfo.InvariantCulture) : $"of {bytes.Length} bytes";

    /// <summary>Text in quotes, without line breaks; the end of a long one is left out.</summary>
    private static string Quote(ReadOnlySpan<char> text, long length)
    {
        string start = $"\"{Escape(text)}\"";
        return text.Length == length ? start : $"{start}... ({length} characters)";
    }

    /// <summary>A name or a layout.</summary>
    public static string Plain(string text) =>
        text.Length <= MaxDescription ? Escape(text) : Escape(text.AsSpan(0, MaxDescription)) + "...";

    private static string Show(object value) => value switch
    {
        char c => $"'{Escape([c])}'",
        Rune rune => $"'{Escape(rune.ToString())}'",
        DateTime or DateTimeOffset or DateOnly or TimeOnly => ((IFormattable)value).ToString("O", CultureInfo.InvariantCulture),
        Complex complex => complex.ToString(CultureInfo.InvariantCulture),
        _ => ScalarText.Describe(value),
    };

    private static string Escape(ReadOnlySpan<char> text)
    {
        var escaped = new StringBuilder();
        foreach (char c in text)
        {
            // Line and string terminators, and all characters that may look like others.
            if (c is '"' or '\\')
            {
                escaped.Append('\\').Append(c);
            }
            else if (c is >= ' ' and <= '~' || char.IsLetterOrDigit(c))
            {
                escaped.Append(c);
            }
            else
            {
                escaped.Append(CultureInfo.InvariantCulture, $"\\u{(int)c:X4}");
            }
        }

        return escaped.ToString();
    }
}
