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

    /// <summary>Makes the value serializer of a type, or returns null when the type is not of this family.</summary>
    /// <param name="type">The type; its value serializer must derive from <see cref="ValueSerializer{T}"/> of exactly this type.</param>
    public abstract ValueSerializer? Create(Type type);

    private sealed class SingleFactory(ValueSerializer serializer) : ValueSerializerFactory
    {
        public override ValueSerializer? Create(Type type) => type == serializer.Type ? serializer : null;
    }
}
