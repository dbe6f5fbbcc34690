using System.Numerics;
using Wire.Format;
using Wire.Runtime;

namespace Wire.Documents;

/// <summary>Reads a number as another type of number, where that holds the same value.</summary>
internal static class Numbers
{
    /// <summary>Converts a number, which is of the type with a tag.</summary>
    /// <returns>False where one of the two is no number, or one is a fraction in binary and the other is not.</returns>
    /// <exception cref="OverflowException">The type does not hold the value.</exception>
    public static bool TryConvert<T>(object value, byte tag, out T? number)
    {
        Scalars.Row? own = Scalars.Find(tag), wanted = Scalars.Find(Nullable.GetUnderlyingType(typeof(T)) ?? typeof(T));
        object? converted;
        if (own?.Integer.To is { } integer && wanted?.Integer.From is { } ofInteger)
        {
            converted = ofInteger(integer(value));
        }
        else if (own?.Double.To is { } wide && wanted?.Double.From is { } ofWide)
        {
            converted = ofWide(wide(value));
        }
        else
        {
            number = default;
            return false;
        }

        number = converted is T
            ? (T)converted
            : throw new OverflowException($"{OneLine.Show(TagTypes.TextOf(tag, value), 100)} is no {typeof(T)}.");
        return true;
    }

    /// <summary>Makes a number of an integer; null where none is the same.</summary>
    public static object? From<T>(BigInteger value)
        where T : struct, INumberBase<T>
    {
        T converted = T.CreateSaturating(value);
        return T.IsFinite(converted) && BigInteger.CreateSaturating(converted) == value ? converted : null;
    }

    /// <summary>Makes a fraction in binary of another one; null where none is the same.</summary>
    public static object? From<T>(double value)
        where T : struct, INumberBase<T> =>
        value.Equals(double.CreateSaturating(T.CreateSaturating(value))) ? T.CreateSaturating(value) : null;

    /// <summary>Makes a decimal of an integer; null where none is the same.</summary>
    public static object? ToDecimal(BigInteger value) => BigInteger.Abs(value) <= (BigInteger)decimal.MaxValue ? (decimal)value : null;
}
