using System.Globalization;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Text;

namespace Wire.Documents;

/// <summary>The text of scalars in JSON: the same in every culture, and none that another value of the type has too.</summary>
internal static class ScalarText
{
    private const int ExactDigits = 15;

    // Digits of longer ones would take a time that grows with their square.
    private const int MostDigitBytes = 1024;

    // The largest integer up to which a double holds all: many readers of JSON have no other numbers.
    private static readonly BigInteger MostExact = (1L << 53) - 1;

    private static readonly BigInteger MostDigits = BigInteger.Pow(10, ExactDigits) - 1;

    /// <summary>Returns the text of a value.</summary>
    public static string Describe(object value) => value switch
    {
        bool truth => truth ? "true" : "false",
        DateTime time => time.ToString("yyyy-MM-ddTHH:mm:ss.FFFFFFF", CultureInfo.InvariantCulture) + Suffix(time),
        DateTimeOffset time => time.ToString("yyyy-MM-ddTHH:mm:ss.FFFFFFFzzz", CultureInfo.InvariantCulture),
        TimeOnly time => time.ToString("HH:mm:ss.FFFFFFF", CultureInfo.InvariantCulture),
        DateOnly date => date.ToString("yyyy-MM-dd", CultureInfo.InvariantCulture),
        BigInteger number when number.GetByteCount() > MostDigitBytes => "0x" + Convert.ToHexString(number.ToByteArray(isBigEndian: true)),
        Complex complex => $"{Describe(complex.Real)}, {Describe(complex.Imaginary)}",
        IFormattable formattable => formattable.ToString(null, CultureInfo.InvariantCulture),
        _ => value.ToString() ?? "",
    };

    /// <summary>Says whether the text of a value is a number of JSON that every reader holds exactly.</summary>
    public static bool IsNumber(object value) => value switch
    {
        Half half => Half.IsFinite(half),
        float number => float.IsFinite(number),
        double number => double.IsFinite(number),
        decimal number => IsExact(number),
        _ => Numbers.TryGetInteger(value, out BigInteger integer) && BigInteger.Abs(integer) <= MostExact,
    };

    /// <summary>Says whether all surrogates of a text are in pairs.</summary>
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

    private static bool IsExact(decimal number)
    {
        Span<int> parts = stackalloc int[4];
        decimal.GetBits(number, parts);
        return new BigInteger(new decimal(parts[0], parts[1], parts[2], false, 0)) <= MostDigits;
    }

    // The kind, of which 3 is the first of the two passes through an hour when clocks are set back.
    private static string Suffix(DateTime time) => (Unsafe.BitCast<DateTime, ulong>(time) >> 62) switch
    {
        0 => "",
        1 => "Z",
        2 => "[local]",
        _ => "[local, first]",
    };
}
