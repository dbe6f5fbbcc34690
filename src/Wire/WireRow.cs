using System.Diagnostics.CodeAnalysis;
using System.Numerics;
using Wire.Format;
using Wire.Runtime;
using Wire.Surrogates;
using Wire.Types;
using Wire.ValueSerializers;
using static Wire.SerializerFactories.NativeCode;

namespace Wire;

/// <summary>
/// Makes the rows of <see cref="WireTypes"/>: each lets the compiler of a native program, and the trimmer, see what Wire makes of a type
/// while the program runs. A row costs some kilobytes of a native program, and nothing elsewhere. Thread-safe.
/// </summary>
[UnconditionalSuppressMessage("Trimming", "IL2026", Justification = TrimmingAdvice.Inside)]
[UnconditionalSuppressMessage("Trimming", "IL2091", Justification = "Lazy calls no constructor here.")]
[UnconditionalSuppressMessage("AOT", "IL3050", Justification = TrimmingAdvice.Inside)]
public static partial class WireRow
{
    private const DynamicallyAccessedMemberTypes Members =
        DynamicallyAccessedMemberTypes.AllFields | DynamicallyAccessedMemberTypes.AllProperties
        | DynamicallyAccessedMemberTypes.AllConstructors | DynamicallyAccessedMemberTypes.AllMethods;

    /// <summary>A class of the program, with all its members.</summary>
    public static WireTypeRow Class<[DynamicallyAccessedMembers(Members)] T>()
        where T : class
    {
        ClosedTypes.Add(static a => new ReferenceSlot<T>((TypeRegistry)a[0]!));
        KeepValue<T>();
        return Row<T>();
    }

    /// <summary>A struct, with all its members; also where it may be null, and in arrays and lists.</summary>
    public static WireTypeRow Struct<[DynamicallyAccessedMembers(Members)] T>()
        where T : struct
    {
        ClosedTypes.Add(static a => new NullableSerializer<T>((ValueSerializer<T>)a[0]!));
        ClosedTypes.Add(static a => new NullRefusedSerializer<T>((ValueSerializer<T>)a[0]!));
        KeepValue<T?>();
        KeepList<T>();
        return Row<T>();
    }

    /// <summary>An enum; also where it may be null, and in arrays and lists.</summary>
    /// <typeparam name="T">The enum.</typeparam>
    /// <typeparam name="TNumber">The integer that it is made of.</typeparam>
    /// <exception cref="ArgumentException">It is made of another one.</exception>
    public static WireTypeRow Enum<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields)] T, TNumber>()
        where T : unmanaged, Enum
        where TNumber : unmanaged, IBinaryInteger<TNumber>
    {
        if (typeof(T).GetEnumUnderlyingType() is var number && number != typeof(TNumber))
        {
            throw new ArgumentException($"{typeof(T)} is made of {number}: use WireRow.Enum<{typeof(T).Name}, {number.Name}>().");
        }

        KeepEnum<T, TNumber>();
        ClosedTypes.Add(static a => new FixedSerializer<T, EnumFormat<T, TNumber>>((byte)a[0]!));
        ClosedTypes.Add(static a => new NullRefusedSerializer<T>((ValueSerializer<T>)a[0]!));
        ClosedTypes.Add(static a => new NullableSerializer<T>((ValueSerializer<T>)a[0]!));
        KeepValue<T?>();
        KeepList<T>();
        return Row<T>();
    }

    /// <inheritdoc cref="Enum{T, TNumber}"/>
    public static WireTypeRow Enum<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields)] T>()
        where T : unmanaged, Enum => Enum<T, int>();

    /// <summary>A surrogate that is made of types, such as an instance of a generic one.</summary>
    /// <typeparam name="TSource">The type that is replaced.</typeparam>
    /// <typeparam name="TSurrogate">Its stand-in.</typeparam>
    public static WireTypeRow Surrogate<TSource, [DynamicallyAccessedMembers(Members)] TSurrogate>()
        where TSurrogate : ISurrogate<TSurrogate, TSource>
    {
        ClosedTypes.Add(static _ => new SelfMadeSurrogate.Closed<TSource, TSurrogate>());
        KeepValue<TSource>();
        KeepValue<TSurrogate>();
        return Row<TSurrogate>();
    }

    /// <summary>An array of one dimension.</summary>
    public static WireTypeRow Array<T>()
    {
        KeepList<T>();
        return Row<T[]>();
    }

    /// <summary>An array of several dimensions.</summary>
    /// <typeparam name="TArray">The array, such as int[,].</typeparam>
    /// <typeparam name="T">The type of its elements.</typeparam>
    /// <exception cref="ArgumentException"><typeparamref name="TArray"/> is no such array.</exception>
    public static WireTypeRow Array<TArray, T>()
        where TArray : class
    {
        if (!typeof(TArray).IsArray || typeof(TArray).IsSZArray || typeof(TArray).GetElementType() != typeof(T))
        {
            throw new ArgumentException($"{typeof(TArray)} is no array of several dimensions whose elements are of type {typeof(T)}.");
        }

        ClosedTypes.Add(static a => new ArrayOfRankSerializer<TArray, T>((ValueSerializer<T>)a[0]!, (int)a[1]!));
        KeepValue<T>();
        return Row<TArray>();
    }

    /// <summary>A list.</summary>
    public static WireTypeRow List<T>()
    {
        KeepList<T>();
        return Row<List<T>>();
    }
}
