using System.Runtime.CompilerServices;

namespace Wire.ValueSerializers.Collections;

/// <summary>
/// The kind of a collection, which tells one type from another: how its elements are gone through, and how they become a collection again.
/// </summary>
/// <typeparam name="TCollection">The collection.</typeparam>
/// <typeparam name="T">The element; of a dictionary, the pair.</typeparam>
/// <typeparam name="TEnumerator">Goes through the elements, in the order in which they have to be added.</typeparam>
/// <typeparam name="TBuilder">What elements are added to; the collection itself when it can grow.</typeparam>
internal interface ICollectionKind<TCollection, T, TEnumerator, TBuilder> : IElementKind<T>
    where TEnumerator : IEnumerator<T>
{
    /// <summary>Says whether a key may be null.</summary>
    static virtual bool AllowsNullKey => false;

    /// <summary>
    /// About how many bytes of memory a collection takes beside its own fields and its elements, even when it has none or one.
    /// </summary>
    static virtual int Overhead => 0;

    /// <summary>Says whether a comparer stands in front of the elements.</summary>
    static virtual bool HasComparer => false;

    /// <summary>
    /// Gets the memory that each element of a pair's value, an array, takes when it is copied into the collection; 0 when the array itself
    /// is kept.
    /// </summary>
    static virtual int CopiedSize => 0;

    /// <summary>
    /// Gives the part of an element that the collection compares, when that is the element or a part of it and no key of a pair.
    /// </summary>
    static virtual object? Compared(T item) => item;

    /// <summary>Writes the comparer of a collection.</summary>
    static virtual void WriteComparer(ref WireWriter writer, TCollection collection)
    {
    }

    /// <summary>Reads a comparer that fits the collection; null is the default one.</summary>
    static virtual object? ReadComparer(ref WireReader reader) => null;

    /// <summary>Gets the rule by which the collection finds its keys by their hash codes.</summary>
    static virtual KeyTable Table => KeyTable.None;

    /// <summary>Says whether keys have to be added in their order, because each is put in its place among those before it.</summary>
    static virtual bool AddsInOrder => false;

    /// <summary>Compares two elements or their keys.</summary>
    static virtual int Compare(T x, T y, object? comparer) => 0;

    /// <summary>
    /// Makes room for elements in a collection that has none, so that its table does not grow while they are added; returns the table's
    /// size.
    /// </summary>
    static virtual int Reserve(TBuilder builder, int count, object? comparer) => 0;

    /// <summary>Begins to go through the elements of one state of the collection.</summary>
    static abstract TEnumerator Enumerate(TCollection collection, out int count);

    /// <summary>Adds an element; false when the collection has it already.</summary>
    static abstract bool Add(TBuilder builder, T item);
}

/// <summary>
/// The view that a collection has of an element. The collection type is no parameter here: code over collection classes is shared by all of
/// them, and would have to look the method up for each element.
/// </summary>
internal interface IElementKind<T>
{
    /// <summary>The hash code of an element or its key, as the collection sees it.</summary>
    static virtual int HashOf(T item, object? comparer) => 0;
}

/// <summary>A collection that exists only when all its elements are known.</summary>
internal interface IBuiltKind<TCollection, T, TEnumerator, TBuilder> : ICollectionKind<TCollection, T, TEnumerator, TBuilder>
    where TEnumerator : IEnumerator<T>
{
    static abstract TBuilder Create(int capacity, object? comparer);

    /// <summary>Counts the collisions beyond the allowance that keys would have while the collection is made of the builder.</summary>
    static virtual long CollisionsToFinish(TBuilder builder, long enough) => 0;

    static abstract TCollection Finish(TBuilder builder);
}

/// <summary>A collection class that grows: it exists before its elements, which may refer to it, and others may derive from it.</summary>
internal interface IGrowingKind<TCollection, T, TEnumerator> : ICollectionKind<TCollection, T, TEnumerator, TCollection>
    where TEnumerator : IEnumerator<T>
    where TCollection : class
{
    /// <summary>Says whether something is made of the elements when the whole graph has been read.</summary>
    static virtual bool HasIndex => false;

    /// <summary>Makes it.</summary>
    static virtual void Index(DeserializerSession session, TCollection collection)
    {
    }

    /// <summary>Runs the constructor on an object that has not been constructed.</summary>
    static abstract void Construct(TCollection target, int capacity, object? comparer);
}

/// <summary>Makes objects on which no constructor has run.</summary>
internal static class Uninitialized
{
    public static T Create<T>()
        where T : class => (T)RuntimeHelpers.GetUninitializedObject(typeof(T));
}
