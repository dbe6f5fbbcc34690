using System.Runtime.CompilerServices;
using Wire.Errors;
using Wire.Values;

namespace Wire.ValueSerializers.Collections.Kinds;

internal readonly struct DictionaryKind<TKey, TValue>
    : IGrowingKind<Dictionary<TKey, TValue>, KeyValuePair<TKey, TValue>, Dictionary<TKey, TValue>.Enumerator>
    where TKey : notnull
{
    public static bool HasComparer => true;

    public static bool HasOrder => false;

    public static KeyTable Table => KeyTable.Chains;

    public static int HashOf(KeyValuePair<TKey, TValue> item, object? comparer) => KeyHashes.Compute(item.Key, comparer);

    public static int Reserve(Dictionary<TKey, TValue> builder, int count, object? comparer) => builder.EnsureCapacity(count);

    public static void WriteComparer(ref WireWriter writer, Dictionary<TKey, TValue> collection) =>
        ComparerFormat.Write<TKey>(ref writer, collection.Comparer, typeof(Dictionary<TKey, TValue>));

    public static object? ComparerOf(Dictionary<TKey, TValue> collection) => collection.Comparer;

    public static object? ReadComparer(ref WireReader reader) => ComparerFormat.Read<IEqualityComparer<TKey>>(ref reader);

    public static Dictionary<TKey, TValue>.Enumerator Enumerate(Dictionary<TKey, TValue> collection, out int count)
    {
        count = collection.Count;
        return collection.GetEnumerator();
    }

    // A derived class may copy in another way.
    public static bool CopiesFast(Dictionary<TKey, TValue> collection) => collection.GetType() == typeof(Dictionary<TKey, TValue>);

    public static void Copy(Dictionary<TKey, TValue> collection, KeyValuePair<TKey, TValue>[] elements)
    {
        try
        {
            ((ICollection<KeyValuePair<TKey, TValue>>)collection).CopyTo(elements, 0);
        }
        catch (ArgumentException e)
        {
            // There is no room for as many as it has by now.
            throw Changes.Seen(typeof(Dictionary<TKey, TValue>), e);
        }
    }

    public static bool CanClear => true;

    public static bool HasComparerOf(Dictionary<TKey, TValue> collection, object? comparer) =>
        ComparerFormat.IsSame<TKey>(collection.Comparer, comparer);

    public static void Clear(Dictionary<TKey, TValue> collection) => collection.Clear();

    public static void Construct(Dictionary<TKey, TValue> target, int capacity, object? comparer) =>
        Constructor(target, capacity, (IEqualityComparer<TKey>?)comparer);

    public static bool Add(Dictionary<TKey, TValue> builder, KeyValuePair<TKey, TValue> item) => builder.TryAdd(item.Key, item.Value);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = ".ctor")]
    private static extern void Constructor(Dictionary<TKey, TValue> target, int capacity, IEqualityComparer<TKey>? comparer);
}

internal readonly struct OrderedDictionaryKind<TKey, TValue>
    : IGrowingKind<OrderedDictionary<TKey, TValue>, KeyValuePair<TKey, TValue>, OrderedDictionary<TKey, TValue>.Enumerator>
    where TKey : notnull
{
    public static bool HasComparer => true;

    public static KeyTable Table => KeyTable.Chains;

    public static int HashOf(KeyValuePair<TKey, TValue> item, object? comparer) => KeyHashes.Compute(item.Key, comparer);

    public static int Reserve(OrderedDictionary<TKey, TValue> builder, int count, object? comparer) => builder.EnsureCapacity(count);

    public static void WriteComparer(ref WireWriter writer, OrderedDictionary<TKey, TValue> collection) =>
        ComparerFormat.Write<TKey>(ref writer, collection.Comparer, typeof(OrderedDictionary<TKey, TValue>));

    public static object? ComparerOf(OrderedDictionary<TKey, TValue> collection) => collection.Comparer;

    public static object? ReadComparer(ref WireReader reader) => ComparerFormat.Read<IEqualityComparer<TKey>>(ref reader);

    public static OrderedDictionary<TKey, TValue>.Enumerator Enumerate(OrderedDictionary<TKey, TValue> collection, out int count)
    {
        count = collection.Count;
        return collection.GetEnumerator();
    }

    public static bool CanClear => true;

    public static bool HasComparerOf(OrderedDictionary<TKey, TValue> collection, object? comparer) =>
        ComparerFormat.IsSame<TKey>(collection.Comparer, comparer);

    public static void Clear(OrderedDictionary<TKey, TValue> collection) => collection.Clear();

    public static void Construct(OrderedDictionary<TKey, TValue> target, int capacity, object? comparer) =>
        Constructor(target, capacity, (IEqualityComparer<TKey>?)comparer);

    public static bool Add(OrderedDictionary<TKey, TValue> builder, KeyValuePair<TKey, TValue> item) =>
        builder.TryAdd(item.Key, item.Value);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = ".ctor")]
    private static extern void Constructor(OrderedDictionary<TKey, TValue> target, int capacity, IEqualityComparer<TKey>? comparer);
}

internal readonly struct HashSetKind<T> : IGrowingKind<HashSet<T>, T, HashSet<T>.Enumerator>
{
    public static bool HasComparer => true;

    public static bool HasOrder => false;

    public static KeyTable Table => KeyTable.Chains;

    public static int HashOf(T item, object? comparer) => KeyHashes.Compute(item, comparer);

    public static int Reserve(HashSet<T> builder, int count, object? comparer) => builder.EnsureCapacity(count);

    public static void WriteComparer(ref WireWriter writer, HashSet<T> collection) =>
        ComparerFormat.Write<T>(ref writer, collection.Comparer, typeof(HashSet<T>));

    public static object? ComparerOf(HashSet<T> collection) => collection.Comparer;

    public static object? ReadComparer(ref WireReader reader) => ComparerFormat.Read<IEqualityComparer<T>>(ref reader);

    public static HashSet<T>.Enumerator Enumerate(HashSet<T> collection, out int count)
    {
        count = collection.Count;
        return collection.GetEnumerator();
    }

    public static bool CanClear => true;

    public static bool HasComparerOf(HashSet<T> collection, object? comparer) =>
        ComparerFormat.IsSame<T>(collection.Comparer, comparer);

    public static void Clear(HashSet<T> collection) => collection.Clear();

    public static void Construct(HashSet<T> target, int capacity, object? comparer) =>
        Constructor(target, capacity, (IEqualityComparer<T>?)comparer);

    public static bool Add(HashSet<T> builder, T item) => builder.Add(item);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = ".ctor")]
    private static extern void Constructor(HashSet<T> target, int capacity, IEqualityComparer<T>? comparer);
}
