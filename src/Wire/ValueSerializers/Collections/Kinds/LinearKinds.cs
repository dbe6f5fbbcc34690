using System.Runtime.CompilerServices;
using Wire.Errors;
using Wire.Sessions.Objects;

namespace Wire.ValueSerializers.Collections.Kinds;

internal readonly struct QueueKind<T> : IGrowingKind<Queue<T>, T, Queue<T>.Enumerator>
{
    public static Queue<T>.Enumerator Enumerate(Queue<T> collection, out int count)
    {
        count = collection.Count;
        return collection.GetEnumerator();
    }

    public static void Construct(Queue<T> target, int capacity, object? comparer) => Constructor(target, capacity);

    public static bool Add(Queue<T> builder, T item)
    {
        builder.Enqueue(item);
        return true;
    }

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = ".ctor")]
    private static extern void Constructor(Queue<T> target, int capacity);
}

/// <summary>From the bottom to the top, in the order of pushing.</summary>
internal readonly struct StackKind<T> : IGrowingKind<Stack<T>, T, ArraySegment<T>.Enumerator>
{
    public static ArraySegment<T>.Enumerator Enumerate(Stack<T> collection, out int count) =>
        Snapshot.Reversed(Changes.Taken(collection, stack => stack.ToArray()), out count);

    public static void Construct(Stack<T> target, int capacity, object? comparer) => Constructor(target, capacity);

    public static bool Add(Stack<T> builder, T item)
    {
        builder.Push(item);
        return true;
    }

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = ".ctor")]
    private static extern void Constructor(Stack<T> target, int capacity);
}

internal readonly struct LinkedListKind<T> : IGrowingKind<LinkedList<T>, T, LinkedList<T>.Enumerator>
{
    public static bool HasNodes => true;

    // It has none: before its elements are written its state is noted, to which the indices of its nodes belong.
    public static void WriteComparer(ref WireWriter writer, LinkedList<T> collection)
    {
        SerializerSession session = writer.Session;
        if (session.TracksReferences)
        {
            session.Costs.Charge(writer.Member, ReadLists.PerList);
            session.Objects.Nodes.Note(collection);
        }
    }

    public static void Note(DeserializerSession session, LinkedList<T> collection)
    {
        if (session.IsTracking)
        {
            session.Costs.Charge(ReadLists.PerList);
            session.NoteFilled(collection);
        }
    }

    public static LinkedList<T>.Enumerator Enumerate(LinkedList<T> collection, out int count)
    {
        count = collection.Count;
        return collection.GetEnumerator();
    }

    public static void Construct(LinkedList<T> target, int capacity, object? comparer) => Constructor(target);

    public static bool Add(LinkedList<T> builder, T item)
    {
        builder.AddLast(item);
        return true;
    }

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = ".ctor")]
    private static extern void Constructor(LinkedList<T> target);
}

/// <summary>A snapshot of a collection that may change concurrently, or that enumerates in reverse order.</summary>
internal static class Snapshot
{
    public static ArraySegment<T>.Enumerator Enumerate<T>(T[] items, out int count)
    {
        count = items.Length;
        return new ArraySegment<T>(items).GetEnumerator();
    }

    public static ArraySegment<T>.Enumerator Reversed<T>(T[] items, out int count)
    {
        Array.Reverse(items);
        return Enumerate(items, out count);
    }
}
