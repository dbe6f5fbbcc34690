using System.Collections;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Runtime.CompilerServices;
using Wire.Errors;
using Wire.Format;
using Wire.Types;

namespace Wire.Values;

/// <summary>
/// The comparer of a collection (docs/format.md, clause 7): one byte for the default one and those of the core library; a byte and further
/// data for those of a culture and those of the program, which are ordinary objects.
/// </summary>
internal static class ComparerFormat
{
    // By code.
    private static readonly object?[] Known =
    [
        null,
        StringComparer.Ordinal,
        StringComparer.OrdinalIgnoreCase,
        StringComparer.InvariantCulture,
        StringComparer.InvariantCultureIgnoreCase,
        ReferenceEqualityComparer.Instance,
        StructuralComparisons.StructuralEqualityComparer,
        StructuralComparisons.StructuralComparer,
        Comparer.Default,
        Comparer.DefaultInvariant,
        CaseInsensitiveComparer.DefaultInvariant,
    ];

    /// <summary>Writes a comparer.</summary>
    /// <typeparam name="T">The type of values that it compares.</typeparam>
    /// <param name="writer">The writer.</param>
    /// <param name="comparer">The comparer; null is the default one.</param>
    /// <param name="collection">The collection of the comparer, for the error message.</param>
    public static void Write<T>(ref WireWriter writer, object? comparer, Type collection)
    {
        writer.Session.LastComparer = comparer;
        if (IsDefault<T>(comparer))
        {
            writer.WriteByte(0);
            return;
        }

        // No lambda: its closure would be allocated at the method's beginning, even for the default comparer.
        for (int known = 1; known < Known.Length; known++)
        {
            if (Known[known]!.Equals(comparer))
            {
                writer.WriteByte((byte)known);
                return;
            }
        }

        if (comparer is IEqualityComparer<string?> text
            && StringComparer.IsWellKnownCultureAwareComparer(text, out CompareInfo? culture, out CompareOptions options))
        {
            writer.WriteByte(ComparerCode.Culture);
            WriteCultureName(ref writer, culture);
            writer.WriteFixed((int)options);
            return;
        }

        if (comparer.GetType() == typeof(Comparer) || comparer.GetType() == typeof(CaseInsensitiveComparer))
        {
            writer.WriteByte(comparer is Comparer ? ComparerCode.Untyped : ComparerCode.UntypedIgnoringCase);
            WriteCultureName(ref writer, comparer is Comparer untyped ? CultureOf(untyped) : CultureOf((CaseInsensitiveComparer)comparer));
            return;
        }

        writer.WriteByte(ComparerCode.Object);
        TypeEntry entry;
        try
        {
            entry = writer.Session.Serializer.Registry.Entry(comparer.GetType());
        }
        catch (UnsupportedTypeException e)
        {
            throw new UnsupportedTypeException(collection, $"its comparer of type {comparer.GetType()} cannot be written: {e.Reason}");
        }

        ObjectFormat.Write(ref writer, comparer, entry, declared: null);
    }

    /// <summary>Writes the two comparers of a collection that compares its values too.</summary>
    public static void WritePair<TKey, TValue>(ref WireWriter writer, object? keys, object? values, Type collection)
    {
        if (IsDefault<TValue>(values))
        {
            Write<TKey>(ref writer, keys, collection);
            return;
        }

        writer.WriteByte(ComparerCode.Pair);
        Write<TKey>(ref writer, keys, collection);
        Write<TValue>(ref writer, values, collection);
        writer.Session.LastComparer = keys;
    }

    /// <summary>Reads a comparer; null is the default one.</summary>
    /// <typeparam name="TComparer">The type that the collection needs.</typeparam>
    public static TComparer? Read<TComparer>(ref WireReader reader)
        where TComparer : class => Read<TComparer>(ref reader, reader.ReadByte());

