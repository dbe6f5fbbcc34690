using System.Collections;
using System.Collections.Specialized;
using System.Runtime.CompilerServices;
using Wire.Errors;
using Wire.Values;
using Pair = System.Collections.Generic.KeyValuePair<object, object?>;
using Pairs = System.ArraySegment<System.Collections.Generic.KeyValuePair<object, object?>>.Enumerator;
using TextPair = System.Collections.Generic.KeyValuePair<string, string?>;
using TextPairs = System.ArraySegment<System.Collections.Generic.KeyValuePair<string, string?>>.Enumerator;

namespace Wire.ValueSerializers.Collections.Kinds;

/// <summary>A dictionary as a linked list: each key is compared with all earlier ones.</summary>
internal readonly struct ListDictionaryKind : IGrowingKind<ListDictionary, Pair, Pairs>
{
    // Its enumerator.
    public static int Overhead => 64;

    public static bool HasComparer => true;

    public static KeyTable Table => KeyTable.List;

    public static object? ComparerOf(ListDictionary collection) => Comparer(collection);

    // Without a comparer keys are compared by Equals, which no ordering comparer does: so no comparer means the default.
    public static void WriteComparer(ref WireWriter writer, ListDictionary collection) =>
        ComparerFormat.Write<ListDictionary>(ref writer, Comparer(collection), typeof(ListDictionary));

    public static object? ReadComparer(ref WireReader reader) => ComparerFormat.Read<IComparer>(ref reader);

    public static Pairs Enumerate(ListDictionary collection, out int count) =>
        Snapshot.Enumerate(BaseCalls.Pairs(collection.GetEnumerator()), out count);

    public static void Construct(ListDictionary target, int capacity, object? comparer) => Constructor(target, (IComparer?)comparer);

    public static bool Add(ListDictionary builder, Pair item)
    {
        int count = builder.Count;
        builder[item.Key] = item.Value;
        return builder.Count != count;
    }

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "comparer")]
    private static extern ref IComparer? Comparer(ListDictionary target);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = ".ctor")]
    private static extern void Constructor(ListDictionary target, IComparer? comparer);
}

/// <summary>A dictionary that is a list while small, and then a table. Its comparer decides about case.</summary>
internal readonly struct HybridDictionaryKind : IGrowingKind<HybridDictionary, Pair, Pairs>
{
    // Up to this count it is a list, in the order of insertion.
    private const int MostInList = 8;

    // The same capacity as a list is converted to, so that the order of pairs is the same.
    private const int FirstTable = 13;

    // The list, or the table that it becomes.
    public static int Overhead => 128;

    public static bool HasComparer => true;

    public static bool HasOrder => false;

    public static KeyTable Table => KeyTable.Probes;

    public static int HashOf(Pair item, object? comparer) => KeyHashes.ComputeUntyped(item.Key, comparer);

    public static int Reserve(HybridDictionary builder, int count, object? comparer)
    {
        Constructor(builder, HashtableSize.RoomFor(count), comparer is not null);
        return HashtableSize.ForCount(count);
    }

    public static object? ComparerOf(HybridDictionary collection) => IgnoresCase(collection) ? StringComparer.OrdinalIgnoreCase : null;

    public static void WriteComparer(ref WireWriter writer, HybridDictionary collection) =>
        ComparerFormat.Write<object>(
            ref writer, IgnoresCase(collection) ? StringComparer.OrdinalIgnoreCase : null, typeof(HybridDictionary));

    public static object? ReadComparer(ref WireReader reader)
    {
        object? comparer = ComparerFormat.Read<object>(ref reader);
        if (comparer is not null && !comparer.Equals(StringComparer.OrdinalIgnoreCase))
        {
            ThrowHelper.InvalidValue(
                nameof(HybridDictionary), $"it has a comparer of type {comparer.GetType()}; only one that ignores case is possible");
        }

        return comparer;
    }

    public static Pairs Enumerate(HybridDictionary collection, out int count) =>
        Snapshot.Enumerate(BaseCalls.Pairs(collection.GetEnumerator()), out count);

    public static void Construct(HybridDictionary target, int capacity, object? comparer) =>
        Constructor(target, capacity > MostInList ? capacity : 0, comparer is not null);

    public static bool Add(HybridDictionary builder, Pair item)
    {
        int count = builder.Count;
        if (item.Key is not string && IgnoresCase(builder) && TableOf(builder) is null)
        {
            // A list would compare a string with another type. The writer's was a table, too.
            if (count == 0)
            {
                TableOf(builder) = new Hashtable(FirstTable, StringComparer.OrdinalIgnoreCase);
            }
            else
            {
                ChangeOver(builder);
            }
        }

        builder[item.Key] = item.Value;
        return builder.Count != count;
    }

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "caseInsensitive")]
    private static extern ref readonly bool IgnoresCase(HybridDictionary target);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "hashtable")]
    private static extern ref Hashtable? TableOf(HybridDictionary target);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "ChangeOver")]
    private static extern void ChangeOver(HybridDictionary target);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = ".ctor")]
    private static extern void Constructor(HybridDictionary target, int capacity, bool ignoresCase);
}

