using Wire.Runtime;
using Wire.Types;

namespace Wire.Configuring;

/// <summary>The check of the singletons of options.</summary>
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
                : FrameworkAssemblies.Contains(type.Assembly) || type.IsArray ? "is of a type of .NET, which has other instances"
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

    // Factories of libraries need a registry, which does not exist yet.
    private static ValueSerializerFactory? FactoryOf(Type type, SerializerOptions options) =>
        options.ValueSerializerFactories.FirstOrDefault(factory => factory is not LibraryFactory && factory.Create(type) is not null);
}