    /// <summary>Reads the two comparers of a collection that compares its values too.</summary>
    public static ComparerPair ReadPair<TKeyComparer, TValueComparer>(ref WireReader reader)
        where TKeyComparer : class
        where TValueComparer : class
    {
        byte code = reader.ReadByte();
        if (code != ComparerCode.Pair)
        {
            // Values use the default comparer.
            return Read<TKeyComparer>(ref reader, code) is { } comparer ? new ComparerPair(comparer, null) : ComparerPair.Default;
        }

        TKeyComparer? keys = Read<TKeyComparer>(ref reader);
        return new ComparerPair(keys, Read<TValueComparer>(ref reader));
    }

    /// <summary>Reads the comparer of a collection that cannot have one.</summary>
    public static object? ReadDefault(ref WireReader reader, string collection)
    {
        if (Read<object>(ref reader) is { } comparer)
        {
            ThrowHelper.InvalidValue(collection, $"its keys have a comparer of type {comparer.GetType()}");
        }

        return null;
    }

    /// <summary>Returns whether a code stands for a comparer of the core library that is no object of the payload.</summary>
    public static bool IsKnown(byte code) => code < Known.Length;

    /// <summary>Returns whether a collection's comparer is a known one that has been read; null is the default one.</summary>
    /// <typeparam name="T">The type of values that it compares.</typeparam>
    public static bool IsSame<T>(object? own, object? read) => read is null ? IsDefault<T>(own) : read.Equals(own);

    private static bool IsDefault<T>([NotNullWhen(false)] object? comparer) =>
        comparer is null || comparer.Equals(EqualityComparer<T>.Default) || comparer.Equals(Comparer<T>.Default);

    private static TComparer? Read<TComparer>(ref WireReader reader, byte code)
        where TComparer : class
    {
        if (code == 0)
        {
            return null;
        }

        object? comparer = code switch
        {
            ComparerCode.Culture => ReadCulture(ref reader),
            ComparerCode.Untyped => new Comparer(ReadCultureName(ref reader)),
            ComparerCode.UntypedIgnoringCase => new CaseInsensitiveComparer(ReadCultureName(ref reader)),
            ComparerCode.Object => ReadObject(ref reader),
            _ when code < Known.Length => Known[code],
            _ => null,
        };
        if (comparer is not TComparer)
        {
            ThrowHelper.InvalidValue(
                "comparer", $"{comparer?.GetType().ToString() ?? code.ToString(
                    CultureInfo.InvariantCulture)} is not a {typeof(TComparer)}");
        }

