using Wire.Copying;
using Wire.Equality;
using Wire.Errors;
using Wire.Format;
using Wire.SerializerFactories;

namespace Wire.ValueSerializers;

/// <summary>
/// A user's type with a single instance: a byte 0. No other class is written like this, so a program without the singleton reports an error
/// instead of making a second instance.
/// </summary>
/// <param name="instance">The one instance.</param>
/// <param name="members">
/// The members written by a writer without the singleton, which are skipped; null for the single byte.
/// </param>
internal sealed class SingletonSerializer<T>(T instance, Shape? members) : ValueSerializer<T>
    where T : class
{
    internal override bool HasOwnSchema => true;

    public override void Write(ref WireWriter writer, T value) => writer.WriteByte(0);

    public override T Read(ref WireReader reader)
    {
        reader.Session.Track(instance);
        if (members is not null)
        {
            Skipper.SkipMember(ref reader, members, null);
        }
        else if (reader.ReadByte() != 0)
        {
            ThrowHelper.InvalidValue(typeof(T).Name, "the byte of a singleton is not 0");
        }

        return instance;
    }

    // There is one instance.
    internal override bool TryAddParts(GraphParts parts, object value) => true;

    internal override T Copy(ref GraphCopier copier, T value) => instance;

    internal override Shape Describe(ShapeBuilder builder) => Shape.Empty;

    private protected override ValueSerializer? AdaptTo(Shape writer, AdaptContext context) =>
        writer.Code == ShapeCode.Members ? new SingletonSerializer<T>(instance, writer) : null;
}

/// <summary>The singletons of the options, checked and by their types.</summary>
internal static class Singletons
{
    /// <exception cref="ArgumentException">An instance cannot be a singleton.</exception>
    public static void Validate(SerializerOptions options)
    {
        const string Name = nameof(SerializerOptions.Singletons);
        if (options.Singletons.IsDefault || options.Singletons.Contains(null!))
        {
            throw new ArgumentException($"{Name} is a default array or contains null.");
        }

        var types = new HashSet<Type>();
        foreach (object instance in options.Singletons)
        {
            Type type = instance.GetType();
            string? fault =
                type.IsValueType ? "is a value, which has no identity"
                : BuiltInFactory.IsFramework(type.Assembly) || type.IsArray ? "is of a type of .NET, which has other instances"
                : !types.Add(type) ? "is the second one of its type"
                : options.SurrogateOf(type) is { } surrogate ? $"has a surrogate, {surrogate.SurrogateType}"
                : FactoryOf(type, options) is { } factory
                    ? $"has a value serializer, from {factory.GetType()} in {nameof(SerializerOptions.ValueSerializerFactories)}"
                : null;
            if (fault is not null)
            {
                throw new ArgumentException($"The {type} in {Name} {fault}.");
            }
        }
    }

    public static ValueSerializer? Create(Type type, SerializerOptions options) => options.Singletons.IsEmpty ? null : Find(type, options);

    private static ValueSerializer? Find(Type type, SerializerOptions options) =>
        options.Singletons.FirstOrDefault(instance => instance.GetType() == type) is { } found
            ? (ValueSerializer)Activator.CreateInstance(typeof(SingletonSerializer<>).MakeGenericType(type), found, null)!
            : null;

    // Factories of libraries need a registry, which does not exist yet.
    private static ValueSerializerFactory? FactoryOf(Type type, SerializerOptions options) =>
        options.ValueSerializerFactories.FirstOrDefault(factory => factory is not LibraryFactory && factory.Create(type) is not null);
}
