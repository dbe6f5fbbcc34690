using System.Diagnostics.CodeAnalysis;
using Wire.Format;
using Wire.Runtime;

namespace Wire.ValueSerializers;

/// <summary>
/// Finds the reader of a number that a writer declared with another number type than this program does. Each value is read exactly, or
/// refused. Floats and decimals are not read as each other: hardly any value with a fraction is the same in both.
/// </summary>
[UnconditionalSuppressMessage("AOT", "IL3050", Justification = TrimmingAdvice.Inside)]
[UnconditionalSuppressMessage("Trimming", "IL2076", Justification = TrimmingAdvice.Inside)]
[UnconditionalSuppressMessage("Trimming", "IL2055", Justification = TrimmingAdvice.Inside)]
internal static class NumberConversion
{
    private enum Kind
    {
        Integer,
        Float,
        Decimal,
    }

    private static readonly Dictionary<byte, Number> Numbers = new()
    {
        [Tag.SByte] = new(Kind.Integer, typeof(sbyte)),
        [Tag.Byte] = new(Kind.Integer, typeof(byte)),
        [Tag.Int16] = new(Kind.Integer, typeof(short)),
        [Tag.UInt16] = new(Kind.Integer, typeof(ushort)),
        [Tag.Int32] = new(Kind.Integer, typeof(int)),
        [Tag.UInt32] = new(Kind.Integer, typeof(uint)),
        [Tag.Int64] = new(Kind.Integer, typeof(long)),
        [Tag.UInt64] = new(Kind.Integer, typeof(ulong)),
        [Tag.Int128] = new(Kind.Integer, typeof(Int128)),
        [Tag.UInt128] = new(Kind.Integer, typeof(UInt128)),
        // Eight bytes, also where this platform's have four.
        [Tag.IntPtr] = new(Kind.Integer, typeof(nint)) { Written = typeof(long) },
        [Tag.UIntPtr] = new(Kind.Integer, typeof(nuint)) { Written = typeof(ulong) },
        [Tag.Half] = new(Kind.Float, typeof(Half)),
        [Tag.Single] = new(Kind.Float, typeof(float)),
        [Tag.Double] = new(Kind.Float, typeof(double)),
        [Tag.Decimal] = new(Kind.Decimal, typeof(decimal)),
    };

    /// <summary>Finds the serializer that reads the writer's number as the reader's; null when there is none.</summary>
    /// <typeparam name="T">The reader's type: a number, or an enum over it.</typeparam>
    public static ValueSerializer<T>? Find<T>(byte from, byte to, ValueSerializer<T> target)
        where T : unmanaged
    {
        if (!Numbers.TryGetValue(from, out Number? source) || !Numbers.TryGetValue(to, out Number? wanted)
            || (typeof(T).IsEnum && source.Kind != Kind.Integer)
            || ConversionOf(source.Kind, wanted.Kind) is not { } conversion)
        {
            return null;
        }

        Type format = source.Kind == Kind.Decimal ? typeof(DecimalFormat) : typeof(RawFormat<>).MakeGenericType(source.Written);
        Type exact = conversion.GetGenericArguments().Length == 2 ? conversion.MakeGenericType(source.Written, wanted.Type)
            : conversion.MakeGenericType(source.Kind == Kind.Integer ? source.Written : wanted.Type);
        return (ValueSerializer<T>)Activator.CreateInstance(
            typeof(ConvertedNumberSerializer<,,,,>).MakeGenericType(source.Written, format, wanted.Type, exact, typeof(T)), target)!;
    }

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

    private sealed record Number(Kind Kind, Type Type)
    {
        /// <summary>The type that has the layout of its bytes.</summary>
        public Type Written { get; init; } = Type;
    }
}
