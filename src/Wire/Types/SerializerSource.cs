using System.Reflection;
using Wire.Surrogates;

namespace Wire.Types;

/// <summary>
/// The makers of value serializers, and their tables of .NET's types. They stand above the registry, which only asks when a type is first
/// met, and are handed down before any other code of the library runs: so nothing down here knows a value serializer.
/// </summary>
internal abstract class SerializerSource
{
    /// <summary>Gets the makers of this library, which its module's initializer sets.</summary>
    public static SerializerSource Library { get; set; } = null!;

    /// <summary>Makes the table of the types with a tag.</summary>
    public abstract BuiltInType[] CreateBuiltInTypes();

    /// <summary>Makes the value serializer of the one-dimensional arrays of a type with a tag.</summary>
    public abstract ValueSerializer CreateVector(ValueSerializer element);

    /// <summary>Makes a value serializer for one variable of a type, which is no pointer.</summary>
    public abstract ValueSerializer CreateSlot(Type type, TypeRegistry registry);

    /// <summary>Returns whether a field that an exception of .NET declares is written.</summary>
    /// <param name="field">The field.</param>
    /// <param name="registry">What writes the exception; null where only the types that need no option count.</param>
    public abstract bool IsKept(FieldInfo field, TypeRegistry? registry);

    /// <summary>Makes a value serializer for one such field.</summary>
    public abstract ValueSerializer CreateDetailSlot(Type type, TypeRegistry registry);

    /// <summary>Makes the value serializer of a type that the options say nothing of.</summary>
    /// <exception cref="UnsupportedTypeException">There is none.</exception>
    public abstract ValueSerializer Create(Type type, TypeRegistry registry);

    /// <summary>Makes the value serializer of a type from the options; null when they have none.</summary>
    public abstract ValueSerializer? CreateCustom(Type type, TypeRegistry registry);

    /// <summary>Makes the value serializer of a class whose objects are written as another type.</summary>
    /// <param name="written">That type.</param>
    /// <param name="serializer">Its value serializer, which is the result where it takes the objects as they are.</param>
    public abstract ValueSerializer Adopt(Type written, ValueSerializer serializer);

    /// <summary>Returns the type as which objects of a runtime type are written.</summary>
    public abstract Type WrittenAs(Type type, SerializerOptions options);

    /// <summary>Finds the type as which a collection is read into a variable that its own type does not fit.</summary>
    /// <param name="variable">The type of the variable.</param>
    /// <param name="layout">The layout of the collection in the payload.</param>
    public abstract Type? CollectionFor(Type variable, Format.Shape layout);

    /// <summary>Returns the reason why values of a type cannot be serialized without options for it; null when they can.</summary>
    /// <param name="type">The type.</param>
    /// <param name="abstractToo">True if an abstract type is one of them.</param>
    public abstract string? IsUnsupported(Type type, bool abstractToo = true);

    /// <summary>Returns the declared types of a type's members; none where it is not written member by member.</summary>
    /// <param name="type">The type.</param>
    /// <param name="options">The members that are left out.</param>
    public abstract IEnumerable<Type> DeclaredMemberTypes(Type type, SerializerOptions options);

    /// <summary>
    /// Returns the base class of .NET whose state is a part of a type's objects that the library knows how to construct and fill; null when
    /// there is none. A class without fields, such as EventArgs, gives an object nothing.
    /// </summary>
    public abstract Type? BasePartOf(Type type);

    /// <summary>Returns whether objects of a type may write themselves as named values, if the options allow that.</summary>
    public abstract bool IsSerializable(Type type);

    /// <summary>Returns whether a type writes itself, or is an object reference, and no other option applies to it.</summary>
    public abstract bool IsSelfWritten(Type type, TypeRegistry registry);

    /// <summary>
    /// Makes the value serializer of a surrogate by functions, for a type that is, derives from or implements the source.
    /// </summary>
    public abstract ValueSerializer CreateSurrogate<TSource, TSurrogate>(
        Type type,
        Func<TSource, TSurrogate> to,
        Func<TSurrogate, TSource> from,
        Func<TSurrogate, ConversionCost>? costOf,
        TypeRegistry registry);

    /// <summary>Keeps what a native program needs of the stand-in that a surrogate of the program names.</summary>
    public abstract void KeepStandIn<TSurrogate>();

    /// <summary>Makes the factory for a collection class that the program names.</summary>
    public abstract ValueSerializerFactory CreateCollectionFactory(Type type);

    /// <summary>Makes the reader of values of a value type that a writer declared as values that may be null.</summary>
    public abstract ValueSerializer CreateNotNull(ValueSerializer element);

    /// <summary>Makes the reader of a variable whose objects no other variable may share.</summary>
    public abstract ValueSerializer CreateUnshared(ValueSerializer moved);

    /// <summary>Returns whether the values of a writer's layout are exceptions.</summary>
    public abstract bool IsException(Format.Shape? schema);

    /// <summary>Makes the reader of an exception whose type this program does not have.</summary>
    public abstract ValueSerializer CreateRemoteException(ValueSerializer inner, string typeName);
}
