using System.Runtime.CompilerServices;
using Wire.Values;

namespace Wire.ValueSerializers.Collections.Kinds;

internal readonly struct SortedDictionaryKind<TKey, TValue>
    : IGrowingKind<SortedDictionary<TKey, TValue>, KeyValuePair<TKey, TValue>, SortedDictionary<TKey, TValue>.Enumerator>
    where TKey : notnull
{
    public static bool HasComparer => true;

    public static void WriteComparer(ref WireWriter writer, SortedDictionary<TKey, TValue> collection) =>
        ComparerFormat.Write<TKey>(ref writer, collection.Comparer, typeof(SortedDictionary<TKey, TValue>));

    public static object? ComparerOf(SortedDictionary<TKey, TValue> collection) => collection.Comparer;

    public static object? ReadComparer(ref WireReader reader) => ComparerFormat.Read<IComparer<TKey>>(ref reader);

    public static SortedDictionary<TKey, TValue>.Enumerator Enumerate(SortedDictionary<TKey, TValue> collection, out int count)
    {
        count = collection.Count;
        return collection.GetEnumerator();
    }

    public static void Construct(SortedDictionary<TKey, TValue> target, int capacity, object? comparer) =>
        Constructor(target, (IComparer<TKey>?)comparer);

    public static bool Add(SortedDictionary<TKey, TValue> builder, KeyValuePair<TKey, TValue> item) => builder.TryAdd(item.Key, item.Value);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = ".ctor")]
    private static extern void Constructor(SortedDictionary<TKey, TValue> target, IComparer<TKey>? comparer);
}

internal readonly struct SortedListKind<TKey, TValue>
    : IGrowingKind<SortedList<TKey, TValue>, KeyValuePair<TKey, TValue>, IEnumerator<KeyValuePair<TKey, TValue>>>
    where TKey : notnull
{
    // Arrays of four elements, and the enumerator.
    public static int Overhead => 96;

    public static bool HasComparer => true;

    public static bool AddsInOrder => true;

    public static int Compare(KeyValuePair<TKey, TValue> x, KeyValuePair<TKey, TValue> y, object? comparer) =>
        ((IComparer<TKey>?)comparer ?? Comparer<TKey>.Default).Compare(x.Key, y.Key);

    public static void WriteComparer(ref WireWriter writer, SortedList<TKey, TValue> collection) =>
        ComparerFormat.Write<TKey>(ref writer, collection.Comparer, typeof(SortedList<TKey, TValue>));

    public static object? ComparerOf(SortedList<TKey, TValue> collection) => collection.Comparer;

    public static object? ReadComparer(ref WireReader reader) => ComparerFormat.Read<IComparer<TKey>>(ref reader);

    public static IEnumerator<KeyValuePair<TKey, TValue>> Enumerate(SortedList<TKey, TValue> collection, out int count)
    {
        count = collection.Count;
        return collection.GetEnumerator();
    }

    public static void Construct(SortedList<TKey, TValue> target, int capacity, object? comparer) =>
        Constructor(target, capacity, (IComparer<TKey>?)comparer);

    public static bool Add(SortedList<TKey, TValue> builder, KeyValuePair<TKey, TValue> item) => builder.TryAdd(item.Key, item.Value);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = ".ctor")]
    private static extern void Constructor(SortedList<TKey, TValue> target, int capacity, IComparer<TKey>? comparer);
}

internal readonly struct SortedSetKind<T> : IGrowingKind<SortedSet<T>, T, SortedSet<T>.Enumerator>
{
    public static bool HasComparer => true;

    public static void WriteComparer(ref WireWriter writer, SortedSet<T> collection) =>
        ComparerFormat.Write<T>(ref writer, collection.Comparer, typeof(SortedSet<T>));

    public static object? ComparerOf(SortedSet<T> collection) => collection.Comparer;

    public static object? ReadComparer(ref WireReader reader) => ComparerFormat.Read<IComparer<T>>(ref reader);

    public static SortedSet<T>.Enumerator Enumerate(SortedSet<T> collection, out int count)
    {
        count = collection.Count;
        return collection.GetEnumerator();
    }

    public static void Construct(SortedSet<T> target, int capacity, object? comparer) => Constructor(target, (IComparer<T>?)comparer);

    public static bool Add(SortedSet<T> builder, T item) => builder.Add(item);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = ".ctor")]
    private static extern void Constructor(SortedSet<T> target, IComparer<T>? comparer);
}

/// <summary>
/// The heap's own order, from which it is rebuilt without moving an element, so that equal priorities are dequeued in the same order.
/// </summary>
internal readonly struct PriorityQueueKind<TElement, TPriority>
    : IGrowingKind<PriorityQueue<TElement, TPriority>, (TElement, TPriority),
        PriorityQueue<TElement, TPriority>.UnorderedItemsCollection.Enumerator>
{
    public static bool HasComparer => true;

    public static void WriteComparer(ref WireWriter writer, PriorityQueue<TElement, TPriority> collection) =>
        ComparerFormat.Write<TPriority>(ref writer, collection.Comparer, typeof(PriorityQueue<TElement, TPriority>));

    public static object? ComparerOf(PriorityQueue<TElement, TPriority> collection) => collection.Comparer;

    public static object? ReadComparer(ref WireReader reader) => ComparerFormat.Read<IComparer<TPriority>>(ref reader);

    public static PriorityQueue<TElement, TPriority>.UnorderedItemsCollection.Enumerator Enumerate(
        PriorityQueue<TElement, TPriority> collection, out int count)
    {
        count = collection.Count;
        return collection.UnorderedItems.GetEnumerator();
    }

    public static object? Compared((TElement, TPriority) item) => item.Item2;

    public static void Construct(PriorityQueue<TElement, TPriority> target, int capacity, object? comparer) =>
        Constructor(target, capacity, (IComparer<TPriority>?)comparer);

    public static bool Add(PriorityQueue<TElement, TPriority> builder, (TElement, TPriority) item)
    {
        builder.Enqueue(item.Item1, item.Item2);
        return true;
    }

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = ".ctor")]
    private static extern void Constructor(PriorityQueue<TElement, TPriority> target, int initialCapacity, IComparer<TPriority>? comparer);
}
