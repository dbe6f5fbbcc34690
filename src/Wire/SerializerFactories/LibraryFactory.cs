using Wire.Types;

namespace Wire.SerializerFactories;

/// <summary>
/// Makes the value serializers of a family that a library of this project knows: they describe their own layout and need no frame.
/// </summary>
internal abstract class LibraryFactory : ValueSerializerFactory
{
    /// <summary>The types, and definitions of generic types, that are allowed in every payload.</summary>
    internal virtual IEnumerable<Type> Definitions => [];

    /// <inheritdoc/>
    public sealed override ValueSerializer? Create(Type type) =>
        throw new NotSupportedException("The value serializers of this factory belong to one registry.");

    /// <summary>Makes the value serializer of a type, or returns null when the type is not of this family.</summary>
    internal abstract ValueSerializer? Create(Type type, TypeRegistry registry);

    /// <summary>
    /// The type in whose name objects of a runtime type are written: a public base class, for a class that is a detail of it.
    /// </summary>
    internal virtual Type WrittenAs(Type type) => type;

    /// <summary>
    /// Says whether a type is a union: then every class that derives from it is one of its cases, and written as the union.
    /// </summary>
    internal virtual bool IsUnion(Type type) => false;

    /// <summary>The declared types of the parts of a type of this family; null when the type is not of this family.</summary>
    internal virtual IEnumerable<Type>? DeclaredPartTypes(Type type) => null;

    /// <summary>
    /// Returns the reason why values of a type cannot be serialized, although this factory is asked: null when the type is not of its
    /// library.
    /// </summary>
    internal virtual string? RefusalOf(Type type) => null;

    /// <summary>Options that ask this factory too, behind those that they have already.</summary>
    internal SerializerOptions AddTo(SerializerOptions options) => options.ValueSerializerFactories.Contains(this)
        ? options
        : options with { ValueSerializerFactories = options.ValueSerializerFactories.Add(this) };
}
