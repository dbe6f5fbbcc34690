using System.Collections;
using System.Collections.Specialized;
using System.Dynamic;
using System.Runtime.CompilerServices;
using Wire.Errors;
using Wire.Values;

namespace Wire.ValueSerializers.Collections.Kinds;

internal readonly struct ArrayListKind : IGrowingKind<ArrayList, object?, ArraySegment<object?>.Enumerator>
{
    public static ArraySegment<object?>.Enumerator Enumerate(ArrayList collection, out int count) =>
        Snapshot.Enumerate(BaseCalls.Items(collection), out count);

    public static void Construct(ArrayList target, int capacity, object? comparer) => Constructor(target, capacity);

    public static bool Add(ArrayList builder, object? item)
    {
        BaseCalls.Add(builder, item);
        return true;
    }

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = ".ctor")]
    private static extern void Constructor(ArrayList target, int capacity);
}

internal readonly struct UntypedQueueKind : IGrowingKind<Queue, object?, ArraySegment<object?>.Enumerator>
{
    // The default capacity is 32.
    public static int Overhead => 24 + (32 * IntPtr.Size);

    public static ArraySegment<object?>.Enumerator Enumerate(Queue collection, out int count) =>
        Snapshot.Enumerate(BaseCalls.Items(collection), out count);

    public static void Construct(Queue target, int capacity, object? comparer) => Constructor(target);

    public static bool Add(Queue builder, object? item)
    {
        BaseCalls.Add(builder, item);
        return true;
    }

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = ".ctor")]
    private static extern void Constructor(Queue target);
}

/// <summary>From the bottom to the top, in the order of pushing.</summary>
internal readonly struct UntypedStackKind : IGrowingKind<Stack, object?, ArraySegment<object?>.Enumerator>
{
    // The default capacity is 10.
    public static int Overhead => 24 + (10 * IntPtr.Size);

    public static ArraySegment<object?>.Enumerator Enumerate(Stack collection, out int count) =>
        Snapshot.Reversed(BaseCalls.Items(collection), out count);

    public static void Construct(Stack target, int capacity, object? comparer) => Constructor(target);

    public static bool Add(Stack builder, object? item)
    {
        BaseCalls.Add(builder, item);
        return true;
    }

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = ".ctor")]
    private static extern void Constructor(Stack target);
}

internal readonly struct HashtableKind
    : IGrowingKind<Hashtable, KeyValuePair<object, object?>, ArraySegment<KeyValuePair<object, object?>>.Enumerator>
{
    public static bool HasComparer => true;

    public static bool HasOrder => false;

    public static KeyTable Table => KeyTable.Probes;

    public static int HashOf(KeyValuePair<object, object?> item, object? comparer) => KeyHashes.ComputeUntyped(item.Key, comparer);

    // Its table, and the enumerator.
    public static int Overhead => 256;

    public static int Reserve(Hashtable builder, int count, object? comparer)
    {
        Constructor(builder, HashtableSize.RoomFor(count), (IEqualityComparer?)comparer);
        return HashtableSize.ForCount(count);
    }

    public static object? ComparerOf(Hashtable collection) => Comparer(collection);

    public static void WriteComparer(ref WireWriter writer, Hashtable collection) =>
        ComparerFormat.Write<object>(ref writer, Comparer(collection), typeof(Hashtable));

    public static object? ReadComparer(ref WireReader reader) => ComparerFormat.Read<IEqualityComparer>(ref reader);

    public static ArraySegment<KeyValuePair<object, object?>>.Enumerator Enumerate(Hashtable collection, out int count) =>
        Snapshot.Enumerate(BaseCalls.Pairs(collection), out count);

    public static void Construct(Hashtable target, int capacity, object? comparer) => Constructor(target, 0, (IEqualityComparer?)comparer);

    public static bool Add(Hashtable builder, KeyValuePair<object, object?> item) => BaseCalls.Add(builder, item);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "get_EqualityComparer")]
    private static extern IEqualityComparer? Comparer(Hashtable target);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = ".ctor")]
    private static extern void Constructor(Hashtable target, int capacity, IEqualityComparer? comparer);
}

/// <summary>Returns the size of a table that is at most 72 percent full.</summary>
internal static class HashtableSize
{
    private const float Load = 0.72f;

    // Capacity for a few more, so that it does not grow at the last one.
    public static int RoomFor(int count) => count + 8;

    public static int ForCount(int count) => TableSizes.AtLeast((int)(RoomFor(count) / Load));
}

internal readonly struct UntypedSortedListKind
    : IGrowingKind<SortedList, KeyValuePair<object, object?>, ArraySegment<KeyValuePair<object, object?>>.Enumerator>
{
    // Arrays of sixteen elements.
    public static int Overhead => 256;

    public static bool HasComparer => true;

    public static bool AddsInOrder => true;

    public static int Compare(KeyValuePair<object, object?> x, KeyValuePair<object, object?> y, object? comparer) =>
        ((IComparer)comparer!).Compare(x.Key, y.Key);

    public static object? ComparerOf(SortedList collection) => Comparer(collection);

    public static void WriteComparer(ref WireWriter writer, SortedList collection) =>
        ComparerFormat.Write<object>(ref writer, Comparer(collection), typeof(SortedList));

    // Without a comparer such a list uses that of the current culture.
    public static object? ReadComparer(ref WireReader reader) => ComparerFormat.Read<IComparer>(ref reader) ?? Comparer<object>.Default;

    public static ArraySegment<KeyValuePair<object, object?>>.Enumerator Enumerate(SortedList collection, out int count) =>
        Snapshot.Enumerate(BaseCalls.Pairs(collection), out count);

    public static void Construct(SortedList target, int capacity, object? comparer) => Constructor(target, (IComparer?)comparer);

    public static bool Add(SortedList builder, KeyValuePair<object, object?> item) => BaseCalls.Add(builder, item);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "comparer")]
    private static extern ref IComparer Comparer(SortedList target);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = ".ctor")]
    private static extern void Constructor(SortedList target, IComparer? comparer);
}

