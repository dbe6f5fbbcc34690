using System.CodeDom.Compiler;
using System.Data;
using System.Diagnostics.CodeAnalysis;
using System.Drawing;
using System.Numerics;
using System.Reflection;
using System.Runtime.CompilerServices;
using Wire.Compilation;
using Wire.Runtime;
using Wire.Types;
using Wire.ValueSerializers;
using Wire.ValueSerializers.Collections;
using Wire.ValueSerializers.Collections.Kinds;
using Wire.ValueSerializers.Scalars;

namespace Wire.SerializerFactories;

/// <summary>
/// The types of .NET without a tag whose rules the library knows, by the names under which they stand in payloads. A type is loaded when it
/// is first asked for, so that a program does not load assemblies that it never uses.
/// </summary>
internal static partial class Families
{
    private static Dictionary<string, Family>? _byName;

    private static readonly string[] Rows =
    [
        nameof(WireRow.Components), nameof(WireRow.Data), nameof(WireRow.Dynamic), nameof(WireRow.Json), nameof(WireRow.Net),
        nameof(WireRow.Regex), nameof(WireRow.Scalars), nameof(WireRow.Untyped), nameof(WireRow.Xml),
    ];

    // The rows whose families are in the table, where no row has to be given.
    private static readonly List<string> Added = [];

    /// <summary>Every type and definition whose values are in one place of a payload; loads them all.</summary>
    public static IEnumerable<Type> Definitions
    {
        get
        {
            Array.ForEach(Rows, Load);
            return ByName.Values.Where(family => !family.IsWrittenInParts).Select(family => family.Definition);
        }
    }

    private static Dictionary<string, Family> ByName =>
        _byName ?? Interlocked.CompareExchange(ref _byName, With([], [.. Collections(), .. Values()]), null) ?? _byName;

    /// <summary>Finds the family of a type.</summary>
    public static Family? Find(Type type)
    {
        Type definition = Definition(type);
        return definition.OwnName() is { } name && Find(name) is { } family && family.Definition == definition ? family : null;
    }

    /// <summary>Finds a type by the name that stands in payloads.</summary>
    public static Type? FindByName(string fullName) => Find(fullName)?.Definition;

    /// <summary>
    /// The type as which objects of a runtime type are written: the public base class of an internal class of .NET, and a list for
    /// sequences that can only be enumerated.
    /// </summary>
    public static Type WrittenAs(Type type) =>
        type.IsArray || type.IsValueType || Find(type) is not null ? type
        : !type.IsVisible && type.IsSubclassOf(typeof(Exception)) && FrameworkAssemblies.Contains(type.Assembly) ? PublicBaseOf(type)
        : BaseOf(type) ?? Materialized.WrittenAs(type);

    /// <summary>The public class behind a variable's class, such as Encoding for UTF8Encoding; null when there is none.</summary>
    public static Type? WholeOf(Type type) =>
        type.IsClass && !type.IsArray && BaseOf(type) is { } whole && IsOfFramework(type) && Find(type) is null ? whole : null;

    private static Type? BaseOf(Type type) => type.BaseType.Nearest(
        current => current != typeof(object) && Find(current) is { CoversDerived: true } or { HasViews: true } && IsOfFramework(type));

    // Two assemblies may have an internal exception of the same name, as with OpenSSL's failures.
    private static Type PublicBaseOf(Type type) => type.BaseType.Nearest(current => current is { IsVisible: true, IsAbstract: false })!;

    // A source generator of .NET puts its classes into the program's own assembly.
    private static bool IsOfFramework(Type type) => FrameworkAssemblies.Contains(type.Home())
        || type.GetCustomAttribute<GeneratedCodeAttribute>(inherit: false)?.Tool?.StartsWith("System.", StringComparison.Ordinal) == true;

