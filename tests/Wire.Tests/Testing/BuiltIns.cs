using System.Collections;
using System.Reflection;

namespace Wire.Tests.Testing;

/// <summary>
/// The library's own table of built-in types. It is internal, and read through reflection in this one place: the tests
/// that ask whether something is missing have to ask the table itself, all others see the public surface only.
/// </summary>
internal static class BuiltIns
{
    private static readonly Type Table = typeof(Serializer).Assembly.GetType("Wire.Types.BuiltInTypes", throwOnError: true)!;

    private static readonly Type NativeCode =
        typeof(Serializer).Assembly.GetType("Wire.SerializerFactories.NativeCode", throwOnError: true)!;

    /// <summary>The types with a tag.</summary>
    public static Type[] Types { get; } =
        [.. (IEnumerable<Type>)Table.GetProperty("All", BindingFlags.Public | BindingFlags.Static)!.GetValue(null)!];

    /// <summary>
    /// The types without a tag, and definitions of generic types, that the library knows by name; not those internal to .NET.
    /// </summary>
    public static Type[] Families { get; } =
    [
        .. ((IEnumerable<Type>)typeof(Serializer).Assembly.GetType("Wire.SerializerFactories.Families", throwOnError: true)!
            .GetProperty("Definitions", BindingFlags.Public | BindingFlags.Static)!.GetValue(null)!).Where(type => type.IsVisible),
    ];

    /// <summary>How many bytes a value of a type with a tag takes behind it.</summary>
    public static string SizeOf(Type type)
    {
        object serializer = Table.GetMethod("Find", BindingFlags.Public | BindingFlags.Static)!.Invoke(null, [type])!;
        int size = ((ValueSerializer)serializer.GetType().GetProperty("Serializer")!.GetValue(serializer)!).FixedSize;
        return size > 0
            ? string.Create(System.Globalization.CultureInfo.InvariantCulture, $"{size} byte(s)")
            : "as [format.md](format.md), clause 4, says";
    }

    /// <summary>The numbers of bytes of a value of a type with a tag: as the table of the format has it, and as it is written.</summary>
    public static (int Format, int Written) SizesOf(Type type)
    {
        object entry = Table.GetMethod("Find", BindingFlags.Public | BindingFlags.Static)!.Invoke(null, [type])!;
        return (
            (int)OfFormat("FixedSizeOf", type),
            ((ValueSerializer)entry.GetType().GetProperty("Serializer")!.GetValue(entry)!).FixedSize);
    }

    /// <summary>Whether the table of the format says that not all bytes of the size of a type with a tag are a value.</summary>
    public static bool IsChecked(Type type) => (bool)OfFormat("IsChecked", type);

    /// <summary>What a schema says of how values of a type are written, with default options.</summary>
    public static string WrittenAs(Type type)
    {
        const BindingFlags Any = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;
        object registry = typeof(Serializer).GetProperty("Registry", Any)!.GetValue(new Serializer())!;
        object entry = registry.GetType().GetMethod("Entry", Any)!.Invoke(registry, [type])!;
        return registry.GetType().GetMethod("Shape", Any)!.Invoke(
            registry, [entry.GetType().GetProperty("Serializer")!.GetValue(entry)])!.ToString()!;
    }

    /// <summary>
    /// The types or families that a type is tested as: its own, and the abstract one that a type of the tests derives from, of which no
    /// object is without it.
    /// </summary>
    public static IEnumerable<Type> Definitions(Type type)
    {
        yield return Definition(type);
        if (type.Assembly == typeof(BuiltIns).Assembly && type.BaseType is { IsAbstract: true } parent)
        {
            yield return Definition(parent);
        }
    }

    /// <summary>The type, or the definition of a generic type.</summary>
    public static Type Definition(Type type) => type.IsGenericType ? type.GetGenericTypeDefinition() : type;

    /// <summary>The value serializer that is made of a type.</summary>
    public static ValueSerializer SerializerOf(Type type, SerializerOptions options)
    {
        const BindingFlags Any = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;
        object registry = typeof(Serializer).GetProperty("Registry", Any)!.GetValue(new Serializer(options))!;
        object entry = registry.GetType().GetMethod("Entry", Any)!.Invoke(registry, [type])!;
        return (ValueSerializer)entry.GetType().GetProperty("Serializer")!.GetValue(entry)!;
    }

    /// <summary>The closed types of which a row tells the compiler of native code.</summary>
    public static Type[] SeenByNativeCode(Action row) => (Type[])typeof(Serializer).Assembly
        .GetType("Wire.Runtime.ClosedTypes", throwOnError: true)!.GetMethod("ToldBy")!.Invoke(null, [row])!;

