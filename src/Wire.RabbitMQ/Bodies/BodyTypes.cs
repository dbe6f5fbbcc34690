using System.Collections.Immutable;
using Wire.Amqp;

namespace Wire.RabbitMQ;

/// <summary>
/// The types that a body may become which is no Wire payload. Nothing is loaded by name: a name is compared with those of the types.
/// Immutable.
/// </summary>
public sealed class BodyTypes
{
    /// <summary>Gets no types at all.</summary>
    public static BodyTypes None { get; } = new([], null);

    private BodyTypes(ImmutableArray<Type> types, Type? expected) => (All, Expected) = (types, expected);

    /// <summary>Gets the types: those that a consumer has handlers for, or the one that is <see cref="Expected"/>.</summary>
    public ImmutableArray<Type> All { get; }

    /// <summary>
    /// Gets the type that the caller asks for, as one that awaits a reply does; null in a consumer, which handles many.
    /// </summary>
    public Type? Expected { get; }

    /// <summary>Finds a type by a name; null where there is none.</summary>
    /// <param name="name">
    /// The full name of the type, as .NET or <see cref="AmqpBody.TypeName"/> gives it; that of its assembly may follow, and is not looked
    /// at.
    /// </param>
    /// <param name="further">Types that are allowed in addition.</param>
    public Type? Find(string name, IEnumerable<Type>? further = null)
    {
        ArgumentNullException.ThrowIfNull(name);
        name = WithoutAssembly(name);
        return Find(type => type.FullName == name || AmqpBody.TypeName(type) == name, further);
    }

    /// <summary>Finds a type by a test; null where there is none.</summary>
    /// <param name="test">Says whether it is the type.</param>
    /// <param name="further">Types that are allowed in addition.</param>
    public Type? Find(Func<Type, bool> test, IEnumerable<Type>? further = null)
    {
        ArgumentNullException.ThrowIfNull(test);
        foreach (Type type in All)
        {
            if (test(type))
            {
                return type;
            }
        }

        return further?.FirstOrDefault(test);
    }

    /// <summary>Gets the types of a consumer's handlers.</summary>
    internal static BodyTypes Of(IEnumerable<Type> types) => new([.. types.Distinct()], null);

    /// <summary>Returns the type that a caller asks for.</summary>
    internal static BodyTypes Expecting<T>() => One<T>.Types;

    // "Shop.Order, Shop, Version=1.0.0.0", "List`1[[Shop.Order, Shop]]" and "Pair<Shop.Order, Shop.Gift>": the comma behind all brackets.
    private static string WithoutAssembly(string name)
    {
        int comma = name.IndexOf(',', name.AsSpan().LastIndexOfAny(']', '>') + 1);
        return comma < 0 ? name : name[..comma].TrimEnd();
    }

    private static class One<T>
    {
        public static readonly BodyTypes Types = typeof(T) == typeof(object) ? None : new([typeof(T)], typeof(T));
    }
}
