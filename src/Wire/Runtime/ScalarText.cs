using System.Globalization;
using System.Numerics;
using System.Runtime.CompilerServices;

namespace Wire.Runtime;

/// <summary>
/// The text of scalars, in JSON and as keys in paths: the same in every culture, and none that another value of the type has too.
/// </summary>
internal static class ScalarText
{
    // Digits of longer ones would take a time that grows with their square.
    private const int MostDigitBytes = 1024;

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

    // The kind, of which 3 is the first of the two passes through an hour when clocks are set back.
    private static string Suffix(DateTime time) => (Unsafe.BitCast<DateTime, ulong>(time) >> 62) switch
    {
        0 => "",
        1 => "Z",
        2 => "[local]",
        _ => "[local, first]",
    };
}
