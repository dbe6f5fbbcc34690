using System.Collections.Frozen;
using System.Collections.Immutable;
using Wire.Values;

namespace Wire.ValueSerializers.Collections.Kinds;

internal readonly struct ImmutableQueueKind<T> : IBuiltKind<ImmutableQueue<T>, T, ArraySegment<T>.Enumerator, List<T>>
{
    public static ArraySegment<T>.Enumerator Enumerate(ImmutableQueue<T> collection, out int count) =>
        Snapshot.Enumerate([.. collection], out count);

    public static List<T> Create(int capacity, object? comparer) => new(capacity);

    public static bool Add(List<T> builder, T item)
    {
        builder.Add(item);
        return true;
    }

    public static ImmutableQueue<T> Finish(List<T> builder) => ImmutableQueue.CreateRange(builder);
}

/// <summary>From the bottom to the top, in the order of pushing.</summary>
internal readonly struct ImmutableStackKind<T> : IBuiltKind<ImmutableStack<T>, T, ArraySegment<T>.Enumerator, List<T>>
{
    public static ArraySegment<T>.Enumerator Enumerate(ImmutableStack<T> collection, out int count) =>
        Snapshot.Reversed<T>([.. collection], out count);

    public static List<T> Create(int capacity, object? comparer) => new(capacity);

    public static bool Add(List<T> builder, T item)
    {
        builder.Add(item);
        return true;
    }

    public static ImmutableStack<T> Finish(List<T> builder) => ImmutableStack.CreateRange(builder);
}

internal readonly struct ImmutableHashSetKind<T>
    : IBuiltKind<ImmutableHashSet<T>, T, ImmutableHashSet<T>.Enumerator, ImmutableHashSet<T>.Builder>
{
    public static bool HasComparer => true;

    public static bool HasOrder => false;

    public static KeyTable Table => KeyTable.Codes;

    public static int HashOf(T item, object? comparer) => KeyHashes.Compute(item, comparer);

    public static void WriteComparer(ref WireWriter writer, ImmutableHashSet<T> collection) =>
        ComparerFormat.Write<T>(ref writer, collection.KeyComparer, typeof(ImmutableHashSet<T>));

    public static object? ComparerOf(ImmutableHashSet<T> collection) => collection.KeyComparer;

    public static object? ReadComparer(ref WireReader reader) => ComparerFormat.Read<IEqualityComparer<T>>(ref reader);

    public static ImmutableHashSet<T>.Enumerator Enumerate(ImmutableHashSet<T> collection, out int count)
    {
        count = collection.Count;
        return collection.GetEnumerator();
    }

    public static ImmutableHashSet<T>.Builder Create(int capacity, object? comparer) =>
        ImmutableHashSet.CreateBuilder((IEqualityComparer<T>?)comparer);

    public static bool Add(ImmutableHashSet<T>.Builder builder, T item) => builder.Add(item);

    public static ImmutableHashSet<T> Finish(ImmutableHashSet<T>.Builder builder) => builder.ToImmutable();
}

internal readonly struct ImmutableSortedSetKind<T>
    : IBuiltKind<ImmutableSortedSet<T>, T, ImmutableSortedSet<T>.Enumerator, ImmutableSortedSet<T>.Builder>
{
    public static bool HasComparer => true;

    public static void WriteComparer(ref WireWriter writer, ImmutableSortedSet<T> collection) =>
        ComparerFormat.Write<T>(ref writer, collection.KeyComparer, typeof(ImmutableSortedSet<T>));

    public static object? ComparerOf(ImmutableSortedSet<T> collection) => collection.KeyComparer;

    public static object? ReadComparer(ref WireReader reader) => ComparerFormat.Read<IComparer<T>>(ref reader);

    public static ImmutableSortedSet<T>.Enumerator Enumerate(ImmutableSortedSet<T> collection, out int count)
    {
        count = collection.Count;
        return collection.GetEnumerator();
    }

    public static ImmutableSortedSet<T>.Builder Create(int capacity, object? comparer) =>
        ImmutableSortedSet.CreateBuilder((IComparer<T>?)comparer);

    public static bool Add(ImmutableSortedSet<T>.Builder builder, T item) => builder.Add(item);

    public static ImmutableSortedSet<T> Finish(ImmutableSortedSet<T>.Builder builder) => builder.ToImmutable();
}