    // All are types of .NET or this library: a program's own types do not need the table.
    private static Family? Find(string name)
    {
        if (!name.StartsWith("System.", StringComparison.Ordinal) && name != "Wire.RemoteException")
        {
            return null;
        }

        Family? family = ByName.GetValueOrDefault(name);
        if (family is not null || !RuntimeFeature.IsDynamicCodeSupported || RowOf(name) is not { } row)
        {
            return family;
        }

        Load(row);
        return ByName.GetValueOrDefault(name);
    }

    // Before a first message, code is compiled for no more families than it needs.
    private static void Load(string row)
    {
        lock (Added)
        {
            if (!Added.Contains(row))
            {
                Add(Of(row));
                Added.Add(row);
            }
        }
    }

    /// <summary>Returns the row without which native code does not have a type of .NET; null where there is none.</summary>
    public static string? RowOf(string fullName) => NamespaceOf(fullName) switch
    {
        "System.ComponentModel" or "System.ComponentModel.DataAnnotations" => nameof(WireRow.Components),
        "System.Data" or "System.Data.SqlTypes" => nameof(WireRow.Data),
        "System.Dynamic" => nameof(WireRow.Dynamic),
        "System.Text.Json" or "System.Text.Json.Nodes" => nameof(WireRow.Json),
        "System.Net" or "System.Net.Http" or "System.Net.Mail" or "System.Net.NetworkInformation" => nameof(WireRow.Net),
        "System.Text.RegularExpressions" => nameof(WireRow.Regex),
        "System.Drawing" or "System.Globalization" or "System.Numerics" or "System.Runtime.Intrinsics" or "System.Text" =>
            nameof(WireRow.Scalars),
        "System.Collections" or "System.Collections.Specialized" => nameof(WireRow.Untyped),
        "System.Xml.Linq" => nameof(WireRow.Xml),
        _ => fullName is "System.TimeZoneInfo" or "System.TimeZoneInfo+TransitionTime" or "System.TimeZoneInfo+AdjustmentRule"
            or "System.OperatingSystem" or "System.UriBuilder" or "System.Reflection.AssemblyName" or "System.IO.MemoryStream"
            or "System.Security.Cryptography.HashAlgorithmName" or "System.Diagnostics.ActivityTraceId"
            or "System.Diagnostics.ActivitySpanId" or "System.Diagnostics.ActivityContext"
            ? nameof(WireRow.Scalars)
            : null,
    };

    /// <summary>Returns the families of a row, or with null those that need none.</summary>
    public static Family[] Of(string? row) => row switch
    {
        nameof(WireRow.Components) => Components(),
        nameof(WireRow.Data) => Data(),
        nameof(WireRow.Dynamic) => Dynamic(),
        nameof(WireRow.Json) => Json(),
        nameof(WireRow.Net) => Net(),
        nameof(WireRow.Regex) => Regex(),
        nameof(WireRow.Scalars) => Scalars(),
        nameof(WireRow.Untyped) => Untyped(),
        nameof(WireRow.Xml) => Xml(),
        _ => [.. Collections(), .. Values()],
    };

    // A nested type is in the namespace of that around it.
    private static string NamespaceOf(string fullName)
    {
        int nested = fullName.IndexOf('+');
        int end = (nested < 0 ? fullName : fullName[..nested]).LastIndexOf('.');
        return end < 0 ? "" : fullName[..end];
    }

    /// <summary>Adds families that are not there from the beginning.</summary>
    public static void Add(Family[] library)
    {
        Dictionary<string, Family> before;
        do
        {
            before = ByName;
        }
        while (Interlocked.CompareExchange(ref _byName, With(before, library), before) != before);
    }

    // A copy, since others read the table.
    private static Dictionary<string, Family> With(Dictionary<string, Family> before, Family[] more)
    {
        var table = new Dictionary<string, Family>(before, StringComparer.Ordinal);
        foreach (Family family in more)
        {
            table[family.Name] = family;
        }

        return table;
    }

    private static Type Definition(Type type) => type.IsGenericType ? type.GetGenericTypeDefinition() : type;
}

