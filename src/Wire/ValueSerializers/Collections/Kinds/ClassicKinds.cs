using System.Collections;
using System.Collections.Concurrent;
using System.Collections.ObjectModel;
using System.Runtime.CompilerServices;
using Wire.Errors;
using Wire.Values;

namespace Wire.ValueSerializers.Collections.Kinds;

/// <summary>The abstract base classes of older collections: the collection inside.</summary>
internal readonly struct CollectionBaseKind : IWrapperKind<CollectionBase, ArrayList>
{
    public static ArrayList? Empty => [];

    public static bool NeedsInner => true;

    public static object? Within(object inner) => Views.GetInner(inner);

    public static void Construct(CollectionBase target, ArrayList inner) => Field(target) = inner;

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "get_InnerList")]
    public static extern ArrayList Unwrap(CollectionBase wrapper);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_list")]
    private static extern ref ArrayList Field(CollectionBase target);
}

/// <inheritdoc cref="CollectionBaseKind"/>
internal readonly struct DictionaryBaseKind : IWrapperKind<DictionaryBase, Hashtable>
{
    public static Hashtable? Empty => [];

    // The table inside.
    public static int Overhead => 256;

    public static void Construct(DictionaryBase target, Hashtable inner) => Field(target) = inner;

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "get_InnerHashtable")]
    public static extern Hashtable Unwrap(DictionaryBase wrapper);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_hashtable")]
    private static extern ref Hashtable Field(DictionaryBase target);
}

/// <summary>A bounded or unbounded producer-consumer collection: its elements, and its completion flag.</summary>
internal readonly struct BlockingCollectionKind<T>
    : IWrapperKind<BlockingCollection<T>, (IProducerConsumerCollection<T> Items, int BoundedCapacity, bool IsAddingCompleted)>
{
    // The semaphores of its producers and consumers.
    public static int Overhead => 512;

    public static (IProducerConsumerCollection<T> Items, int BoundedCapacity, bool IsAddingCompleted) Empty =>
        (new ConcurrentQueue<T>(), -1, false);

    public static object? CountedIn((IProducerConsumerCollection<T> Items, int BoundedCapacity, bool IsAddingCompleted) inner) =>
        inner.Items;

    public static (IProducerConsumerCollection<T> Items, int BoundedCapacity, bool IsAddingCompleted) Unwrap(
        BlockingCollection<T> wrapper) =>
        (Inner(wrapper), wrapper.BoundedCapacity, wrapper.IsAddingCompleted);

    public static void Construct(
        BlockingCollection<T> target, (IProducerConsumerCollection<T> Items, int BoundedCapacity, bool IsAddingCompleted) inner)
    {
        if (inner.Items is null
            || (inner.BoundedCapacity != -1 && (inner.BoundedCapacity < 1 || inner.BoundedCapacity < inner.Items.Count)))
        {
            ThrowHelper.InvalidValue(nameof(BlockingCollection<>), $"its capacity of {inner.BoundedCapacity} does not hold its elements");
        }

        if (inner.BoundedCapacity == -1)
        {
            Constructor(target, inner.Items!);
        }
        else
        {
            Constructor(target, inner.Items!, inner.BoundedCapacity);
        }

        if (inner.IsAddingCompleted)
        {
            target.CompleteAdding();
        }
    }

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_collection")]
    private static extern ref IProducerConsumerCollection<T> Inner(BlockingCollection<T> target);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = ".ctor")]
    private static extern void Constructor(BlockingCollection<T> target, IProducerConsumerCollection<T> collection);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = ".ctor")]
    private static extern void Constructor(BlockingCollection<T> target, IProducerConsumerCollection<T> collection, int boundedCapacity);
}

/// <summary>
/// The base class of collections whose elements hold their keys. Elements go directly to the list: only the derived class knows their keys,
/// and it may not be complete yet. The table of keys is built when the whole graph has been read.
/// </summary>
internal readonly struct KeyedCollectionKind<TKey, T> : IGrowingKind<KeyedCollection<TKey, T>, T, ArraySegment<T>.Enumerator>
    where TKey : notnull
{
    public static bool HasComparer => true;

    public static object? ComparerOf(KeyedCollection<TKey, T> collection) => collection.Comparer;

    public static void WriteComparer(ref WireWriter writer, KeyedCollection<TKey, T> collection) =>
        ComparerFormat.Write<TKey>(ref writer, collection.Comparer, typeof(KeyedCollection<TKey, T>));

    public static object? ReadComparer(ref WireReader reader) => ComparerFormat.Read<IEqualityComparer<TKey>>(ref reader);

    public static ArraySegment<T>.Enumerator Enumerate(KeyedCollection<TKey, T> collection, out int count) =>
        Snapshot.Enumerate([.. CollectionKind<T>.Unwrap(collection)], out count);

    public static object? Compared(T item) => null;

    public static void Construct(KeyedCollection<TKey, T> target, int capacity, object? comparer) =>
        Constructor(target, (IEqualityComparer<TKey>?)comparer);

    public static bool Add(KeyedCollection<TKey, T> builder, T item)
    {
        CollectionKind<T>.Unwrap(builder).Add(item);
        return true;
    }

    public static bool HasIndex => true;

    // The class itself would build it at the next Add, and only then find a duplicate key or collisions.
    public static void Index(DeserializerSession session, KeyedCollection<TKey, T> collection)
    {
        IList<T> items = CollectionKind<T>.Unwrap(collection);
        if (items.Count == 0)
        {
            return;
        }

        var keys = new List<KeyValuePair<TKey, T>>(items.Count);
        try
        {
            foreach (T item in items)
            {
                if (KeyOf(collection, item) is { } key)
                {
                    keys.Add(new(key, item));
                }
            }
        }
        catch (Exception e) when (ThrowHelper.IsOfBytes(e))
        {
            throw ThrowHelper.Invalid(collection.GetType().ToString(), e);
        }

        var table = new Dictionary<TKey, T>(keys.Count, collection.Comparer);
        object? comparer = ReferenceEquals(collection.Comparer, EqualityComparer<TKey>.Default) ? null : collection.Comparer;
        ElementAdder<Dictionary<TKey, T>, KeyValuePair<TKey, T>, Dictionary<TKey, T>.Enumerator, Dictionary<TKey, T>,
            DictionaryKind<TKey, T>>
            .For(session, typeof(TKey), comparer, keys.Count).AddAll(table, keys);
        Table(collection) = table;
    }

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = ".ctor")]
    private static extern void Constructor(KeyedCollection<TKey, T> target, IEqualityComparer<TKey>? comparer);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "GetKeyForItem")]
    private static extern TKey KeyOf(KeyedCollection<TKey, T> target, T item);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "dict")]
    private static extern ref Dictionary<TKey, T>? Table(KeyedCollection<TKey, T> target);
}
