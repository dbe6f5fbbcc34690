using System.Diagnostics.CodeAnalysis;
using Wire.Format;
using Wire.Runtime;

namespace Wire.ValueSerializers.Conversion;

/// <summary>
/// Finds the reader of a number that a writer declared with another number type than this program does. Each value is read exactly, or
/// refused. Floats and decimals are not read as each other: hardly any value with a fraction is the same in both.
/// </summary>
[UnconditionalSuppressMessage("AOT", "IL3050", Justification = TrimmingAdvice.Inside)]
[UnconditionalSuppressMessage("Trimming", "IL2076", Justification = TrimmingAdvice.Inside)]
[UnconditionalSuppressMessage("Trimming", "IL2026", Justification = TrimmingAdvice.Inside)]
[UnconditionalSuppressMessage("Trimming", "IL2072", Justification = TrimmingAdvice.Inside)]
internal static class NumberConversion
{
    private enum Kind
    {
        Integer,
        Float,
        Decimal,
    }

    /// <summary>Returns whether a tag is that of an integer type.</summary>
    public static bool IsInteger(byte tag) => tag is >= Tag.SByte and <= Tag.UIntPtr;

    /// <summary>Finds the serializer that reads the writer's number as the reader's; null when there is none.</summary>
    /// <typeparam name="T">The reader's type: a number, or an enum over it.</typeparam>
    public static ValueSerializer<T>? Find<T>(byte from, byte to, ValueSerializer<T> target)
        where T : unmanaged
    {
        if (KindOf(from) is not { } source || KindOf(to) is not { } wanted
            || (typeof(T).IsEnum && source != Kind.Integer)
            || ConversionOf(source, wanted) is not { } conversion)
        {
            return null;
        }

        Type written = LayoutOf(from), number = TagTypes.TypeOf(to);
        Type format = source == Kind.Decimal ? typeof(DecimalFormat) : ClosedTypes.Close(typeof(RawFormat<>), written);
        Type exact = conversion.GetGenericArguments().Length == 2 ? ClosedTypes.Close(conversion, written, number)
            : ClosedTypes.Close(conversion, source == Kind.Integer ? written : number);
        return (ValueSerializer<T>)ClosedTypes.Create(
            typeof(ConvertedNumberSerializer<,,,,>), [written, format, number, exact, typeof(T)], target);
    }

    private static Kind? KindOf(byte tag) =>
        IsInteger(tag) ? Kind.Integer
        : tag is Tag.Half or Tag.Single or Tag.Double ? Kind.Float
        : tag == Tag.Decimal ? Kind.Decimal
        : null;

    // Eight bytes, also where this platform's have four.
    private static Type LayoutOf(byte tag) =>
        tag == Tag.IntPtr ? typeof(long) : tag == Tag.UIntPtr ? typeof(ulong) : TagTypes.TypeOf(tag);

    private static Type? ConversionOf(Kind from, Kind to) => (from, to) switch
    {
        (Kind.Integer, Kind.Integer) => typeof(IntegerToInteger<,>),
        (Kind.Integer, Kind.Float) => typeof(IntegerToFloat<,>),
        (Kind.Integer, Kind.Decimal) => typeof(IntegerToDecimal<>),
        (Kind.Float, Kind.Integer) => typeof(FloatToInteger<,>),
        (Kind.Float, Kind.Float) => typeof(FloatToFloat<,>),
        (Kind.Decimal, Kind.Integer) => typeof(DecimalToInteger<>),
        _ => null,
    };
}