/// <summary>The keys, each with all its values.</summary>
internal readonly struct NameValueCollectionKind
    : IGrowingKind<NameValueCollection, KeyValuePair<string?, string?[]?>, ArraySegment<KeyValuePair<string?, string?[]?>>.Enumerator>
{
    // Its table and its list, each with spare capacity.
    public static int Overhead => 320;

    public static bool AllowsNullKey => true;

    public static bool HasComparer => true;

    // One list per key, which doubles when it is full.
    public static int CopiedSize => 2 * nint.Size;

    public static KeyTable Table => KeyTable.Probes;

    public static int HashOf(KeyValuePair<string?, string?[]?> item, object? comparer) => KeyHashes.ComputeUntyped(item.Key, comparer);

    public static int Reserve(NameValueCollection builder, int count, object? comparer)
    {
        Constructor(builder, HashtableSize.RoomFor(count), (IEqualityComparer?)comparer);
        return HashtableSize.ForCount(count);
    }

    public static object? ComparerOf(NameValueCollection collection) => Comparer(collection);

    // The default comparer of such a collection ignores case, unlike the default comparer of strings.
    public static void WriteComparer(ref WireWriter writer, NameValueCollection collection) =>
        ComparerFormat.Write<string>(ref writer, Comparer(collection), typeof(NameValueCollection));

    public static object? ReadComparer(ref WireReader reader) =>
        ComparerFormat.Read<IEqualityComparer>(ref reader) ?? EqualityComparer<string>.Default;

    public static ArraySegment<KeyValuePair<string?, string?[]?>>.Enumerator Enumerate(NameValueCollection collection, out int count) =>
        Snapshot.Enumerate(BaseCalls.Pairs(collection), out count);

    public static void Construct(NameValueCollection target, int capacity, object? comparer) =>
        Constructor(target, 0, (IEqualityComparer?)comparer);

    public static bool Add(NameValueCollection builder, KeyValuePair<string?, string?[]?> item)
    {
        if (item.Value is null or [])
        {
            BaseCalls.Add(builder, item.Key, null);
            return true;
        }

        foreach (string? value in item.Value)
        {
            BaseCalls.Add(builder, item.Key, value);
        }

        return true;
    }

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "get_Comparer")]
    private static extern IEqualityComparer? Comparer(NameObjectCollectionBase target);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = ".ctor")]
    private static extern void Constructor(NameValueCollection target, int capacity, IEqualityComparer? comparer);
}

internal readonly struct StringCollectionKind : IGrowingKind<StringCollection, string?, ArraySegment<string?>.Enumerator>
{
    public static ArraySegment<string?>.Enumerator Enumerate(StringCollection collection, out int count) =>
        Snapshot.Enumerate(Changes.Taken(collection, Items), out count);

    private static string?[] Items(StringCollection collection)
    {
        var items = new string?[collection.Count];
        collection.CopyTo(items!, 0);
        Changes.Check<StringCollection>(items.Length, collection.Count);
        return items;
    }

    public static void Construct(StringCollection target, int capacity, object? comparer) => Constructor(target);

    public static bool Add(StringCollection builder, string? item)
    {
        builder.Add(item);
        return true;
    }

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = ".ctor")]
    private static extern void Constructor(StringCollection target);
}

internal readonly struct ExpandoKind
    : IGrowingKind<ExpandoObject, KeyValuePair<string, object?>, IEnumerator<KeyValuePair<string, object?>>>
{
    public static bool HasComparer => true;

    public static KeyTable Table => KeyTable.List;

    public static object? ComparerOf(ExpandoObject collection) => null;

    public static void WriteComparer(ref WireWriter writer, ExpandoObject collection) => writer.WriteByte(0);

    public static object? ReadComparer(ref WireReader reader) => ComparerFormat.ReadDefault(ref reader, nameof(ExpandoObject));

    public static IEnumerator<KeyValuePair<string, object?>> Enumerate(ExpandoObject collection, out int count)
    {
        var members = (IDictionary<string, object?>)collection;
        count = members.Count;
        return members.GetEnumerator();
    }

    public static void Construct(ExpandoObject target, int capacity, object? comparer) => Constructor(target);

    // .NET caches for ever which names come first in an object. So the first is always this one: later names are cached under it, only as
    // long as objects use them.
    private const string First = "\0Wire";

    public static bool Add(ExpandoObject builder, KeyValuePair<string, object?> item)
    {
        var members = (IDictionary<string, object?>)builder;
        if (members.Count > 0 || item.Key is null or First)
        {
            return members.TryAdd(item.Key!, item.Value);
        }

        members.Add(First, null);
        members.Add(item);
        return members.Remove(First);
    }

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = ".ctor")]
    private static extern void Constructor(ExpandoObject target);
}
