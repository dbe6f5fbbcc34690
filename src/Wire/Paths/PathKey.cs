using System.Globalization;
using System.Text;
using Wire.Format;
using Wire.Values;

namespace Wire.Paths;

/// <summary>A key of a map, as its bytes have it.</summary>
/// <param name="Bytes">The bytes of a fixed size, or the characters of Latin-1 text; null for text that is not Latin-1.</param>
/// <param name="Text">The text; null for a key of fixed size.</param>
internal sealed record PathKey(byte[]? Bytes, string? Text)
{
    /// <summary>
    /// Finds the bytes of a key; null where the text may stand for several values, or for one whose text other bytes have.
    /// </summary>
    /// <param name="step">The step of the path.</param>
    /// <param name="shape">The shape of the keys.</param>
    public static PathKey? Find(PathStep step, Shape shape) =>
        step.IsQuoted != (shape.Code == Tag.String) ? null
        : step.IsQuoted ? new PathKey(Latin1Of(step.Text), step.Text)
        : shape.Code == ShapeCode.Enum ? OfName(step.Text, shape)
        : IsInteger(shape.Code) && TryParse(step.Text, out Int128 number) ? OfNumber(number, shape, step.Text)
        : null;

    private static byte[]? Latin1Of(string text) =>
        text.AsSpan().ContainsAnyExceptInRange('\0', '\u00FF') ? null : Encoding.Latin1.GetBytes(text);

    private static bool TryParse(string text, out Int128 number) =>
        Int128.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out number);

    // The text of a value is its first name.
    private static PathKey? OfName(string name, Shape shape)
    {
        // A value without a name has its number as text.
        if (TryParse(name, out _))
        {
            return null;
        }

        foreach (EnumMember member in shape.Names)
        {
            if (member.Name == name)
            {
                byte[] bytes = BytesOf(member.Bits, shape.FixedSize);
                return shape.NameOf(bytes) == name ? new PathKey(bytes, null) : null;
            }
        }

        return null;
    }

    private static PathKey? OfNumber(Int128 number, Shape shape, string text)
    {
        byte[] bytes = BytesOf((ulong)(UInt128)number, shape.FixedSize);
        return EnumMember.ValueOf(EnumMember.BitsOf(bytes), shape.Code) == number && number.ToString(CultureInfo.InvariantCulture) == text
            ? new PathKey(bytes, null)
            : null;
    }

    private static bool IsInteger(byte code) => code is >= Tag.SByte and <= Tag.UInt64;

    private static byte[] BytesOf(ulong bits, int size)
    {
        byte[] bytes = new byte[sizeof(ulong)];
        LittleEndian.Store(ref bytes[0], bits);
        return bytes[..size];
    }
}
