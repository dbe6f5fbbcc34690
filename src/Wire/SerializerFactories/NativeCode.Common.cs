using System.Collections;
using System.Collections.Specialized;
using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Numerics;
using System.Reflection;
using Wire.Format;
using Wire.Runtime;
using Wire.ValueSerializers;
using Wire.ValueSerializers.Collections.Kinds;
using Wire.ValueSerializers.Conversion;
using Wire.ValueSerializers.Scalars;
using Pair = System.Collections.Generic.KeyValuePair<object, object?>;
using Pairs = System.ArraySegment<System.Collections.Generic.KeyValuePair<object, object?>>.Enumerator;
using TextPair = System.Collections.Generic.KeyValuePair<string, string?>;
using TextPairs = System.ArraySegment<System.Collections.Generic.KeyValuePair<string, string?>>.Enumerator;
using TextsPair = System.Collections.Generic.KeyValuePair<string?, string?[]?>;
using TextsPairs = System.ArraySegment<System.Collections.Generic.KeyValuePair<string?, string?[]?>>.Enumerator;

namespace Wire.SerializerFactories;

/// <content>What depends on no type of a program: scalars, numbers as other numbers, collections without type arguments.</content>
internal static partial class NativeCode
{
    private static void KeepScalars()
    {
        KeepScalar<bool>();
        KeepScalar<byte>();
        KeepScalar<sbyte>();
        KeepScalar<short>();
        KeepScalar<ushort>();
        KeepScalar<int>();
        KeepScalar<uint>();
        KeepScalar<long>();
        KeepScalar<ulong>();
        KeepScalar<float>();
        KeepScalar<double>();
        KeepScalar<decimal>();
        KeepScalar<char>();
        KeepScalar<Guid>();
        KeepScalar<DateTime>();
        KeepScalar<DateTimeOffset>();
        KeepScalar<TimeSpan>();
        KeepScalar<DateOnly>();
        KeepScalar<TimeOnly>();
    }

    // Where a writer declares a number of one type, and this program one of another: all pairs that NumberConversion finds.
    private static void KeepNumbers()
    {
        KeepInteger<sbyte>();
        KeepInteger<byte>();
        KeepInteger<short>();
        KeepInteger<ushort>();
        KeepInteger<int>();
        KeepInteger<uint>();
        KeepInteger<long>();
        KeepInteger<ulong>();
        KeepInteger<Int128>();
        KeepInteger<UInt128>();
        KeepInteger<nint>();
        KeepInteger<nuint>();
        KeepNumber<Half, float, FloatToFloat<Half, float>>();
        KeepNumber<Half, double, FloatToFloat<Half, double>>();
        KeepNumber<float, Half, FloatToFloat<float, Half>>();
        KeepNumber<float, double, FloatToFloat<float, double>>();
        KeepNumber<double, Half, FloatToFloat<double, Half>>();
        KeepNumber<double, float, FloatToFloat<double, float>>();
    }

    // An integer of each type that is written, floats and decimals read as an integer. Native integers are written as those of 64 bits.
    private static void KeepInteger<T>()
        where T : unmanaged, IBinaryInteger<T>
    {
        KeepNumber<sbyte, T, IntegerToInteger<sbyte, T>>();
        KeepNumber<byte, T, IntegerToInteger<byte, T>>();
        KeepNumber<short, T, IntegerToInteger<short, T>>();
        KeepNumber<ushort, T, IntegerToInteger<ushort, T>>();
        KeepNumber<int, T, IntegerToInteger<int, T>>();
        KeepNumber<uint, T, IntegerToInteger<uint, T>>();
        KeepNumber<long, T, IntegerToInteger<long, T>>();
        KeepNumber<ulong, T, IntegerToInteger<ulong, T>>();
        KeepNumber<Int128, T, IntegerToInteger<Int128, T>>();
        KeepNumber<UInt128, T, IntegerToInteger<UInt128, T>>();
        KeepNumber<Half, T, FloatToInteger<Half, T>>();
        KeepNumber<float, T, FloatToInteger<float, T>>();
        KeepNumber<double, T, FloatToInteger<double, T>>();
        KeepNumber<decimal, DecimalFormat, T, DecimalToInteger<T>, T>();
        // No integer is written as a native one.
        if (typeof(T) != typeof(nint) && typeof(T) != typeof(nuint))
        {
            KeepNumber<T, Half, IntegerToFloat<T, Half>>();
            KeepNumber<T, float, IntegerToFloat<T, float>>();
            KeepNumber<T, double, IntegerToFloat<T, double>>();
            KeepNumber<T, decimal, IntegerToDecimal<T>>();
        }
    }