/// <summary>One row: a type or the definition of a generic type, and how its value serializer is made.</summary>
/// <param name="Name">The full name, as in payloads.</param>
/// <param name="Load">Gives the type.</param>
/// <param name="Create">Makes the value serializer of the type, or of one of the types that the definition constructs.</param>
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
[RequiresDynamicCode(TrimmingAdvice.Inside)]
internal sealed record Family(string Name, Func<Type> Load, Func<Type, TypeRegistry, ValueSerializer> Create)
{
    private Type? _definition;

    public Type Definition => _definition ??= Load();

    /// <summary>Gets whether derived classes of .NET are written as this type.</summary>
    public bool CoversDerived { get; init; }

    /// <summary>Gets whether a part of each value follows that which it is in, so that only async calls write it.</summary>
    public bool IsWrittenInParts { get; init; }

    /// <summary>Gets whether objects of this class of .NET have no state, so that it gives nothing to those that derive from it.</summary>
    public bool IsStateless => Name is "System.EventArgs" or "System.Data.PropertyCollection";

    /// <summary>
    /// Gets whether internal derived classes of .NET are views of such an object, while those of the program contain it.
    /// </summary>
    public bool HasViews { get; init; }

    /// <summary>A collection: a kind with the same arguments enumerates it.</summary>
    public static Family Collection(string name, Func<Type> load, Func<Type> kind) => new(name, load, (type, registry) =>
    {
        Type definition = kind();
        Type closed = Close(definition, type);
        Type[] roles = definition.GetInterfaces().Single(IsCollectionKind).GetGenericArguments();
        bool isMap = roles[1].IsOf(typeof(KeyValuePair<,>));
        roles = closed.GetInterfaces().Single(IsCollectionKind).GetGenericArguments();
        Type? growing = Array.Find(closed.GetInterfaces(), i => i.IsOf(typeof(IGrowingKind<,,>)));
        Type serializer = growing is null
            ? ClosedTypes.Close(typeof(BuiltSerializer<,,,,>), [.. roles, closed])
            : ClosedTypes.Close(typeof(GrowingSerializer<,,,>), [.. growing.GetGenericArguments(), closed]);
        return Make(serializer, isMap ? Pair(roles[1].GetGenericArguments(), closed, registry) : registry.CreateSlot(roles[1]));
    });

    /// <summary>A class around one object.</summary>
    public static Family Wrapper(string name, Func<Type> load, Func<Type> kind) => new(name, load, (type, registry) =>
    {
        Type closed = Close(kind(), type);
        Type[] roles = closed.GetInterfaces().Single(i => i.IsOf(typeof(IWrapperKind<,>))).GetGenericArguments();
        return Make(ClosedTypes.Close(typeof(WrapperSerializer<,,>), [.. roles, closed]), registry.CreateSlot(roles[1]));
    });

    /// <summary>A generic type with a value serializer over the same arguments, which takes a slot for each.</summary>
    public static Family Generic(string name, Func<Type> load, Func<Type> serializer) => new(name, load, (type, registry) =>
        (ValueSerializer)ClosedTypes.Create(Close(serializer(), type), [.. type.GetGenericArguments().Select(registry.CreateSlot)]));

    /// <summary>
    /// A type that is written member by member: its fields are public, or have kept their names since .NET exists.
    /// </summary>
    public static Family Members(string name, Func<Type> load) => new(name, load, static (type, registry) =>
        !RuntimeFeature.IsDynamicCodeSupported && type.GetFields(MemberFinder.DeclaredInstance).Length < FieldsOf(type)
            ? throw new UnsupportedTypeException(type, TrimmedAssemblies.HiddenFields(type))
            : Make(ClosedTypes.Close(typeof(ComplexSerializer<>), type), registry));

