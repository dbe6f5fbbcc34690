using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using Wire.Format;
using Wire.Values;

namespace Wire.ValueSerializers.Collections.Kinds;

internal readonly struct ConcurrentDictionaryKind<TKey, TValue>
    : IGrowingKind<ConcurrentDictionary<TKey, TValue>, KeyValuePair<TKey, TValue>, ArraySegment<KeyValuePair<TKey, TValue>>.Enumerator>
    where TKey : notnull
{
    private const int DefaultCapacity = 31;

    // Its table, and a lock per processor: counted for sixteen, because the count must be the same everywhere.
    public static int Overhead => 1024;

    public static bool HasComparer => true;

    public static bool HasOrder => false;

    public static KeyTable Table => KeyTable.GrowingChains;

    public static int HashOf(KeyValuePair<TKey, TValue> item, object? comparer) => KeyHashes.Compute(item.Key, comparer);

    public static int Reserve(ConcurrentDictionary<TKey, TValue> builder, int count, object? comparer)
    {
        Construct(builder, count, comparer);
        return TableSizes.AtLeast(count);
    }

    public static void WriteComparer(ref WireWriter writer, ConcurrentDictionary<TKey, TValue> collection) =>
        ComparerFormat.Write<TKey>(ref writer, collection.Comparer, typeof(ConcurrentDictionary<TKey, TValue>));

    public static object? ComparerOf(ConcurrentDictionary<TKey, TValue> collection) => collection.Comparer;

    public static object? ReadComparer(ref WireReader reader) => ComparerFormat.Read<IEqualityComparer<TKey>>(ref reader);

    public static ArraySegment<KeyValuePair<TKey, TValue>>.Enumerator Enumerate(
        ConcurrentDictionary<TKey, TValue> collection, out int count) =>
        Snapshot.Enumerate(collection.ToArray(), out count);

    // With the default number of locks, and more when it grows.
    public static void Construct(ConcurrentDictionary<TKey, TValue> target, int capacity, object? comparer) =>
        Constructor(target, -1, Math.Max(capacity, DefaultCapacity), true, (IEqualityComparer<TKey>?)comparer);

    public static bool Add(ConcurrentDictionary<TKey, TValue> builder, KeyValuePair<TKey, TValue> item) =>
        builder.TryAdd(item.Key, item.Value);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = ".ctor")]
    private static extern void Constructor(
        ConcurrentDictionary<TKey, TValue> target,
        int concurrencyLevel,
        int capacity,
        bool growLockArray,
        IEqualityComparer<TKey>? comparer);
}

internal readonly struct ConcurrentQueueKind<T> : IGrowingKind<ConcurrentQueue<T>, T, ArraySegment<T>.Enumerator>
{
    // The first segment: 32 numbered slots, and the positions of head and tail on separate cache lines.
    public static int Overhead => Shape.AddSizes((int)Math.Min(32L * (Unsafe.SizeOf<T>() + 8), int.MaxValue), 512);

    public static ArraySegment<T>.Enumerator Enumerate(ConcurrentQueue<T> collection, out int count) =>
        Snapshot.Enumerate(collection.ToArray(), out count);

    public static void Construct(ConcurrentQueue<T> target, int capacity, object? comparer) => Constructor(target);

    public static bool Add(ConcurrentQueue<T> builder, T item)
    {
        builder.Enqueue(item);
        return true;
    }

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = ".ctor")]
    private static extern void Constructor(ConcurrentQueue<T> target);
}

/// <summary>From the bottom to the top, in the order of pushing.</summary>
internal readonly struct ConcurrentStackKind<T> : IGrowingKind<ConcurrentStack<T>, T, ArraySegment<T>.Enumerator>
{
    public static ArraySegment<T>.Enumerator Enumerate(ConcurrentStack<T> collection, out int count) =>
        Snapshot.Reversed(collection.ToArray(), out count);

    public static void Construct(ConcurrentStack<T> target, int capacity, object? comparer) => Constructor(target);

    public static bool Add(ConcurrentStack<T> builder, T item)
    {
        builder.Push(item);
        return true;
    }

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = ".ctor")]
    private static extern void Constructor(ConcurrentStack<T> target);
}

/// <summary>
/// A bag returns a thread's elements last in, first out: they are written in reverse, so that the order is kept.
/// </summary>
internal readonly struct ConcurrentBagKind<T> : IGrowingKind<ConcurrentBag<T>, T, ArraySegment<T>.Enumerator>
{
    // The queue of the reading thread, with 32 slots, and its thread-local reference.
    public static int Overhead => Shape.AddSizes((int)Math.Min(32L * Unsafe.SizeOf<T>(), int.MaxValue), 256);

    public static ArraySegment<T>.Enumerator Enumerate(ConcurrentBag<T> collection, out int count) =>
        Snapshot.Reversed(collection.ToArray(), out count);

    public static void Construct(ConcurrentBag<T> target, int capacity, object? comparer) => Constructor(target);

    public static bool Add(ConcurrentBag<T> builder, T item)
    {
        builder.Add(item);
        return true;
    }

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = ".ctor")]
    private static extern void Constructor(ConcurrentBag<T> target);
}
