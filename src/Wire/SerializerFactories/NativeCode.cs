using System.Diagnostics.CodeAnalysis;
using Wire.Compilation;
using Wire.Plans;
using Wire.Runtime;
using Wire.Types;
using Wire.ValueSerializers;
using Wire.ValueSerializers.Collections;
using Wire.ValueSerializers.Collections.Kinds;
using Wire.ValueSerializers.Exceptions;
using Wire.ValueSerializers.Scalars;

namespace Wire.SerializerFactories;

/// <summary>
/// The closed types that Wire makes of a type of the program: rows of <see cref="WireTypes"/> tell the compiler of native code of each, by
/// a lambda that makes an object of it.
/// </summary>
[UnconditionalSuppressMessage("Trimming", "IL2026", Justification = TrimmingAdvice.Inside)]
[UnconditionalSuppressMessage("Trimming", "IL2091", Justification = "What is a value of the program has a row of its own.")]
[UnconditionalSuppressMessage("AOT", "IL3050", Justification = TrimmingAdvice.Inside)]
internal static partial class NativeCode
{
    /// <summary>The members of what is written member by member.</summary>
    public const DynamicallyAccessedMemberTypes Members =
        DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.NonPublicFields
        | DynamicallyAccessedMemberTypes.PublicProperties | DynamicallyAccessedMemberTypes.NonPublicProperties;

    private const DynamicallyAccessedMemberTypes OfKind =
        DynamicallyAccessedMemberTypes.Interfaces | DynamicallyAccessedMemberTypes.PublicProperties;

    /// <summary>
    /// Keeps what most programs need: variables of scalars that may be null, lists of them, and collections of objects, whose code serves
    /// those of all classes.
    /// </summary>
    public static void KeepCommon()
    {
        KeepScalars();
        KeepNumbers();
        WireRow.Class<object>();
        KeepAny<object>();
        WireRow.List<object>();
        WireRow.Array<object[,], object>();
        WireRow.Dictionary<object, object>();
        WireRow.Dictionary<string, int>();
        WireRow.Dictionary<int, object>();
        WireRow.HashSet<object>();
        WireRow.Memory<byte>();
        Wrapped<Exception, ExceptionState, ExceptionState, ExceptionKind>();
        KeepMembers<ExceptionState>();
        KeepPair<object, object>();
        KeepList<KeyValuePair<object, object?>>();
        KeepMembers<KeyValuePair<object, object?>>();
        ClosedTypes.Add(typeof(DetailSlot<object, object>), static a => new DetailSlot<object, object>((ValueSerializer<object?>)a[0]!));
        ClosedTypes.Add(typeof(SingleValueSerializer<object>), static a => new SingleValueSerializer<object>(a[0]!));
    }

    // A value that may be null, and arrays and lists of it.
    public static void KeepStruct<T>()
        where T : struct
    {
        KeepScalar<T>();
        KeepValue<T>();
        KeepValue<T?>();
    }

    // A scalar as a member and an element.
    private static void KeepScalar<T>()
        where T : struct
    {
        ClosedTypes.Add(typeof(NullableSerializer<T>), static a => new NullableSerializer<T>((ValueSerializer<T>)a[0]!));
        ClosedTypes.Add(typeof(NullRefusedSerializer<T>), static a => new NullRefusedSerializer<T>((ValueSerializer<T>)a[0]!));
        KeepElements<T>();
    }

    public static WireTypeRow Map<TMap, TKey, TValue, TEnumerator, [DynamicallyAccessedMembers(OfKind)] TKind>()
        where TMap : class
        where TEnumerator : IEnumerator<KeyValuePair<TKey, TValue>>
        where TKind : struct, IGrowingKind<TMap, KeyValuePair<TKey, TValue>, TEnumerator>
    {
        KeepPair<TKey, TValue>();
        return Grown<TMap, KeyValuePair<TKey, TValue>, TEnumerator, TKind>();
    }

    public static WireTypeRow BuiltMap<TMap, TKey, TValue, TEnumerator, TBuilder, [DynamicallyAccessedMembers(OfKind)] TKind>()
        where TMap : class
        where TEnumerator : IEnumerator<KeyValuePair<TKey, TValue>>
        where TKind : struct, IBuiltKind<TMap, KeyValuePair<TKey, TValue>, TEnumerator, TBuilder>
    {
        KeepPair<TKey, TValue>();
        return Built<TMap, KeyValuePair<TKey, TValue>, TEnumerator, TBuilder, TKind>();
    }

    public static WireTypeRow Grown<TCollection, T, TEnumerator, [DynamicallyAccessedMembers(OfKind)] TKind>()
        where TCollection : class
        where TEnumerator : IEnumerator<T>
        where TKind : struct, IGrowingKind<TCollection, T, TEnumerator>
    {
        ClosedTypes.Add(
            typeof(GrowingSerializer<TCollection, T, TEnumerator, TKind>),
            static a => new GrowingSerializer<TCollection, T, TEnumerator, TKind>((ValueSerializer<T>)a[0]!));
        KeepKind<TKind>();
        KeepValue<T>();
        return Row<TCollection>();
    }