        return (TComparer)comparer!;
    }

    /// <summary>Returns whether two comparers of .NET are the same: those of a culture have no Equals.</summary>
    public static bool AreSame(object? left, object? right) => (left, right) switch
    {
        (Comparer x, Comparer y) => CultureOf(x).Equals(CultureOf(y)),
        (CaseInsensitiveComparer x, CaseInsensitiveComparer y) => CultureOf(x).Equals(CultureOf(y)),
        _ => Equals(left, right),
    };

    /// <summary>A comparer of strings as a value: its code and, for a culture's, its name and options.</summary>
    public static (byte Code, string? Culture, int Options) TextToParts(TypeRegistry registry, StringComparer comparer)
    {
        int known = Array.FindIndex(Known, 1, candidate => candidate!.Equals(comparer));
        return known > 0 ? ((byte)known, null, 0)
            : StringComparer.IsWellKnownCultureAwareComparer(comparer, out CompareInfo? culture, out CompareOptions options)
                ? (ComparerCode.Culture, registry.Cultures.NameOf(culture), (int)options)
            : throw new UnsupportedTypeException(comparer.GetType(), "it is a comparer that Wire does not know.");
    }

    /// <summary>Makes the comparer from these parts.</summary>
    public static StringComparer TextFromParts(TypeRegistry registry, (byte Code, string? Culture, int Options) parts) =>
        parts.Code == ComparerCode.Culture ? StringComparer.Create(registry.Cultures.Get(parts.Culture!), (CompareOptions)parts.Options)
        : parts.Code < Known.Length && Known[parts.Code] is StringComparer known ? known
        : ThrowHelper.Format<StringComparer>(WireFormatError.InvalidValue, $"{parts.Code} is not a comparer of strings.");

    /// <summary>A comparer of objects as a value.</summary>
    public static UntypedComparerParts UntypedToParts(TypeRegistry registry, Comparer comparer) =>
        ToParts(registry, comparer, ComparerCode.Untyped, CultureOf(comparer));

    /// <summary>Makes the comparer from these parts.</summary>
    public static Comparer UntypedFromParts(TypeRegistry registry, UntypedComparerParts parts) =>
        parts.Code == ComparerCode.Untyped ? new Comparer(registry.Cultures.Get(parts.Culture!)) : KnownOf<Comparer>(parts.Code);

    /// <summary>A comparer of objects that ignores case, as a value.</summary>
    public static UntypedComparerParts IgnoringCaseToParts(TypeRegistry registry, CaseInsensitiveComparer comparer) =>
        ToParts(registry, comparer, ComparerCode.UntypedIgnoringCase, CultureOf(comparer));

    /// <summary>Makes the comparer from these parts.</summary>
    public static CaseInsensitiveComparer IgnoringCaseFromParts(TypeRegistry registry, UntypedComparerParts parts) =>
        parts.Code == ComparerCode.UntypedIgnoringCase
            ? new CaseInsensitiveComparer(registry.Cultures.Get(parts.Culture!))
            : KnownOf<CaseInsensitiveComparer>(parts.Code);

    private static UntypedComparerParts ToParts(TypeRegistry registry, object comparer, byte code, CompareInfo culture) =>
        // The default one is that of the reader's culture, whatever the writer's is.
        Array.FindIndex(Known, 1, known => known == comparer) is > 0 and int same ? new((byte)same, null)
            : Array.FindIndex(Known, 1, known => known != Comparer.Default && AreSame(known, comparer)) is > 0 and int i
                ? new((byte)i, null)
            : new(code, registry.Cultures.NameOf(culture));

    private static T KnownOf<T>(byte code)
        where T : class => code < Known.Length && Known[code] is T known
            ? known
            : ThrowHelper.Format<T>(WireFormatError.InvalidValue, $"{code} is not a {typeof(T).Name}.");

    private static void WriteCultureName(ref WireWriter writer, CompareInfo culture) =>
        writer.WriteString(writer.Session.Serializer.Registry.Cultures.NameOf(culture));

    private static StringComparer ReadCulture(ref WireReader reader)
    {
        CultureInfo culture = ReadCultureName(ref reader);
        int options = reader.ReadFixed<int>();
        try
        {
            return StringComparer.Create(culture, (CompareOptions)options);
        }
        catch (ArgumentException e)
        {
            throw new WireFormatException(WireFormatError.InvalidValue, $"Not a valid comparer: {e.Message}", e);
        }
    }

    private static CultureInfo ReadCultureName(ref WireReader reader)
    {
        string? name = reader.ReadString();
        if (name is null)
        {
            ThrowHelper.InvalidValue("comparer", "its culture has no name");
        }

        try
        {
            return reader.Session.Serializer.Registry.Cultures.Get(name!);
        }
        catch (CultureNotFoundException e)
        {
            throw new WireFormatException(WireFormatError.InvalidValue, $"Not a valid comparer: {e.Message}", e);
        }
    }

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_compareInfo")]
    private static extern ref CompareInfo CultureOf(Comparer comparer);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_compareInfo")]
    private static extern ref CompareInfo CultureOf(CaseInsensitiveComparer comparer);

    private static object? ReadObject(ref WireReader reader)
    {
        byte tag = reader.ReadByte();
        return tag == Tag.Null ? null : reader.Session.ReadTagged(ref reader, tag, declared: null);
    }
}

/// <summary>The comparers of a collection that compares its values too.</summary>
internal sealed record ComparerPair(object? Keys, object? Values)
{
    /// <summary>The default comparers: a shared object.</summary>
    public static ComparerPair Default { get; } = new(null, null);

    /// <summary>Gets whether both comparers are the default.</summary>
    public bool IsDefault => Keys is null && Values is null;
}

/// <summary>A comparer of objects as a value: its code and, for a culture's, its name.</summary>
internal readonly record struct UntypedComparerParts(byte Code, string? Culture);
