using Wire.Equality;

namespace Wire;

/// <summary>
/// Compares object graphs by what a serializer writes of them: two graphs are equal if what is read of one could be what is read of the
/// other. No <c>Equals</c> of the program is called, except by collections to find their keys. Thread-safe.
/// </summary>
/// <remarks>
/// Equal are: the types as which objects are written; scalars to the last bit; members, elements in their order, and the comparers of
/// collections; with <see cref="SerializerOptions.PreserveObjectReferences"/> also which objects are shared. Members that are not written
/// do not count, nor does the order of dictionaries and sets that have none. Surrogates are asked, and their stand-ins are compared. Values of
/// which only the bytes are known, such as those of a <see cref="ValueSerializer{T}"/> of the program, are written and their bytes compared.
/// </remarks>
/// <param name="serializer">The serializer, whose options decide what is written.</param>
public sealed class GraphEquality(Serializer serializer)
{
    private readonly Serializer _serializer = serializer ?? throw new ArgumentNullException(nameof(serializer));

    /// <summary>Says whether two graphs are equal.</summary>
    /// <exception cref="UnsupportedTypeException">A graph has a value of a type that cannot be serialized.</exception>
    public bool AreEqual(object? left, object? right) => FindDifference(left, right) is null;

    /// <summary>Finds the first difference of two graphs, in the order in which they would be written.</summary>
    /// <returns>The difference; null when the graphs are equal.</returns>
    /// <exception cref="UnsupportedTypeException">A graph has a value of a type that cannot be serialized.</exception>
    public GraphDifference? FindDifference(object? left, object? right) => new GraphComparison(_serializer).Run(left, right);
}
