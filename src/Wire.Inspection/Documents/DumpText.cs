using System.Buffers.Binary;
using System.Collections.Immutable;
using System.Globalization;
using System.Numerics;
using System.Text;
using Wire.Format;

namespace Wire.Documents;

/// <summary>Shows values in a dump: the same in every culture, on one line, and never long.</summary>
internal static class DumpText
{
    private const int MaxCharacters = 60;
    private const int MaxDescription = 200;
    private const int MaxBigInteger = 32;

    /// <summary>The value of a built-in type of fixed size, or of an enum: its name, if it has one, and its number.</summary>
    public static string Fixed(Shape shape, ReadOnlySpan<byte> bytes)
    {
        if (shape.Code != ShapeCode.Enum)
        {
            return Value(shape.Code, new ByteCursor(bytes, 0));
        }

        var number = EnumMember.ValueOf(EnumMember.BitsOf(bytes), shape.Element!.Code).ToString(CultureInfo.InvariantCulture);
        ImmutableArray<string> names = EnumBits.NamesOf(shape, bytes);
        return !names.IsEmpty ? $"{string.Join(", ", names.Select(Plain))} ({number})" : number;
    }

    /// <summary>A scalar, with its type.</summary>
    public static string Scalar(PayloadNode node)
    {
        ByteCursor source = node.Document.CursorAt(node.Content);
        string text = node.Layout is { Code: ShapeCode.Enum } layout ? Fixed(layout, source.ReadBytes(layout.FixedSize))
            : Value(node.ScalarTag, source);
        return $"{TagTypes.NameOf(node.ScalarTag)} {text}";
    }

    /// <summary>A date or time, with each digit that it has.</summary>
    public static string RoundTrip(object value) => ((IFormattable)value).ToString("O", CultureInfo.InvariantCulture);

    private static string Value(byte tag, ByteCursor source)
    {
        Scalars.Row? row = Scalars.Find(tag);
        if (row?.Dump is { } dump)
        {
            return dump(source);
        }

        try
        {
            object value = Scalars.Read(source, tag)!;
            return row?.Show is { } show ? show(value) : TagTypes.TextOf(tag, value);
        }
        catch (WireFormatException e)
        {
            return $"invalid: {e.Message}";
        }
    }

    /// <summary>The start of a text.</summary>
    public static string Text(ByteCursor source)
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

    /// <summary>The four parts of a version, -1 for those that it has not.</summary>
    public static string Version(ByteCursor source) => string.Create(
        CultureInfo.InvariantCulture, $"{source.ReadInt32()}.{source.ReadInt32()}.{source.ReadInt32()}.{source.ReadInt32()}");

    /// <summary>A large integer, or only how large it is.</summary>
    public static string Integer(ReadOnlySpan<byte> bytes) =>
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

    /// <summary>Text without line and string terminators, and characters that may look like others.</summary>
    public static string Escape(ReadOnlySpan<char> text)
    {
        var escaped = new StringBuilder();
        foreach (char c in text)
        {
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
