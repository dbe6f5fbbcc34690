using System.ComponentModel;
using System.ComponentModel.DataAnnotations;
using System.Data.SqlTypes;
using System.Diagnostics.CodeAnalysis;
using System.Dynamic;
using System.Net;
using System.Net.Sockets;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Text.Json;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using Wire.Format;
using Wire.Runtime;
using Wire.SerializerFactories;
using Wire.Surrogates;
using Wire.Types;
using Wire.ValueSerializers;
using Wire.ValueSerializers.Collections;
using Wire.ValueSerializers.Collections.Kinds;
using Wire.ValueSerializers.Exceptions;
using Wire.ValueSerializers.Scalars;
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

    /// <summary>Makes the row of a class of the program, with all its members.</summary>
    /// <typeparam name="T">The class.</typeparam>
    public static WireTypeRow Class<[DynamicallyAccessedMembers(Members)] T>()
        where T : class
    {
        ClosedTypes.Add(typeof(ReferenceSlot<T>), static a => new ReferenceSlot<T>((TypeRegistry)a[0]!));
        KeepMembers<T>();
        return Row<T>();
    }

    /// <inheritdoc cref="Class{T}()"/>
    /// <param name="create">
    /// Makes an object whose fields are all zero, a new one each time, as <c>static () => new Line()</c> does where no constructor and no
    /// initializer does anything, and <c>static () => new Placed(0, null!)</c> for a positional record. Several threads may call it, and
    /// what it throws comes out as it is. Native code makes objects faster by it than by copying one.
    /// </param>
    /// <exception cref="ArgumentNullException"><paramref name="create"/> is null.</exception>
    /// <exception cref="ArgumentException"><typeparamref name="T"/> is abstract or an interface, of which there are no objects.</exception>
    /// <remarks>
    /// Two objects are looked at when the class is written or read first. If they are of a derived class or have fields that are set, that
    /// is an <see cref="UnsupportedTypeException"/>: what a payload does not hold would be that of the constructor, in native programs
    /// alone. Where code is emitted, nothing calls <paramref name="create"/>.
    /// </remarks>
    public static WireTypeRow Class<[DynamicallyAccessedMembers(Members)] T>(Func<T> create)
        where T : class
    {
        ArgumentNullException.ThrowIfNull(create);
        return typeof(T).IsAbstract
            ? throw new ArgumentException($"{typeof(T)} is abstract: give the rows of the classes that derive from it their functions.")
            : new WireTypeRow(Class<T>().Type, create);
    }

    /// <summary>Makes the row of a struct, with all its members; also where it may be null, and in arrays and lists.</summary>
    /// <typeparam name="T">The struct.</typeparam>
    public static WireTypeRow Struct<[DynamicallyAccessedMembers(Members)] T>()
        where T : struct
    {
        KeepParts<T>();
        return Row<T>();
    }

    /// <summary>Makes the row of an inline array, and what its elements need; also where it may be null, and in arrays and lists.</summary>
    /// <typeparam name="T">The struct with <see cref="InlineArrayAttribute"/>.</typeparam>
    /// <typeparam name="TElement">The type of its one field.</typeparam>
    /// <exception cref="ArgumentException"><typeparamref name="T"/> is no inline array of such elements.</exception>
    public static WireTypeRow InlineArray<[DynamicallyAccessedMembers(Members)] T, TElement>()
        where T : struct
    {
        if (InlineArrays.ElementOf(typeof(T))?.FieldType != typeof(TElement))
        {
            throw new ArgumentException($"{typeof(T)} is no inline array whose elements are of type {typeof(TElement)}.");
        }

        ClosedTypes.Add(
            typeof(InlineArraySerializer<T, TElement>),
            static a => new InlineArraySerializer<T, TElement>((ValueSerializer<TElement>)a[0]!));
        KeepValue<TElement>();
        return Struct<T>();
    }

    /// <summary>Makes the row of an enum; also where it may be null, and in arrays and lists.</summary>
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
        ClosedTypes.Add(
            typeof(FixedSerializer<T, EnumFormat<T, TNumber>>),
            static a => new FixedSerializer<T, EnumFormat<T, TNumber>>((byte)a[0]!));
        KeepStruct<T>();
        return Row<T>();
    }

    /// <inheritdoc cref="Enum{T, TNumber}"/>
    public static WireTypeRow Enum<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields)] T>()
        where T : unmanaged, Enum => Enum<T, int>();

    /// <summary>Makes the row of a surrogate that is made of types, such as an instance of a generic one.</summary>
    /// <typeparam name="TSource">The type that is replaced.</typeparam>
    /// <typeparam name="TSurrogate">Its stand-in.</typeparam>
    public static WireTypeRow Surrogate<TSource, [DynamicallyAccessedMembers(Members)] TSurrogate>()
        where TSurrogate : ISurrogate<TSurrogate, TSource>
    {
        ClosedTypes.Add(
            typeof(SelfMadeSurrogate.Closed<TSource, TSurrogate>),
            static _ => new SelfMadeSurrogate.Closed<TSource, TSurrogate>());
        KeepValue<TSource>();
        KeepMembers<TSurrogate>();
        return Row<TSurrogate>();
    }

    /// <summary>Makes the row of an array of one dimension.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    public static WireTypeRow Array<T>()
    {
        KeepList<T>();
        return Row<T[]>();
    }

    /// <summary>Makes the row of a class that <see cref="ValueSerializerFactory.ForCollection"/> names.</summary>
    /// <typeparam name="TCollection">The class.</typeparam>
    /// <typeparam name="T">The type of its elements.</typeparam>
    public static WireTypeRow NamedCollection<[DynamicallyAccessedMembers(Members)] TCollection, T>()
        where TCollection : class, IEnumerable<T>
    {
        ClosedTypes.Add(
            typeof(NamedCollectionSerializer<TCollection, T>),
            static a => new NamedCollectionSerializer<TCollection, T>((ValueSerializer<T>)a[0]!, (CollectionFactory.Face)a[1]!));
        KeepList<T>();
        return Row<TCollection>();
    }

    /// <summary>Makes the row of an array of several dimensions.</summary>
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

        ClosedTypes.Add(
            typeof(ArrayOfRankSerializer<TArray, T>),
            static a => new ArrayOfRankSerializer<TArray, T>((ValueSerializer<T>)a[0]!, (int)a[1]!));
        KeepValue<T>();
        return Row<TArray>();
    }

    /// <summary>Makes the row of a list.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    public static WireTypeRow List<T>()
    {
        KeepList<T>();
        ClosedTypes.Add(typeof(Materialized.ListCollector<T>), static a => new Materialized.ListCollector<T>((ListSerializer<T>)a[0]!));
        return Row<List<T>>();
    }

    /// <summary>Makes the row of lists that are bound to controls, and of ValidationResult.</summary>
    public static WireTypeRow Components()
    {
        Wrapped<ValidationResult, ValidationResultState, ValidationResultState, ValidationResultKind>();
        Families.Add(Families.Components());
        return Row<BindingList<object>>();
    }

    /// <summary>Makes the row of the values of databases in System.Data.SqlTypes, and of PropertyCollection.</summary>
    public static WireTypeRow Data()
    {
        KeepPart<SqlCompareOptions, int>();
        Families.Add(Families.Data());
        return Row<SqlString>();
    }

    /// <summary>Makes the row of ExpandoObject.</summary>
    public static WireTypeRow Dynamic()
    {
        Grown<ExpandoObject, KeyValuePair<string, object?>, IEnumerator<KeyValuePair<string, object?>>, ExpandoKind>();
        Families.Add(Families.Dynamic());
        return Row<ExpandoObject>();
    }

    /// <summary>Makes the row of JsonElement, JsonDocument, and the nodes of System.Text.Json.</summary>
    public static WireTypeRow Json()
    {
        KeepParts<JsonNodeParts>();
        Families.Add(Families.Json());
        return Row<JsonElement>();
    }

    /// <summary>Makes the row of addresses, end points, cookies and other values of System.Net.</summary>
    public static WireTypeRow Net()
    {
        KeepPart<CookieConversion.Flags, byte>();
        KeepPart<AddressFamily, int>();
        Families.Add(Families.Net());
        return Row<IPAddress>();
    }

    /// <summary>Makes the row of regular expressions.</summary>
    public static WireTypeRow Regex()
    {
        KeepPart<RegexOptions, int>();
        Families.Add(Families.Regex());
        return Row<System.Text.RegularExpressions.Regex>();
    }

    /// <summary>
    /// Makes the row of encodings, StringBuilder, time zones, formats, vectors, points, colors, MemoryStream, AssemblyName, and the numbers
    /// of activities.
    /// </summary>
    public static WireTypeRow Scalars()
    {
        KeepPartsOfScalars();
        Families.Add(Families.Scalars());
        return Row<System.Text.Encoding>();
    }

    /// <summary>
    /// Makes the row of the collections of System.Collections and System.Collections.Specialized, which have no type arguments.
    /// </summary>
    public static WireTypeRow Untyped()
    {
        KeepUntyped();
        Families.Add(Families.Untyped());
        return Row<System.Collections.ArrayList>();
    }

    /// <summary>Makes the row of the elements, documents and names of System.Xml.Linq.</summary>
    public static WireTypeRow Xml()
    {
        KeepParts<XDocumentConversion.Declaration>();
        Families.Add(Families.Xml());
        return Row<XElement>();
    }
}
