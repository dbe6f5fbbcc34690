namespace Wire.Types;

/// <summary>
/// A factory for a family of types that a library of this project supports: its value serializers describe their own layout and need no
/// frame.
/// </summary>
internal abstract class LibraryFactory : ValueSerializerFactory
{
    /// <summary>The types, and definitions of generic types, that are allowed in every payload.</summary>
    internal virtual IEnumerable<Type> Definitions => [];

    /// <inheritdoc/>
    public sealed override ValueSerializer? Create(Type type) =>
        throw new NotSupportedException("The value serializers of this factory belong to one registry.");

    /// <summary>Makes the value serializer of a type; null when the type does not belong to this family.</summary>
    internal abstract ValueSerializer? Create(Type type, TypeRegistry registry);

    /// <summary>
    /// The type as which objects of a runtime type are written: a public base class of an internal class.
    /// </summary>
    internal virtual Type WrittenAs(Type type) => type;

    /// <summary>
    /// Returns whether a type is a union: then every derived class is one of its cases, and is written as the union.
    /// </summary>
    internal virtual bool IsUnion(Type type) => false;

    /// <summary>The declared types of the parts of a type of this family; null when the type is not of this family.</summary>
    internal virtual IEnumerable<Type>? DeclaredPartTypes(Type type) => null;

    /// <summary>
    /// Returns the reason why values of a type cannot be serialized, although this factory is asked: null when the type is not of its
    /// library.
    /// </summary>
    internal virtual string? RefusalOf(Type type) => null;

    /// <summary>Returns options with this factory added after the present ones.</summary>
    internal SerializerOptions AddTo(SerializerOptions options) => options.ValueSerializerFactories.Contains(this)
        ? options
        : options with { ValueSerializerFactories = options.ValueSerializerFactories.Add(this) };
}