internal readonly struct ImmutableDictionaryKind<TKey, TValue>
    : IBuiltKind<ImmutableDictionary<TKey, TValue>, KeyValuePair<TKey, TValue>, ImmutableDictionary<TKey, TValue>.Enumerator,
        ImmutableDictionary<TKey, TValue>.Builder>
    where TKey : notnull
{
    // Its builder, and its comparers.
    public static int Overhead => 64;

    public static bool HasComparer => true;

    public static bool HasOrder => false;

    public static KeyTable Table => KeyTable.Codes;

    public static int HashOf(KeyValuePair<TKey, TValue> item, object? comparer) => KeyHashes.Compute(item.Key, comparer);

    public static void WriteComparer(ref WireWriter writer, ImmutableDictionary<TKey, TValue> collection) =>
        ComparerFormat.WritePair<TKey, TValue>(
            ref writer, collection.KeyComparer, collection.ValueComparer, typeof(ImmutableDictionary<TKey, TValue>));

    public static object? ComparerOf(ImmutableDictionary<TKey, TValue> collection) =>
        new ComparerPair(collection.KeyComparer, collection.ValueComparer);

    public static object? ReadComparer(ref WireReader reader) =>
        ComparerFormat.ReadPair<IEqualityComparer<TKey>, IEqualityComparer<TValue>>(ref reader);

    public static ImmutableDictionary<TKey, TValue>.Enumerator Enumerate(ImmutableDictionary<TKey, TValue> collection, out int count)
    {
        count = collection.Count;
        return collection.GetEnumerator();
    }

    public static ImmutableDictionary<TKey, TValue>.Builder Create(int capacity, object? comparer)
    {
        var pair = (ComparerPair)comparer!;
        return pair.IsDefault
            ? ImmutableDictionary.CreateBuilder<TKey, TValue>()
            : ImmutableDictionary.CreateBuilder((IEqualityComparer<TKey>?)pair.Keys, (IEqualityComparer<TValue>?)pair.Values);
    }

    public static bool Add(ImmutableDictionary<TKey, TValue>.Builder builder, KeyValuePair<TKey, TValue> item)
    {
        if (builder.ContainsKey(item.Key))
        {
            return false;
        }

        builder.Add(item);
        return true;
    }

    public static ImmutableDictionary<TKey, TValue> Finish(ImmutableDictionary<TKey, TValue>.Builder builder) => builder.ToImmutable();
}

internal readonly struct ImmutableSortedDictionaryKind<TKey, TValue>
    : IBuiltKind<ImmutableSortedDictionary<TKey, TValue>, KeyValuePair<TKey, TValue>, ImmutableSortedDictionary<TKey, TValue>.Enumerator,
        ImmutableSortedDictionary<TKey, TValue>.Builder>
    where TKey : notnull
{
    // Its builder.
    public static int Overhead => 64;

    public static bool HasComparer => true;

    public static void WriteComparer(ref WireWriter writer, ImmutableSortedDictionary<TKey, TValue> collection) =>
        ComparerFormat.WritePair<TKey, TValue>(
            ref writer, collection.KeyComparer, collection.ValueComparer, typeof(ImmutableSortedDictionary<TKey, TValue>));

    public static object? ComparerOf(ImmutableSortedDictionary<TKey, TValue> collection) =>
        new ComparerPair(collection.KeyComparer, collection.ValueComparer);

    public static object? ReadComparer(ref WireReader reader) =>
        ComparerFormat.ReadPair<IComparer<TKey>, IEqualityComparer<TValue>>(ref reader);

    public static ImmutableSortedDictionary<TKey, TValue>.Enumerator Enumerate(
        ImmutableSortedDictionary<TKey, TValue> collection, out int count)
    {
        count = collection.Count;
        return collection.GetEnumerator();
    }

    public static ImmutableSortedDictionary<TKey, TValue>.Builder Create(int capacity, object? comparer)
    {
        var pair = (ComparerPair)comparer!;
        return pair.IsDefault
            ? ImmutableSortedDictionary.CreateBuilder<TKey, TValue>()
            : ImmutableSortedDictionary.CreateBuilder((IComparer<TKey>?)pair.Keys, (IEqualityComparer<TValue>?)pair.Values);
    }

    public static bool Add(ImmutableSortedDictionary<TKey, TValue>.Builder builder, KeyValuePair<TKey, TValue> item)
    {
        if (builder.ContainsKey(item.Key))
        {
            return false;
        }

        builder.Add(item);
        return true;
    }

    public static ImmutableSortedDictionary<TKey, TValue> Finish(ImmutableSortedDictionary<TKey, TValue>.Builder builder) =>
        builder.ToImmutable();
}