    /// <summary>The closed types that are made of the types of a program, on this thread.</summary>
    public static Type[] MadeBy(Action action) => (Type[])typeof(Serializer).Assembly
        .GetType("Wire.Runtime.ClosedTypes", throwOnError: true)!.GetMethod("MadeBy")!.Invoke(null, [action])!;

    /// <summary>The closed types that are in each native program, whatever its rows are.</summary>
    public static Type[] SeenInAnyCase() => SeenByNativeCode(NativeCode.GetMethod("KeepCommon")!.CreateDelegate<Action>());

    /// <summary>The closed types of which a surrogate tells the compiler of native code, for its stand-in.</summary>
    public static Type[] StandInSeenByNativeCode(Type standIn) => SeenByNativeCode(
        NativeCode.GetMethod("KeepStandIn")!.MakeGenericMethod(standIn).CreateDelegate<Action>());

    /// <summary>The names of the families that a row tells of, or with null of those that need none.</summary>
    public static string[] FamiliesOf(string? row)
    {
        Type families = typeof(Serializer).Assembly.GetType("Wire.SerializerFactories.Families", throwOnError: true)!;
        Array found = (Array)families.GetMethod("Of")!.Invoke(null, [row])!;
        return [.. found.Cast<object>().Select(family => (string)family.GetType().GetProperty("Name")!.GetValue(family)!)];
    }

    /// <summary>Returns whether a native program is told of a row of a generic type, by its name and number of arguments.</summary>
    public static bool HasRow(string name) => (bool)typeof(Serializer).Assembly
        .GetType("Wire.Runtime.NativeNames", throwOnError: true)!.GetMethod("HasRow")!.Invoke(null, [name])!;

    /// <summary>The row that a native program is told to add for a type of .NET; null where there is none.</summary>
    public static string? RowOf(string fullName) => (string?)typeof(Serializer).Assembly
        .GetType("Wire.SerializerFactories.Families", throwOnError: true)!.GetMethod("RowOf")!.Invoke(null, [fullName]);

    /// <summary>What reads numbers of a type for a value serializer of others, or of enums; null where there is no conversion.</summary>
    public static ValueSerializer? ReaderOf(Type from, ValueSerializer target)
    {
        Type to = target.Type.IsEnum ? target.Type.GetEnumUnderlyingType() : target.Type;
        return from == to ? target : (ValueSerializer?)typeof(Serializer).Assembly
            .GetType("Wire.ValueSerializers.Conversion.NumberConversion", throwOnError: true)!.GetMethod("Find")!
            .MakeGenericMethod(target.Type).Invoke(null, [TagOf(from), TagOf(to), target]);
    }

    private static byte TagOf(Type type)
    {
        object entry = Table.GetMethod("Find", BindingFlags.Public | BindingFlags.Static)!.Invoke(null, [type])!;
        return ((byte[])entry.GetType().GetProperty("Prefix")!.GetValue(entry)!)[0];
    }

    /// <summary>What a native program says of a type for which it has no code.</summary>
    public static UnsupportedTypeException Unseen(Type type, Exception? inner = null) =>
        (UnsupportedTypeException)typeof(Serializer).Assembly.GetType("Wire.Runtime.ClosedTypes", throwOnError: true)!
            .GetMethod("Unseen")!.Invoke(null, [type, inner, null])!;

    /// <summary>The same error where the type is that of a member.</summary>
    public static UnsupportedTypeException AtMember(UnsupportedTypeException error, string member) =>
        (UnsupportedTypeException)error.GetType().GetMethod("In", BindingFlags.Instance | BindingFlags.NonPublic)!.Invoke(error, [member])!;

    /// <summary>Whether an error says that native code is missing.</summary>
    public static bool IsUnseen(UnsupportedTypeException error) => (bool)error.GetType()
        .GetProperty("IsUnseen", BindingFlags.Instance | BindingFlags.NonPublic)!.GetValue(error)!;

    /// <summary>What the table of families says of a class: whether others are written as it, and whether it has no state.</summary>
    public static (bool CoversDerived, bool IsStateless) FamilyOf(Type type)
    {
        object family = typeof(Serializer).Assembly.GetType("Wire.SerializerFactories.Families", throwOnError: true)!
            .GetMethod("Find", [typeof(Type)])!.Invoke(null, [type])!;
        return (
            (bool)family.GetType().GetProperty("CoversDerived")!.GetValue(family)!,
            (bool)family.GetType().GetProperty("IsStateless")!.GetValue(family)!);
    }

    private static object OfFormat(string method, Type type)
    {
        byte tag = TagOf(type);
        return typeof(Serializer).Assembly.GetType("Wire.Format.TagTypes", throwOnError: true)!
            .GetMethod(method, BindingFlags.Public | BindingFlags.Static)!.Invoke(null, [tag])!;
    }
}
