using System.Diagnostics.CodeAnalysis;
using Wire.Runtime;
using Wire.Types;

namespace Wire;

/// <summary>Makes value serializers for a family of types. Factories are asked once per type and serializer, on any thread.</summary>
public abstract class ValueSerializerFactory
{
    /// <summary>Makes a factory for one type from a value serializer of it.</summary>
    public static ValueSerializerFactory For(ValueSerializer serializer)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        return new SingleFactory(serializer);
    }

    /// <summary>
    /// Makes a factory for a collection class whose fields cannot be written, such as a third-party one. It is written as the elements that
    /// its <see cref="IEnumerable{T}"/> yields, in that order, and read through its public parameterless constructor and AddRange or Add,
    /// or a public constructor that takes an <see cref="IEnumerable{T}"/>. Other state, such as a comparer, is not kept. Payloads may name
    /// the type.
    /// </summary>
    /// <param name="type">The class, or the definition of a generic class.</param>
    /// <exception cref="ArgumentNullException"><paramref name="type"/> is null.</exception>
    /// <exception cref="ArgumentException">The type is not such a class, or Wire supports it without a factory.</exception>
    [RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
    [RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
    public static ValueSerializerFactory ForCollection(Type type)
    {
        ArgumentNullException.ThrowIfNull(type);
        return SerializerSource.Library.CreateCollectionFactory(type);
    }

    /// <summary>Makes the value serializer of a type; null when the type does not belong to this family.</summary>
    /// <param name="type">The type; its value serializer must derive from <see cref="ValueSerializer{T}"/> of exactly this type.</param>
    public abstract ValueSerializer? Create(Type type);

    private sealed class SingleFactory(ValueSerializer serializer) : ValueSerializerFactory
    {
        public override ValueSerializer? Create(Type type) => type == serializer.Type ? serializer : null;
    }
}
