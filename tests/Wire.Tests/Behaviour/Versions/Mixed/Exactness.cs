using System.Numerics;

namespace Wire.Tests.Behaviour.Versions.Mixed;

/// <summary>A number as one of another type, where that holds it exactly: by arithmetic without bounds, not by the library's.</summary>
internal static class Exactness
{
    /// <summary>Returns the number; null where the type does not hold it, or where the two types never convert.</summary>
    public static object? Convert(object number, string type) => number switch
    {
        _ when Form.Numbers[type] == number.GetType() => number,
        float or double when type == "decimal" => null,
        decimal when type is "float" or "double" => null,
        float single => OfDouble(single, type),
        double twice => OfDouble(twice, type),
        decimal many => many == decimal.Truncate(many) ? OfInteger(new BigInteger(many), type) : null,
        Int128 wide => OfInteger(wide, type),
        ulong unsigned => OfInteger(unsigned, type),
        _ => OfInteger(System.Convert.ToInt64(number, null), type),
    };

    /// <summary>Returns the whole number.</summary>
    public static BigInteger ToInteger(object number) => number switch
    {
        Int128 wide => wide,
        ulong unsigned => unsigned,
        _ => System.Convert.ToInt64(number, null),
    };

    public static object? OfInteger(BigInteger number, string type) => type switch
    {
        "sbyte" => number >= sbyte.MinValue && number <= sbyte.MaxValue ? (sbyte)number : null,
        "byte" => number >= 0 && number <= byte.MaxValue ? (byte)number : null,
        "short" => number >= short.MinValue && number <= short.MaxValue ? (short)number : null,
        "ushort" => number >= 0 && number <= ushort.MaxValue ? (ushort)number : null,
        "int" => number >= int.MinValue && number <= int.MaxValue ? (int)number : null,
        "uint" => number >= 0 && number <= uint.MaxValue ? (uint)number : null,
        "long" => number >= long.MinValue && number <= long.MaxValue ? (long)number : null,
        "ulong" => number >= 0 && number <= ulong.MaxValue ? (ulong)number : null,
        "Int128" => number >= Int128.MinValue && number <= Int128.MaxValue ? (Int128)number : null,
        "float" => new BigInteger((float)number) == number ? (float)number : null,
        "double" => new BigInteger((double)number) == number ? (double)number : null,
        _ => BigInteger.Abs(number) < new BigInteger(decimal.MaxValue) ? (decimal)number : null,
    };

    private static object? OfDouble(double number, string type) => type switch
    {
        "double" => number,
        "float" => (float)number == number ? (float)number : null,
        _ => number == Math.Truncate(number) && double.IsFinite(number) ? OfInteger(new BigInteger(number), type) : null,
    };
}