    // Native code may hide some.
    private static int FieldsOf(Type type) => type.IsGenericType ? type.GetGenericArguments().Length : type.Name switch
    {
        nameof(ValueTuple) or nameof(PropertyCollection) => 0,
        nameof(RemoteException) => 1,
        nameof(Vector3) => 3,
        nameof(Vector4) or nameof(Quaternion) or nameof(Rectangle) or nameof(RectangleF) => 4,
        nameof(Matrix3x2) => 6,
        nameof(Matrix4x4) => 16,
        _ => 2,
    };

    /// <summary>Keeps the fields of a type in programs that are trimmed or native code.</summary>
    public static Type WithFields(
        [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.NonPublicFields)]
        Type type) => type;

    /// <summary>
    /// A generic type with a value serializer over the same arguments, which writes values of another type and takes a slot for that.
    /// </summary>
    public static Family Written(string name, Func<Type> load, Func<Type> serializer) => new(name, load, (type, registry) =>
    {
        Type closed = Close(serializer(), type);
        return Make(closed, registry.CreateSlot(closed.BaseType!.GetGenericArguments()[1]));
    });

    /// <summary>A type of which only its default instance is written.</summary>
    [DynamicDependency(nameof(EqualityComparer<>.Default), typeof(EqualityComparer<>))]
    [DynamicDependency(nameof(Comparer<>.Default), typeof(Comparer<>))]
    public static Family Default(string name, Func<Type> load) => new(name, load, (type, _) =>
        MakeSingle(type, type.GetProperty("Default")!.GetValue(null)!));

    /// <summary>Makes the value serializer of a type with one value.</summary>
    public static ValueSerializer MakeSingle(Type type, object instance) =>
        Make(ClosedTypes.Close(typeof(SingleValueSerializer<>), type), instance);

    /// <summary>
    /// A type that is written as a value of another one. Only functions name both, so that neither is loaded before it is used.
    /// </summary>
    public static Family Converted(string name, Func<Type> load, Func<TypeRegistry, ValueSerializer> create) =>
        new(name, load, (_, registry) => create(registry));

    /// <summary>A processor vector, of a length fixed by its type.</summary>
    public static Family Vector(string name, Func<Type> load) => new(name, load, (type, registry) =>
    {
        Type element = type.GetGenericArguments()[0];
        return element.IsPrimitive && element != typeof(bool) && element != typeof(char)
            ? Make(ClosedTypes.Close(typeof(VectorSerializer<,>), type, element), registry.CreateSlot(element))
            : throw new UnsupportedTypeException(type, $"{element} is not the type of a vector's elements.");
    });

    /// <summary>A type with one value.</summary>
    public static Family Single(string name, Func<Type> load, Func<object> instance) =>
        new(name, load, (type, _) => MakeSingle(type, instance()));

    private static bool IsCollectionKind(Type type) => type.IsOf(typeof(ICollectionKind<,,,>));

    private static ValueSerializer Pair(Type[] types, Type kind, TypeRegistry registry) => Make(
        ClosedTypes.Close(typeof(PairSerializer<,>), types),
        registry.CreateSlot(types[0]),
        kind.GetProperty(nameof(ICollectionKind<,,,>.CopiedSize)) is { } copied
            ? Make(
                ClosedTypes.Close(typeof(CopiedArraySerializer<>), types[1].GetElementType()!),
                registry.CreateSlot(types[1]),
                copied.GetValue(null)!)
            : registry.CreateSlot(types[1]),
        kind.GetProperty(nameof(ICollectionKind<,,,>.AllowsNullKey)) is not null);

    private static Type Close(Type definition, Type like) =>
        like.IsGenericType ? ClosedTypes.Close(definition, like.GetGenericArguments())
        : definition == typeof(ViewKind<,>) ? ClosedTypes.Close(
            definition,
            like,
            Views.FieldOf(like)?.FieldType ?? throw new UnsupportedTypeException(like, TrimmedAssemblies.HiddenFields(like)))
        : definition;

    /// <summary>Makes a value serializer.</summary>
    public static ValueSerializer Make(Type type, params object[] arguments) =>
        (ValueSerializer)ClosedTypes.Create(type, arguments);
}
