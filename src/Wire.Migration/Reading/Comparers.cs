using System.Collections;
using System.Diagnostics.CodeAnalysis;
using System.Formats.Nrbf;
using System.Globalization;
using System.Reflection.Metadata;
using Wire.Errors;
using Wire.Runtime;

namespace Wire.Migration.Reading;

/// <summary>The comparers of collections: those of .NET by the names of their internal classes, the program's as objects.</summary>
[RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
[RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
internal static class Comparers
{
    private const string Generic = "System.Collections.Generic.";

    /// <summary>Reads a comparer; null where there is none.</summary>
    public static object? Read(GraphReader graph, object? raw) =>
        graph.ReadMember(graph.Registry.Members.Add(typeof(IComparer).NameAsOwner(), "<comparer>"), raw, typeof(object));

    /// <summary>Returns whether a comparer is the default one of the type that it compares: another collection has its own.</summary>
    public static bool IsDefault(object? comparer) => comparer?.GetType() is { } type && FrameworkAssemblies.Contains(type.Assembly)
        && type.WithBases().Any(level => level.IsOf(typeof(EqualityComparer<>)) || level.IsOf(typeof(Comparer<>)));

    /// <summary>Makes the comparer of .NET that a record names; null when it names none.</summary>
    public static object? Find(GraphReader graph, ClassRecord record, string name)
    {
        var stored = new Stored(record, typeof(object));
        return name switch
        {
            "System.OrdinalComparer" => stored.Boolean("_ignoreCase") ? StringComparer.OrdinalIgnoreCase : StringComparer.Ordinal,
            "System.CultureAwareComparer" => StringComparer.Create(Culture(graph, stored, "_compareInfo"), OptionsOf(stored)),
            "System.Collections.Comparer" => new Comparer(Culture(graph, stored, "CompareInfo")),
            "System.Collections.CaseInsensitiveComparer" => new CaseInsensitiveComparer(Culture(graph, stored, "m_compareInfo")),
            Generic + "GenericEqualityComparer`1" or Generic + "ObjectEqualityComparer`1" or Generic + "EnumEqualityComparer`1"
                or Generic + "SByteEnumEqualityComparer`1" or Generic + "ShortEnumEqualityComparer`1"
                or Generic + "LongEnumEqualityComparer`1" => Default(graph, record, typeof(EqualityComparer<>), isNullable: false),
            Generic + "NullableEqualityComparer`1" => Default(graph, record, typeof(EqualityComparer<>), isNullable: true),
            Generic + "GenericComparer`1" or Generic + "ObjectComparer`1" or Generic + "EnumComparer`1" =>
                Default(graph, record, typeof(Comparer<>), isNullable: false),
            Generic + "NullableComparer`1" => Default(graph, record, typeof(Comparer<>), isNullable: true),
            Generic + "ByteEqualityComparer" => EqualityComparer<byte>.Default,
            Generic + "NonRandomizedStringEqualityComparer" => EqualityComparer<string>.Default,
            _ => null,
        };
    }

    /// <summary>Makes the comparer of texts that stands for a CaseInsensitiveComparer and its provider of hash codes.</summary>
    public static object IgnoringCase(GraphReader graph, ClassRecord record)
    {
        var stored = new Stored(record, typeof(CaseInsensitiveComparer));
        return record.TypeName.FullName == typeof(CaseInsensitiveComparer).FullName
            ? StringComparer.Create(Culture(graph, stored, "m_compareInfo"), CompareOptions.IgnoreCase)
            : throw stored.Invalid("Comparer", "a CaseInsensitiveComparer");
    }

    private static object Default(GraphReader graph, ClassRecord record, Type definition, bool isNullable)
    {
        TypeName[] arguments = [.. record.TypeName.GetGenericArguments()];
        if (arguments.Length != 1)
        {
            ThrowHelper.InvalidValue(record.TypeName.FullName, $"a comparer has one type argument, and this {arguments.Length}");
        }

        Type type = graph.Resolve(arguments[0]);
        Type compared = isNullable ? typeof(Nullable<>).MakeGenericType(type) : type;
        return definition.MakeGenericType(compared).GetProperty(nameof(EqualityComparer<object>.Default))!.GetValue(null)!;
    }

    private static CompareOptions OptionsOf(Stored stored) => stored["_options"] is ClassRecord options
        ? (CompareOptions)new Stored(options, typeof(CompareOptions)).Int32("value__")
        : stored.Boolean("_ignoreCase") ? CompareOptions.IgnoreCase
        : CompareOptions.None;

    private static CultureInfo Culture(GraphReader graph, Stored stored, string name)
    {
        string? culture = stored.Record(name) is { } info ? new Stored(info, typeof(CompareInfo)).Text("m_name") : null;
        try
        {
            return graph.Registry.Cultures.Get(culture ?? throw stored.Invalid(name, "a culture"));
        }
        catch (CultureNotFoundException e)
        {
            throw new WireFormatException(WireFormatError.InvalidValue, $"Not a valid comparer: {e.Message}", e);
        }
    }
}
