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

    /// <summary>Returns the text that a value has by itself.</summary>
    public static string Own(object value) => Convert.ToString(value, CultureInfo.InvariantCulture)!;

    /// <summary>Returns the text of a truth value.</summary>
    public static string Boolean(object value) => (bool)value ? "true" : "false";

    /// <summary>Returns the text of a time, which ends with its kind.</summary>
    public static string DateTime(object value) => In(value, "yyyy-MM-ddTHH:mm:ss.FFFFFFF") + Suffix((DateTime)value);

    /// <summary>Returns the text of a time with an offset.</summary>
    public static string DateTimeOffset(object value) => In(value, "yyyy-MM-ddTHH:mm:ss.FFFFFFFzzz");

    /// <summary>Returns the text of a date.</summary>
    public static string DateOnly(object value) => In(value, "yyyy-MM-dd");

    /// <summary>Returns the text of a time of day.</summary>
    public static string TimeOnly(object value) => In(value, "HH:mm:ss.FFFFFFF");

    /// <summary>Returns the text of both parts of a number.</summary>
    public static string Complex(object value) => $"{Own(((Complex)value).Real)}, {Own(((Complex)value).Imaginary)}";

    /// <summary>Returns the text of an integer.</summary>
    public static string BigInteger(object value) => ((BigInteger)value).GetByteCount() <= MostDigitBytes
        ? Own(value)
        : "0x" + Convert.ToHexString(((BigInteger)value).ToByteArray(isBigEndian: true));

    private static string In(object value, string format) => ((IFormattable)value).ToString(format, CultureInfo.InvariantCulture);

    // The kind, of which 3 is the first of the two passes through an hour when clocks are set back.
    private static string Suffix(DateTime time) => (Unsafe.BitCast<DateTime, ulong>(time) >> 62) switch
    {
        0 => "",
        1 => "Z",
        2 => "[local]",
        _ => "[local, first]",
    };
}
