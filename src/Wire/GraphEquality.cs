using Wire.Equality;

namespace Wire;

/// <summary>
/// Compares object graphs by what a serializer writes of them. No <c>Equals</c> of the program is called, except by collections to find
/// their keys. Thread-safe.
/// </summary>
/// <remarks>
/// <para>Equal are: the types as which objects are written; scalars to the last bit; members, elements in their order, and the comparers of
/// collections; with <see cref="SerializerOptions.PreserveObjectReferences"/> also which objects are shared. Members that are not written
/// do not count, and neither does the order in which hash tables are gone through: those of <see cref="Dictionary{TKey, TValue}"/> and <see
/// cref="HashSet{T}"/>, of their concurrent, immutable and frozen kinds, and of the older untyped ones. Surrogates are asked, and their
/// stand-ins are compared.</para>
/// <para>Values of which only the bytes are known are written alone, and their bytes compared: those of a <see cref="ValueSerializer{T}"/>
/// of the program or with serialization callbacks, delegates, expressions, and sequences that can only be enumerated. What they share with
/// the rest of the graph does not count, and in them the limits of the serializer hold. Otherwise graphs may be as deep as they are large.
/// </para>
/// <para>Elements of hash tables belong together by what they hold, to a depth of 64, and by what is shared with them. Where several are
/// alike in all of this, the first ones are taken: of graphs whose objects differ only in a pattern of references among themselves, equal
/// ones can be called different.</para>
/// </remarks>
/// <param name="serializer">The serializer, whose options decide what is written.</param>
public sealed class GraphEquality(Serializer serializer)
{
    private readonly Serializer _serializer = serializer ?? throw new ArgumentNullException(nameof(serializer));

    /// <summary>Returns whether two graphs are equal.</summary>
    /// <exception cref="UnsupportedTypeException">A graph has a value of a type that cannot be serialized.</exception>
    public bool AreEqual(object? left, object? right) => FindDifference(left, right) is null;

    /// <summary>
    /// Finds the first difference of two graphs, in the order in which they would be written; hash tables come last.
    /// </summary>
    /// <returns>The difference; null when the graphs are equal.</returns>
    /// <exception cref="UnsupportedTypeException">A graph has a value of a type that cannot be serialized.</exception>
    /// <example>
    /// <code>
    /// GraphDifference? difference = new GraphEquality(serializer).FindDifference(order, serializer.Clone(order));
    /// Console.WriteLine(difference?.ToString() ?? "equal");
    /// </code>
    /// </example>
    public GraphDifference? FindDifference(object? left, object? right) => GraphComparison.Find(_serializer, left, right);
}
