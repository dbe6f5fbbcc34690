using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Wire.Runtime;

namespace Wire.ValueSerializers.Collections.Kinds;

/// <summary>
/// The operations that differ between collection types: enumerating the elements, and building a collection from them.
/// </summary>
/// <typeparam name="TCollection">The collection.</typeparam>
/// <typeparam name="T">The element; of a dictionary, the pair.</typeparam>
/// <typeparam name="TEnumerator">The enumerator of the elements, in the order in which they must be added.</typeparam>
/// <typeparam name="TBuilder">The builder of the collection; the collection itself when it can grow.</typeparam>
internal interface ICollectionKind<TCollection, T, TEnumerator, TBuilder> : IElementKind<T>
    where TEnumerator : IEnumerator<T>
{
    /// <summary>Gets whether a key may be null.</summary>
    static virtual bool AllowsNullKey => false;

    /// <summary>
    /// The approximate bytes of memory of a collection in addition to its own fields and its elements, even when it has none or one.
    /// </summary>
    static virtual int Overhead => 0;

    /// <summary>Gets whether a comparer precedes the elements.</summary>
    static virtual bool HasComparer => false;

    /// <summary>
    /// Gets the memory that each element of a pair's value, an array, takes when it is copied into the collection; 0 when the array itself
    /// is kept.
    /// </summary>
    static virtual int CopiedSize => 0;

    /// <summary>
    /// Gets the part of an element that the collection compares, unless it is the key of a pair.
    /// </summary>
    static virtual object? Compared(T item) => item;

    /// <summary>Writes the comparer of a collection.</summary>
    static virtual void WriteComparer(ref WireWriter writer, TCollection collection)
    {
    }

    /// <summary>Gets the comparer of a collection, which its copy gets as well; null is the default one.</summary>
    static virtual object? ComparerOf(TCollection collection) => null;

    /// <summary>Reads a comparer that fits the collection; null is the default one.</summary>
    static virtual object? ReadComparer(ref WireReader reader) => null;

    /// <summary>Gets the rule by which the collection finds its keys by their hash codes.</summary>
    static virtual KeyTable Table => KeyTable.None;

    /// <summary>Gets whether the elements have an order that a program can rely on.</summary>
    static virtual bool HasOrder => true;

    /// <summary>Gets whether keys must be added in sorted order, because each is inserted among the earlier ones.</summary>
    static virtual bool AddsInOrder => false;

    /// <summary>Compares two elements or their keys.</summary>
    static virtual int Compare(T x, T y, object? comparer) => 0;

    /// <summary>
    /// Sets the capacity of an empty collection, so that its table does not grow while elements are added; returns the table's size.
    /// </summary>
    static virtual int Reserve(TBuilder builder, int count, object? comparer) => 0;

    /// <summary>Begins to enumerate the elements of one state of the collection.</summary>
    static abstract TEnumerator Enumerate(TCollection collection, out int count);

    /// <summary>Returns whether copying all elements to an array is faster than enumerating them.</summary>
    static virtual bool CopiesFast(TCollection collection) => false;

    /// <summary>Copies all elements, in the order in which they are enumerated, to an array that has room for them.</summary>
    static virtual void Copy(TCollection collection, T[] elements)
    {
    }

    /// <summary>Adds an element; false when the collection has it already.</summary>
    static abstract bool Add(TBuilder builder, T item);
}

/// <summary>
/// A collection's view of an element. The collection is not a type parameter here: code for collection classes is shared, and would have to
/// look up the method for each element.
/// </summary>
internal interface IElementKind<T>
{
    /// <summary>Returns the hash code of an element or its key, as the collection computes it.</summary>
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

/// <summary>
/// A growing collection class: it exists before its elements, which may refer to it, and other classes may derive from it.
/// </summary>
internal interface IGrowingKind<TCollection, T, TEnumerator> : ICollectionKind<TCollection, T, TEnumerator, TCollection>
    where TEnumerator : IEnumerator<T>
    where TCollection : class
{
    /// <summary>Gets whether an index over the elements is built when the whole graph has been read.</summary>
    static virtual bool HasIndex => false;

    /// <summary>Builds that index.</summary>
    static virtual void Index(DeserializerSession session, TCollection collection)
    {
    }

    /// <summary>Gets whether the collection has nodes, which can be objects of the graph.</summary>
    static virtual bool HasNodes => false;

    /// <summary>Notes a collection that has been filled, for its nodes.</summary>
    static virtual void Note(DeserializerSession session, TCollection collection)
    {
    }

    /// <summary>Gets whether a collection keeps its memory when it is cleared.</summary>
    static virtual bool CanClear => false;

    /// <summary>Returns whether a collection has a comparer that is known; null is the default one.</summary>
    static virtual bool HasComparerOf(TCollection collection, object? comparer) => false;

    /// <summary>Removes all elements.</summary>
    static virtual void Clear(TCollection collection)
    {
    }

    /// <summary>Runs the constructor on an uninitialized object.</summary>
    static abstract void Construct(TCollection target, int capacity, object? comparer);
}

/// <summary>Makes objects on which no constructor has run.</summary>
[UnconditionalSuppressMessage("Trimming", "IL2087", Justification = TrimmingAdvice.Inside)]
internal static class Uninitialized
{
    public static T Create<T>()
        where T : class => (T)RuntimeHelpers.GetUninitializedObject(typeof(T));
}