/// <summary>A dictionary that keeps the order of insertion.</summary>
internal readonly struct UntypedOrderedDictionaryKind : IGrowingKind<OrderedDictionary, Pair, Pairs>
{
    // Its table and its list.
    public static int Overhead => 256;

    public static bool HasComparer => true;

    public static KeyTable Table => KeyTable.Probes;

    public static int HashOf(Pair item, object? comparer) => KeyHashes.ComputeUntyped(item.Key, comparer);

    public static int Reserve(OrderedDictionary builder, int count, object? comparer)
    {
        Constructor(builder, HashtableSize.RoomFor(count), (IEqualityComparer?)comparer);
        return HashtableSize.ForCount(count);
    }

    public static object? ComparerOf(OrderedDictionary collection)
    {
        RefuseView(collection);
        return Comparer(collection);
    }

    public static void WriteComparer(ref WireWriter writer, OrderedDictionary collection)
    {
        RefuseView(collection);
        ComparerFormat.Write<object>(ref writer, Comparer(collection), typeof(OrderedDictionary));
    }

    public static object? ReadComparer(ref WireReader reader) => ComparerFormat.Read<IEqualityComparer>(ref reader);

    public static Pairs Enumerate(OrderedDictionary collection, out int count) =>
        Snapshot.Enumerate(BaseCalls.Pairs(collection), out count);

    public static void Construct(OrderedDictionary target, int capacity, object? comparer) =>
        Constructor(target, capacity, (IEqualityComparer?)comparer);

    public static bool Add(OrderedDictionary builder, Pair item)
    {
        int count = builder.Count;
        builder[item.Key] = item.Value;
        return builder.Count != count;
    }

    private static void RefuseView(OrderedDictionary collection)
    {
        if (collection.IsReadOnly)
        {
            ThrowHelper.Unsupported(
                typeof(OrderedDictionary),
                "it is a read-only view, which does not say of which dictionary. Write that, and call AsReadOnly() on what is read.");
        }
    }

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_comparer")]
    private static extern ref IEqualityComparer? Comparer(OrderedDictionary target);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = ".ctor")]
    private static extern void Constructor(OrderedDictionary target, int capacity, IEqualityComparer? comparer);
}

/// <summary>
/// Strings by lower-case strings. Its methods are virtual, and its table is private: a derived class's methods are not called.
/// </summary>
internal readonly struct StringDictionaryKind : IGrowingKind<StringDictionary, TextPair, TextPairs>
{
    // The table.
    public static int Overhead => 256;

    // Its keys have no custom comparer, and the hash codes of strings are secret.
    public static bool HasComparer => true;

    public static bool HasOrder => false;

    public static object? ComparerOf(StringDictionary collection) => null;

    public static void WriteComparer(ref WireWriter writer, StringDictionary collection) => writer.WriteByte(0);

    public static object? ReadComparer(ref WireReader reader) => ComparerFormat.ReadDefault(ref reader, nameof(StringDictionary));

    public static TextPairs Enumerate(StringDictionary collection, out int count) =>
        Snapshot.Enumerate(Changes.Taken(collection, Pairs), out count);

    private static TextPair[] Pairs(StringDictionary collection)
    {
        Hashtable table = Contents(collection);
        var pairs = new TextPair[table.Count];
        int i = 0;
        foreach (DictionaryEntry entry in table)
        {
            pairs[i++] = new((string)entry.Key, (string?)entry.Value);
        }

        Changes.Check<StringDictionary>(pairs.Length, i);
        return pairs;
    }

    public static void Construct(StringDictionary target, int capacity, object? comparer) => Constructor(target);

    public static bool Add(StringDictionary builder, TextPair item) =>
        BaseCalls.Add(Contents(builder), new(item.Key.ToLowerInvariant(), item.Value));

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "contents")]
    private static extern ref Hashtable Contents(StringDictionary target);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = ".ctor")]
    private static extern void Constructor(StringDictionary target);
}
