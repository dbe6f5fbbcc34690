using System.Numerics;
using Wire.Runtime;

namespace Wire.Documents;

/// <summary>Reads a number as another type of number, where that holds the same value.</summary>
internal static class Numbers
{
    private static readonly Dictionary<Type, Func<BigInteger, object?>> Integers = new()
    {
        [typeof(sbyte)] = As<sbyte>,
        [typeof(byte)] = As<byte>,
        [typeof(short)] = As<short>,
        [typeof(ushort)] = As<ushort>,
        [typeof(int)] = As<int>,
        [typeof(uint)] = As<uint>,
        [typeof(long)] = As<long>,
        [typeof(ulong)] = As<ulong>,
        [typeof(Int128)] = As<Int128>,
        [typeof(UInt128)] = As<UInt128>,
        [typeof(nint)] = As<nint>,
        [typeof(nuint)] = As<nuint>,
        [typeof(Half)] = As<Half>,
        [typeof(float)] = As<float>,
        [typeof(double)] = As<double>,
        [typeof(decimal)] = value => BigInteger.Abs(value) <= (BigInteger)decimal.MaxValue ? (decimal)value : null,
        [typeof(BigInteger)] = value => value,
    };

    /// <summary>Gets an integer of any type.</summary>
    public static bool TryGetInteger(object value, out BigInteger integer)
    {
        BigInteger? found = value switch
        {
            sbyte number => number,
            byte number => number,
            short number => number,
            ushort number => number,
            int number => number,
            uint number => number,
            long number => number,
            ulong number => number,
            Int128 number => number,
            UInt128 number => number,
            nint number => number,
            nuint number => number,
            BigInteger number => number,
            _ => null,
        };
        integer = found.GetValueOrDefault();
        return found is not null;
    }

    /// <summary>Converts a number.</summary>
    /// <returns>False where one of the two is no number, or one is a fraction in binary and the other is not.</returns>
    /// <exception cref="OverflowException">The type does not hold the value.</exception>
    public static bool TryConvert<T>(object value, out T? number)
    {
        number = default;
        object? converted;
        Type wanted = Nullable.GetUnderlyingType(typeof(T)) ?? typeof(T);
        if (TryGetInteger(value, out BigInteger integer) && Integers.TryGetValue(wanted, out Func<BigInteger, object?>? convert))
        {
            converted = convert(integer);
        }
        else if (value is Half or float or double
            && (wanted == typeof(Half) || wanted == typeof(float) || wanted == typeof(double)))
        {
            double wide = value is Half half ? (double)half : value is float single ? single : (double)value;
            converted = wanted == typeof(double) ? wide
                : wanted == typeof(float) ? Same(wide, (float)wide, (float)wide)
                : Same(wide, (double)(Half)wide, (Half)wide);
        }
        else
        {
            return false;
        }

        number = converted is null
            ? throw new OverflowException($"{OneLine.Show(ScalarText.Describe(value), 100)} is no {typeof(T)}.")
            : (T)converted;
        return true;
    }

    private static object? Same(double value, double back, object converted) => value.Equals(back) ? converted : null;

    private static object? As<T>(BigInteger value)
        where T : struct, INumberBase<T>
    {
        T converted = T.CreateSaturating(value);
        return T.IsFinite(converted) && BigInteger.CreateSaturating(converted) == value ? converted : null;
    }
}