    public static WireTypeRow Built<TCollection, T, TEnumerator, TBuilder, [DynamicallyAccessedMembers(OfKind)] TKind>()
        where TCollection : class
        where TEnumerator : IEnumerator<T>
        where TKind : struct, IBuiltKind<TCollection, T, TEnumerator, TBuilder>
    {
        ClosedTypes.Add(
            typeof(BuiltSerializer<TCollection, T, TEnumerator, TBuilder, TKind>),
            static a => new BuiltSerializer<TCollection, T, TEnumerator, TBuilder, TKind>((ValueSerializer<T>)a[0]!));
        KeepKind<TKind>();
        KeepValue<T>();
        return Row<TCollection>();
    }

    public static WireTypeRow Wrapped<TWrapper, TInner, T, [DynamicallyAccessedMembers(OfKind)] TKind>()
        where TWrapper : class
        where TKind : struct, IWrapperKind<TWrapper, TInner>
    {
        ClosedTypes.Add(
            typeof(WrapperSerializer<TWrapper, TInner, TKind>),
            static a => new WrapperSerializer<TWrapper, TInner, TKind>((ValueSerializer<TInner>)a[0]!));
        KeepKind<TKind>();
        KeepList<T>();
        return Row<TWrapper>();
    }

    public static void KeepPair<TKey, TValue>()
    {
        ClosedTypes.Add(
            typeof(PairSerializer<TKey, TValue>),
            static a => new PairSerializer<TKey, TValue>((ValueSerializer<TKey>)a[0]!, (ValueSerializer<TValue>)a[1]!, (bool)a[2]!));
        KeepValue<TKey>();
        KeepValue<TValue>();
    }

    public static void KeepGroups<TKey, TElement>()
    {
        KeepPair<TKey, TElement[]>();
        ClosedTypes.Add(
            typeof(CopiedArraySerializer<TElement>),
            static a => new CopiedArraySerializer<TElement>((ValueSerializer<TElement[]?>)a[0]!, (int)a[1]!));
        KeepMembers<KeyValuePair<TKey, TElement[]>>();
        KeepList<TElement>();
    }

    public static WireTypeRow Vector<TVector, T>()
        where TVector : unmanaged
        where T : unmanaged
    {
        ClosedTypes.Add(typeof(VectorSerializer<TVector, T>), static a => new VectorSerializer<TVector, T>((ValueSerializer<T>)a[0]!));
        KeepMemory<T>();
        KeepStruct<TVector>();
        return Row<TVector>();
    }

    public static void KeepMemory<T>()
    {
        ClosedTypes.Add(typeof(MemorySerializer<T>), static a => new MemorySerializer<T>((ValueSerializer<T>)a[0]!));
        ClosedTypes.Add(typeof(ReadOnlyMemorySerializer<T>), static a => new ReadOnlyMemorySerializer<T>((ValueSerializer<T>)a[0]!));
        ClosedTypes.Add(
            typeof(NullableSerializer<ReadOnlyMemory<T>>),
            static a => new NullableSerializer<ReadOnlyMemory<T>>((ValueSerializer<ReadOnlyMemory<T>>)a[0]!));
        KeepValue<ReadOnlyMemory<T>>();
        KeepValue<ReadOnlyMemory<T>?>();
        KeepList<T>();
    }

    public static void KeepList<T>()
    {
        KeepElements<T>();
        KeepValue<T>();
    }

    private static void KeepElements<T>()
    {
        ClosedTypes.Add(typeof(ArraySerializer<T>), static a => new ArraySerializer<T>((ValueSerializer<T>)a[0]!));
        ClosedTypes.Add(typeof(ListSerializer<T>), static a => new ListSerializer<T>((ValueSerializer<T>)a[0]!));
    }

    // What a value of any type may need: as what a program asks for by its type, with a serializer of the program, in tuples. Of classes,
    // native code makes it while it runs, by that of object: few need it, and a process is the later to begin the more types there are.
    public static void KeepValue<T>()
    {
        if (typeof(T).IsValueType)
        {
            KeepAny<T>();
        }
    }

    private static void KeepAny<T>()
    {
        ClosedTypes.Add(typeof(UnsharedSerializer<T>), static a => new UnsharedSerializer<T>((ValueSerializer<T>)a[0]!));
        ClosedTypes.Add(typeof(UserSerializer<T>), static a => new UserSerializer<T>((ValueSerializer<T>)a[0]!));
        ClosedTypes.Add(typeof(Preparation.Root<T>), static _ => new Preparation.Root<T>());
        ClosedTypes.Add(typeof(Serializer.ByType<T>), static _ => new Serializer.ByType<T>());
    }

    // What is written member by member.
    public static void KeepMembers<[DynamicallyAccessedMembers(Members)] T>()
    {
        ClosedTypes.Add(typeof(ComplexSerializer<T>), static a => new ComplexSerializer<T>((TypeRegistry)a[0]!));
        ClosedTypes.Add(typeof(TypeInterpreter.Variable<T>), static _ => new TypeInterpreter.Variable<T>());
        KeepValue<T>();
    }

    // The stand-in of a surrogate. The program has said its type in the call that makes the surrogate, and needs no row to say it again.
    public static void KeepStandIn<T>()
    {
        if (typeof(T).IsValueType)
        {
            KeepMembers<T>();
        }
    }

    public static WireTypeRow Row<T>() => new(typeof(T));

    public static void KeepKind<[DynamicallyAccessedMembers(OfKind)] TKind>()
    {
    }
}
