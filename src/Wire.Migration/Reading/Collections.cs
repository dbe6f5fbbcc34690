using System.Collections;
using System.Diagnostics.CodeAnalysis;
using System.Formats.Nrbf;
using Wire.Errors;
using Wire.Runtime;
using Wire.Sessions.Objects;
using Wire.Slots;
using Wire.Types;
using Wire.ValueSerializers.Collections.Kinds;

namespace Wire.Migration.Reading;

/// <summary>
/// The collections of .NET: **the one table of how BinaryFormatter stored them**. From it come a comparer and elements, of which the
/// collection is made as one that was read from a payload of Wire.
/// </summary>
[RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
[RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
internal static class Collections
{
    /// <summary>Reads the comparer, null where there is none, and the elements of a collection as those of a type.</summary>
    public delegate (object? Comparer, Array Elements) ReadParts(GraphReader graph, Type element);

    // What a class wrote itself had these names, without the class in front.
    private static readonly string[] Hashed = ["Version", "Comparer", "HashSize", "KeyValuePairs"];

    /// <summary>Finds the reader of a collection; null for other types.</summary>
    public static ITypeReader? Find(Type type, TypeRegistry registry) => PartOf(type, registry) is { } part ? new Whole(type, part) : null;

    /// <summary>Finds how a class of .NET is read that is a collection, or the part of one that derives from it; null for others.</summary>
    public static IPart? PartOf(Type type, TypeRegistry registry) => registry.Entry(type).Serializer switch
    {
        IFilledCollection collection when GrowingOf(NameOf(type)) is { } form => new GrowingPart(type, collection, form),
        IFilledWrapper wrapper when WrapperOf(NameOf(type)) is { } form => new WrapperPart(type, wrapper, form),
        _ => null,
    };

    /// <summary>Returns whether a record is that of an array, or of a collection of .NET.</summary>
    public static bool IsWrittenBy(SerializationRecord record) => record is ArrayRecord { Rank: 1 }
        || (record is ClassRecord written && NameOf(written) is var name
            && (GrowingOf(name) is not null || WrapperOf(name) is not null || name == typeof(ArraySegment<>).FullName));

    /// <summary>Finds what reads the comparer and the elements of a collection of .NET; null where the record is none.</summary>
    /// <param name="record">The record.</param>
    /// <param name="type">The type that it names.</param>
    public static ReadParts? PartsOf(ClassRecord record, Type type) => GrowingOf(NameOf(type)) is { } form
        ? (graph, element) => form.Read(graph, new Stored(record, type), element) is var parts && Comparers.IsDefault(parts.Comparer)
            ? (null, parts.Elements)
            : parts
        : type.IsOf(typeof(ArraySegment<>)) && new Stored(record, type) is var stored && stored["_array"] is { } array
        ? (graph, element) => (null, Arrays.Read(graph, array, element, stored.Int32("_offset"), stored.Int32("_count")))
        : null;

    /// <summary>
    /// Finds what reads the collection inside of one that is a view of it or stands around it, as the type of a variable; null where the
    /// record is none.
    /// </summary>
    public static Func<GraphReader, Type, object?>? InsideOf(ClassRecord record, Type type) =>
        WrapperOf(NameOf(type)) is { } form && form != BindingList
            ? (graph, variable) => form(graph, new Stored(record, type), variable)
            : null;

    /// <summary>Reads a collection that can be filled after it has been made.</summary>
    /// <param name="graph">The graph.</param>
    /// <param name="type">The type of the collection.</param>
    /// <param name="collection">Fills it.</param>
    /// <param name="parts">Reads its parts.</param>
    public static object ReadGrowing(GraphReader graph, Type type, IFilledCollection collection, ReadParts parts)
    {
        object target = Begin(graph, type);
        Fill(graph, collection, parts, target);
        return target;
    }

    /// <summary>Begins a collection that is made before its parts.</summary>
    public static object Begin(GraphReader graph, Type type)
    {
        graph.TakeObject(type);
        object target = System.Runtime.CompilerServices.RuntimeHelpers.GetUninitializedObject(type);
        graph.Track(target);
        return target;
    }

    /// <summary>Returns whether keys may have to be complete before they are hashed or compared.</summary>
    public static bool IsOfProgram(object? comparer) => comparer is not null && !FrameworkAssemblies.Contains(comparer.GetType().Assembly);

    private static void Fill(GraphReader graph, IFilledCollection collection, ReadParts parts, object target)
    {
        int scope = graph.Session.Objects.BeginScope();
        (object? comparer, Array elements) = parts(graph, collection.ElementType);
        int lowest = graph.Session.Objects.EndScope(scope);
        if (lowest != ReadObjects.Whole && elements.Length > 0 && (collection.ComparesParts || IsOfProgram(comparer)))
        {
            collection.Fill(graph.Session, target, comparer, Array.CreateInstance(collection.ElementType, 0));
            graph.FillLater(lowest, () => collection.Fill(graph.Session, target, comparer, elements));
            return;
        }

        collection.Fill(graph.Session, target, comparer, elements);
    }

    private static string NameOf(ClassRecord record) => record.TypeName.IsConstructedGenericType
        ? record.TypeName.GetGenericTypeDefinition().FullName
        : record.TypeName.FullName;

    private static string NameOf(Type type) => (type.IsGenericType ? type.GetGenericTypeDefinition() : type).FullName!;

    private static Growing? GrowingOf(string name) => name switch
    {
        "System.Collections.Generic.List`1" or "System.Collections.ArrayList" or "System.Collections.Generic.Stack`1"
            or "System.Collections.Stack" => new((graph, stored, element) =>
                (null, Arrays.Read(graph, stored["_items"] ?? stored["_array"], element, 0, stored.Int32("_size")))),
        "System.Collections.Generic.Queue`1" or "System.Collections.Queue" => new((graph, stored, element) =>
            (null, Arrays.Read(graph, stored["_array"], element, stored.Int32("_head"), stored.Int32("_size")))),
        "System.Collections.Generic.Dictionary`2" => new((graph, stored, element) =>
            (Comparers.Read(graph, stored["Comparer"]), Arrays.Read(graph, stored["KeyValuePairs"], element)), Hashed),
        "System.Collections.Generic.HashSet`1" => new(
            (graph, stored, element) => (Comparers.Read(graph, stored["Comparer"]), Arrays.Read(graph, stored["Elements"], element)),
            ["Version", "Comparer", "Capacity", "Elements"]),
        "System.Collections.Generic.SortedSet`1" => new(
            (graph, stored, element) => (Comparers.Read(graph, stored["Comparer"]), Arrays.Read(graph, stored["Items"], element)),
            ["Version", "Comparer", "Count", "Items"]),
        "System.Collections.Generic.SortedDictionary`2" => new(SortedDictionary),
        "System.Collections.Generic.SortedList`2" or "System.Collections.SortedList" => new((graph, stored, element) =>
            (Comparers.Read(graph, stored["comparer"]),
                Pairs.Read(graph, stored["keys"], stored["values"], stored.Int32("_size"), element))),
        "System.Collections.Generic.LinkedList`1" => new(
            (graph, stored, element) => (null, Arrays.Read(graph, stored["Data"], element)), ["Version", "Count", "Data"]),
        "System.Collections.Hashtable" => new(
            Hashtable, ["LoadFactor", "Version", "Comparer", "HashCodeProvider", "KeyComparer", "HashSize", "Keys", "Values"]),
        "System.Collections.Specialized.ListDictionary" => new((graph, stored, element) =>
            (Comparers.Read(graph, stored["comparer"]), Pairs.OfNodes(graph, stored, element))),
        "System.Collections.Specialized.HybridDictionary" => new(HybridDictionary),
        "System.Collections.Specialized.OrderedDictionary" => new(
            OrderedDictionary, ["KeyComparer", "ReadOnly", "InitialCapacity", "ArrayList"]),
        "System.Collections.Concurrent.ConcurrentDictionary`2" => new((graph, stored, element) =>
            (Comparers.Read(graph, stored["m_comparer"]), Arrays.Read(graph, stored["m_serializationArray"], element))),
        "System.Collections.Specialized.NameValueCollection" => new(
            NameValueCollection, ["ReadOnly", "HashProvider", "Comparer", "KeyComparer", "Count", "Keys", "Values", "Version"]),
        "System.Collections.Specialized.StringDictionary" => new((graph, stored, element) =>
            (null, Hashtable(graph, Inner(stored, "contents"), element).Elements)),
        "System.Collections.Specialized.StringCollection" => new((graph, stored, element) =>
            (null, Arrays.Read(graph, Inner(stored, "data")["_items"], element, 0, Inner(stored, "data").Int32("_size")))),
        "System.Collections.ObjectModel.KeyedCollection`2" => new(KeyedCollection),
        _ => null,
    };

    private static Wrapped? WrapperOf(string name) => name switch
    {
        "System.Collections.ObjectModel.Collection`1" or "System.Collections.ObjectModel.ObservableCollection`1" =>
            (graph, stored, inner) => Read(graph, stored["items"], inner),
        "System.Collections.ObjectModel.ReadOnlyCollection`1" or "System.Collections.ObjectModel.ReadOnlyObservableCollection`1" =>
            (graph, stored, inner) => Read(graph, stored["list"], inner),
        "System.Collections.ObjectModel.ReadOnlyDictionary`2" => (graph, stored, inner) => Read(graph, stored["m_dictionary"], inner),
        "System.ComponentModel.BindingList`1" => BindingList,
        "System.Collections.CollectionBase" => (graph, stored, inner) => Read(graph, stored["_list"] ?? stored["list"], inner),
        "System.Collections.DictionaryBase" => (graph, stored, inner) => Read(graph, stored["_hashtable"] ?? stored["hashtable"], inner),
        _ => null,
    };

    private static object? Read(GraphReader graph, object? raw, Type type) =>
        graph.ReadMember(graph.Registry.Members.Add(type.NameAsOwner(), IBasePart.Items), raw, type);

    private static (object? Comparer, Array Elements) SortedDictionary(GraphReader graph, Stored stored, Type element)
    {
        Stored set = Inner(stored, "_set");
        object? comparer = set.Record("Comparer") is { } pairs
            ? Comparers.Read(graph, new Stored(pairs, typeof(SortedDictionary<,>))["keyComparer"])
            : null;
        return (comparer, Arrays.Read(graph, set["Items"], element));
    }

    private static (object? Comparer, Array Elements) Hashtable(GraphReader graph, Stored stored, Type element)
    {
        if ((stored["Comparer"] ?? stored["HashCodeProvider"]) is not null)
        {
            throw stored.Invalid("Comparer", "supported: it is of a kind that .NET itself no longer recommends");
        }

        return (Comparers.Read(graph, stored["KeyComparer"]), Pairs.Read(graph, stored["Keys"], stored["Values"], -1, element));
    }

    private static (object? Comparer, Array Elements) HybridDictionary(GraphReader graph, Stored stored, Type element)
    {
        object? comparer = stored.Boolean("caseInsensitive") ? StringComparer.OrdinalIgnoreCase : null;
        return stored.Record("hashtable") is { } table
            ? (comparer, Pairs.Read(
                graph, new Stored(table, typeof(Hashtable))["Keys"], new Stored(table, typeof(Hashtable))["Values"], -1, element))
            : stored.Record("list") is null
            ? (comparer, Array.CreateInstance(element, 0))
            : (comparer, Pairs.OfNodes(graph, Inner(stored, "list"), element));
    }

    private static (object? Comparer, Array Elements) OrderedDictionary(GraphReader graph, Stored stored, Type element)
    {
        if (stored.Boolean("ReadOnly"))
        {
            throw stored.Invalid("ReadOnly", "supported: the view does not say of which dictionary");
        }

        var entries = (DictionaryEntry[])Arrays.Read(graph, stored["ArrayList"], typeof(DictionaryEntry));
        Array keys = Array.ConvertAll(entries, entry => entry.Key);
        return (
            Comparers.Read(graph, stored["KeyComparer"]), Pairs.Join(keys, Array.ConvertAll(entries, entry => entry.Value), element));
    }

    // The values of a name are a list of their own; a name without values has none.
    private static (object? Comparer, Array Elements) NameValueCollection(GraphReader graph, Stored stored, Type element)
    {
        if (stored.Boolean("ReadOnly"))
        {
            throw stored.Invalid("ReadOnly", "supported: a collection that can only be read could not be filled");
        }

        Array names = Arrays.Read(graph, stored["Keys"], typeof(string));
        var lists = (IList?[])Arrays.Read(graph, stored["Values"], typeof(IList));
        return (
            stored.Record("Comparer") is { } former ? Comparers.IgnoringCase(graph, former) : Comparers.Read(graph, stored["KeyComparer"]),
            Pairs.Join(names, Array.ConvertAll(lists, list => list?.Cast<string?>().ToArray()), element));
    }

    private static (object? Comparer, Array Elements) KeyedCollection(GraphReader graph, Stored stored, Type element)
    {
        object? comparer = Comparers.Read(graph, stored["comparer"]);
        Type list = typeof(IList<>).MakeGenericType(element);
        var items = (ICollection?)Read(graph, stored["items"], list) ?? throw stored.Invalid("items", "a list");
        graph.TakeElements(items.Count, Arrays.SizeOf(element));
        var elements = Array.CreateInstance(element, items.Count);
        items.CopyTo(elements, 0);
        return (comparer, elements);
    }

    private static object BindingList(GraphReader graph, Stored stored, Type inner)
    {
        BindingListFlags flags = (stored.Boolean("allowEdit") ? BindingListFlags.Edit : 0)
            | (stored.Boolean("allowRemove") ? BindingListFlags.Remove : 0)
            | (stored.Boolean("raiseListChangedEvents") ? BindingListFlags.Events : 0)
            | (!stored.Boolean("userSetAllowNew") ? 0
                : BindingListFlags.NewIsSet | (stored.Boolean("allowNew") ? BindingListFlags.New : 0));
        object? items = Read(graph, stored["items"], inner.GetGenericArguments()[0]);
        return Activator.CreateInstance(inner, items, flags, stored.Int32("addNewPos"))!;
    }

    private static Stored Inner(Stored stored, string name) =>
        stored.Record(name) is { } record ? new Stored(record, typeof(object)) : throw stored.Invalid(name, "a record");

    private delegate object? Wrapped(GraphReader graph, Stored stored, Type inner);

    private sealed record Growing(
        Func<GraphReader, Stored, Type, (object? Comparer, Array Elements)> Read, string[]? SelfWritten = null);

    [RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
    [RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
    private sealed class Whole(Type type, IPart part) : ITypeReader
    {
        public object Read(GraphReader graph, ClassRecord record)
        {
            object target = Begin(graph, type);
            part.Fill(graph, record, target);
            return target;
        }
    }

    [RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
    [RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
    private abstract class Part(Type type, string[]? selfWritten) : IPart
    {
        public bool IsSelfWritten => selfWritten is not null;

        protected Type Type => type;

        public bool Has(string name)
        {
            if (selfWritten is not null)
            {
                return selfWritten.Contains(name);
            }

            int plus = name.LastIndexOf('+');
            return plus > 0 && type.WithBases().Any(
                level => level.Name == name[..plus] || name.StartsWith(NameOf(level), StringComparison.Ordinal));
        }

        public abstract void Fill(GraphReader graph, ClassRecord record, object target);
    }

    [RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
    [RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
    private sealed class GrowingPart(Type type, IFilledCollection collection, Growing form) : Part(type, form.SelfWritten)
    {
        public override void Fill(GraphReader graph, ClassRecord record, object target) => Collections.Fill(
            graph, collection, (graph, element) => form.Read(graph, new Stored(record, Type), element), target);
    }

    [RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
    [RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
    private sealed class WrapperPart(Type type, IFilledWrapper wrapper, Wrapped form) : Part(type, null)
    {
        public override void Fill(GraphReader graph, ClassRecord record, object target) => wrapper.Fill(
            graph.Session,
            target,
            form(graph, new Stored(record, Type), wrapper.InnerType)
                ?? throw ThrowHelper.NotValid(Type.ToString(), "it has nothing inside"));
    }
}