    /// <summary>Keeps what reads integers as an enum.</summary>
    public static void KeepEnum<T, TNumber>()
        where T : unmanaged, Enum
        where TNumber : unmanaged, IBinaryInteger<TNumber>
    {
        KeepNumber<sbyte, RawFormat<sbyte>, TNumber, IntegerToInteger<sbyte, TNumber>, T>();
        KeepNumber<byte, RawFormat<byte>, TNumber, IntegerToInteger<byte, TNumber>, T>();
        KeepNumber<short, RawFormat<short>, TNumber, IntegerToInteger<short, TNumber>, T>();
        KeepNumber<ushort, RawFormat<ushort>, TNumber, IntegerToInteger<ushort, TNumber>, T>();
        KeepNumber<int, RawFormat<int>, TNumber, IntegerToInteger<int, TNumber>, T>();
        KeepNumber<uint, RawFormat<uint>, TNumber, IntegerToInteger<uint, TNumber>, T>();
        KeepNumber<long, RawFormat<long>, TNumber, IntegerToInteger<long, TNumber>, T>();
        KeepNumber<ulong, RawFormat<ulong>, TNumber, IntegerToInteger<ulong, TNumber>, T>();
        KeepNumber<Int128, RawFormat<Int128>, TNumber, IntegerToInteger<Int128, TNumber>, T>();
        KeepNumber<UInt128, RawFormat<UInt128>, TNumber, IntegerToInteger<UInt128, TNumber>, T>();
    }

    private static void KeepNumber<TFrom, TTo, TConversion>()
        where TFrom : unmanaged, IFormattable
        where TTo : unmanaged
        where TConversion : struct, IExactConversion<TFrom, TTo> => KeepNumber<TFrom, RawFormat<TFrom>, TTo, TConversion, TTo>();

    private static void KeepNumber<TFrom, TFormat, TTo, TConversion, T>()
        where TFrom : unmanaged, IFormattable
        where TFormat : struct, IFixedFormat<TFrom>
        where TTo : unmanaged
        where TConversion : struct, IExactConversion<TFrom, TTo>
        where T : unmanaged => ClosedTypes.Add(
            typeof(ConvertedNumberSerializer<TFrom, TFormat, TTo, TConversion, T>),
            static a => new ConvertedNumberSerializer<TFrom, TFormat, TTo, TConversion, T>((ValueSerializer<T>)a[0]!));

    /// <summary>Keeps what scalars of .NET are written as, which no row can name, and enums that few messages hold otherwise.</summary>
    public static void KeepPartsOfScalars()
    {
        KeepParts<CalendarParts>();
        KeepParts<EncodingConversion.Fallback>();
        KeepParts<MemoryStreamConversion.FixedBuffer>();
        KeepParts<ZoneRules.Transition>();
        KeepPart<EncodingConversion.FallbackKind, byte>();
        KeepPart<DayOfWeek, int>();
        KeepPart<PlatformID, int>();
        KeepPart<ActivityTraceFlags, int>();
        KeepPart<AssemblyContentType, int>();
        KeepPart<AssemblyNameFlags, int>();
        KeepPart<CalendarWeekRule, int>();
        KeepPart<DigitShapes, int>();
    }

    public static void KeepParts<[DynamicallyAccessedMembers(Members)] T>()
        where T : struct
    {
        KeepMembers<T>();
        KeepStruct<T>();
    }

    public static void KeepPart<T, TNumber>()
        where T : unmanaged, Enum
        where TNumber : unmanaged, IBinaryInteger<TNumber>
    {
        ClosedTypes.Add(
            typeof(FixedSerializer<T, EnumFormat<T, TNumber>>),
            static a => new FixedSerializer<T, EnumFormat<T, TNumber>>((byte)a[0]!));
        KeepValue<T>();
    }

    // Their kinds are structs, of which nothing else tells.
    public static void KeepUntyped()
    {
        Grown<ArrayList, object?, ArraySegment<object?>.Enumerator, ArrayListKind>();
        Grown<Queue, object?, ArraySegment<object?>.Enumerator, UntypedQueueKind>();
        Grown<Stack, object?, ArraySegment<object?>.Enumerator, UntypedStackKind>();
        Grown<Hashtable, Pair, Pairs, HashtableKind>();
        Grown<SortedList, Pair, Pairs, UntypedSortedListKind>();
        Grown<NameValueCollection, TextsPair, TextsPairs, NameValueCollectionKind>();
        Grown<StringCollection, string?, ArraySegment<string?>.Enumerator, StringCollectionKind>();
        Grown<StringDictionary, TextPair, TextPairs, StringDictionaryKind>();
        Grown<ListDictionary, Pair, Pairs, ListDictionaryKind>();
        Grown<HybridDictionary, Pair, Pairs, HybridDictionaryKind>();
        Grown<OrderedDictionary, Pair, Pairs, UntypedOrderedDictionaryKind>();
        Wrapped<CollectionBase, ArrayList, object?, CollectionBaseKind>();
        Wrapped<DictionaryBase, Hashtable, Pair, DictionaryBaseKind>();
        // The code of all views, whose classes are internal to .NET.
        Wrapped<object, object, object, ViewKind<object, object>>();
    }
}
