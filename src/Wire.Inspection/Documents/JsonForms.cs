using System.Numerics;
using System.Text;

namespace Wire.Documents;

/// <summary>The values that JSON holds as they are.</summary>
internal static class JsonForms
{
    private const int ExactDigits = 15;

    // The largest integer up to which a double holds all: many readers of JSON have no other numbers.
    private static readonly BigInteger MostExact = (1L << 53) - 1;

    private static readonly BigInteger MostDigits = BigInteger.Pow(10, ExactDigits) - 1;

    /// <summary>Returns whether the text of a value is a number of JSON that every reader holds exactly.</summary>
    public static bool IsNumber(object value) => value switch
    {
        Half half => Half.IsFinite(half),
        float number => float.IsFinite(number),
        double number => double.IsFinite(number),
        decimal number => IsExact(number),
        _ => Numbers.TryGetInteger(value, out BigInteger integer) && BigInteger.Abs(integer) <= MostExact,
    };

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

    private static bool IsExact(decimal number)
    {
        Span<int> parts = stackalloc int[4];
        decimal.GetBits(number, parts);
        return new BigInteger(new decimal(parts[0], parts[1], parts[2], false, 0)) <= MostDigits;
    }
}
