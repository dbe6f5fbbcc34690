using System.Globalization;
using System.Numerics;

namespace Wire.Tests.Behaviour.Versions;

/// <summary>The value of a number of any type: a fraction of integers, or what a float has beside them.</summary>
internal readonly record struct ExactNumber(BigInteger Numerator, BigInteger Denominator, string? Special)
{
    /// <summary>Takes a number apart; both zeros of floats are one.</summary>
    public static ExactNumber From<T>(T number)
        where T : INumber<T>
    {
        if (number is decimal money)
        {
            int[] bits = decimal.GetBits(money);
            BigInteger digits = (((BigInteger)(uint)bits[2] << 64) | ((BigInteger)(uint)bits[1] << 32) | (uint)bits[0])
                * (bits[3] < 0 ? -1 : 1);
            return Reduced(digits, BigInteger.Pow(10, (bits[3] >> 16) & 0xFF));
        }

        if (number is not (Half or float or double))
        {
            return new ExactNumber(BigInteger.CreateChecked(number), 1, null);
        }

        double value = double.CreateChecked(number);
        if (!double.IsFinite(value))
        {
            return new ExactNumber(0, 1, double.IsNaN(value) ? "NaN" : value > 0 ? "+" : "-");
        }

        long pattern = BitConverter.DoubleToInt64Bits(value);
        int exponent = (int)((pattern >> 52) & 0x7FF);
        long significand = pattern & ((1L << 52) - 1) | (exponent == 0 ? 0 : 1L << 52);
        exponent = Math.Max(exponent, 1) - 1075;
        BigInteger whole = pattern < 0 ? -significand : significand;
        return exponent >= 0 ? Reduced(whole << exponent, 1) : Reduced(whole, BigInteger.One << -exponent);
    }

    /// <summary>Returns whether a type has a number of this value.</summary>
    public bool IsHeldBy<T>()
        where T : INumber<T>, IMinMaxValue<T>
    {
        if (typeof(T) == typeof(Half))
        {
            return IsHeldByFloat(11, -24, 65_504);
        }

        if (typeof(T) == typeof(float))
        {
            return IsHeldByFloat(24, -149, float.MaxValue);
        }

        if (typeof(T) == typeof(double))
        {
            return IsHeldByFloat(53, -1074, double.MaxValue);
        }

        return Special is null && Denominator.IsOne
            && Numerator >= BigInteger.CreateChecked(T.MinValue) && Numerator <= BigInteger.CreateChecked(T.MaxValue);
    }

    private bool IsHeldByFloat(int significand, int least, double most)
    {
        if (Special is not null || Numerator.IsZero)
        {
            return true;
        }

        BigInteger magnitude = BigInteger.Abs(Numerator), odd = magnitude;
        while (odd.IsEven)
        {
            odd >>= 1;
        }

        return Denominator.IsPowerOfTwo && odd.GetBitLength() <= significand
            && Denominator <= BigInteger.One << -least && magnitude <= (BigInteger)most * Denominator;
    }

    private static ExactNumber Reduced(BigInteger numerator, BigInteger denominator)
    {
        var common = BigInteger.GreatestCommonDivisor(numerator, denominator);
        return new ExactNumber(numerator / common, denominator / common, null);
    }

    /// <summary>Makes numbers where types end, and between.</summary>
    public sealed class Samples(int seed)
    {
        /// <summary>Lists numbers of a type, always the same, and each once: at its ends many become one.</summary>
        public T[] Of<T>()
            where T : INumber<T>, IMinMaxValue<T>
        {
            var random = new Random(seed);
            var numbers = new List<T> { T.MinValue, T.MaxValue };
            for (int bit = 0; bit <= 128; bit++)
            {
                foreach (BigInteger near in new[] { -1, 0, 1 })
                {
                    numbers.Add(T.CreateSaturating((BigInteger.One << bit) + near));
                    numbers.Add(T.CreateSaturating(-(BigInteger.One << bit) - near));
                }
            }

            for (int i = 0; i < 100; i++)
            {
                numbers.Add(T.CreateSaturating(new BigInteger(random.NextInt64()) >> random.Next(63)));
            }

            foreach (double fraction in new[] { -0.0, 0.1, 0.5, -2.5, 1.0 / 1024, double.Epsilon, 5.9604645E-08, 1.4E-45, 1E300, 65_519.9 })
            {
                numbers.Add(T.CreateSaturating(fraction));
            }

            if (T.CreateSaturating(0.5) != T.Zero && typeof(T) != typeof(decimal))
            {
                numbers.AddRange(new[] { double.NaN, double.PositiveInfinity, double.NegativeInfinity }.Select(T.CreateSaturating));
            }

            if (typeof(T) == typeof(decimal))
            {
                numbers.AddRange(new[] { 1.00m, -0.0m, 0.10m, 79_228_162_514_264_337_593_543_950_335m }.Select(T.CreateSaturating));
            }

            // Their texts tell zeros and scales apart.
            return [.. numbers.DistinctBy(number => number.ToString(null, CultureInfo.InvariantCulture))];
        }
    }
}