internal readonly struct FrozenDictionaryKind<TKey, TValue>
    : IBuiltKind<FrozenDictionary<TKey, TValue>, KeyValuePair<TKey, TValue>, FrozenDictionary<TKey, TValue>.Enumerator,
        Dictionary<TKey, TValue>>
    where TKey : notnull
{
    // The dictionary inside, and its arrays.
    public static int Overhead => 128;

    public static bool HasComparer => true;

    public static bool HasOrder => false;

    public static KeyTable Table => KeyTable.Chains;

    public static int HashOf(KeyValuePair<TKey, TValue> item, object? comparer) => KeyHashes.Compute(item.Key, comparer);

    public static int Reserve(Dictionary<TKey, TValue> builder, int count, object? comparer) => builder.EnsureCapacity(count);

    public static void WriteComparer(ref WireWriter writer, FrozenDictionary<TKey, TValue> collection) =>
        ComparerFormat.Write<TKey>(ref writer, collection.Comparer, typeof(FrozenDictionary<TKey, TValue>));

    public static object? ComparerOf(FrozenDictionary<TKey, TValue> collection) => collection.Comparer;

    public static object? ReadComparer(ref WireReader reader) => ComparerFormat.Read<IEqualityComparer<TKey>>(ref reader);

    public static FrozenDictionary<TKey, TValue>.Enumerator Enumerate(FrozenDictionary<TKey, TValue> collection, out int count)
    {
        count = collection.Count;
        return collection.GetEnumerator();
    }

    public static Dictionary<TKey, TValue> Create(int capacity, object? comparer) => new(capacity, (IEqualityComparer<TKey>?)comparer);

    public static bool Add(Dictionary<TKey, TValue> builder, KeyValuePair<TKey, TValue> item) => builder.TryAdd(item.Key, item.Value);

    public static long CollisionsToFinish(Dictionary<TKey, TValue> builder, long enough) =>
        builder is Dictionary<string, TValue> texts && texts.Count >= Collisions.Threshold
            ? FrozenTexts.Collisions([.. texts.Keys], texts.Comparer, enough)
            : 0;

    public static FrozenDictionary<TKey, TValue> Finish(Dictionary<TKey, TValue> builder) => builder.ToFrozenDictionary(builder.Comparer);
}

internal readonly struct FrozenSetKind<T> : IBuiltKind<FrozenSet<T>, T, FrozenSet<T>.Enumerator, HashSet<T>>
{
    // The set inside, and its arrays.
    public static int Overhead => 128;

    public static bool HasComparer => true;

    public static bool HasOrder => false;

    public static KeyTable Table => KeyTable.Chains;

    public static int HashOf(T item, object? comparer) => KeyHashes.Compute(item, comparer);

    public static int Reserve(HashSet<T> builder, int count, object? comparer) => builder.EnsureCapacity(count);

    public static void WriteComparer(ref WireWriter writer, FrozenSet<T> collection) =>
        ComparerFormat.Write<T>(ref writer, collection.Comparer, typeof(FrozenSet<T>));

    public static object? ComparerOf(FrozenSet<T> collection) => collection.Comparer;

    public static object? ReadComparer(ref WireReader reader) => ComparerFormat.Read<IEqualityComparer<T>>(ref reader);

    public static FrozenSet<T>.Enumerator Enumerate(FrozenSet<T> collection, out int count)
    {
        count = collection.Count;
        return collection.GetEnumerator();
    }

    public static HashSet<T> Create(int capacity, object? comparer) => new(capacity, (IEqualityComparer<T>?)comparer);

    public static bool Add(HashSet<T> builder, T item) => builder.Add(item);

    public static long CollisionsToFinish(HashSet<T> builder, long enough) =>
        builder is HashSet<string> texts && texts.Count >= Collisions.Threshold
            ? FrozenTexts.Collisions([.. texts], texts.Comparer, enough)
            : 0;

    public static FrozenSet<T> Finish(HashSet<T> builder) => builder.ToFrozenSet(builder.Comparer);
}
