namespace Wire.Types;

/// <summary>The relations between types.</summary>
internal static class TypeRelations
{
    /// <summary>A type and the classes that it derives from, the nearest first.</summary>
    public static IEnumerable<Type> WithBases(this Type type)
    {
        for (Type? current = type; current is not null; current = current.BaseType)
        {
            yield return current;
        }
    }

    /// <summary>The first that is meant of a type and the classes that it derives from; null when none is.</summary>
    // A loop, and no query over the above: that would have to be compiled before the first message.
    public static Type? Nearest(this Type? type, Func<Type, bool> isMeant)
    {
        Type? current = type;
        while (current is not null && !isMeant(current))
        {
            current = current.BaseType;
        }

        return current;
    }

    /// <summary>A type, the classes that it derives from, and its interfaces.</summary>
    public static IEnumerable<Type> WithBasesAndInterfaces(this Type type) => type.WithBases().Concat(type.GetInterfaces());

    /// <summary>True for an open generic type and those that are constructed of it.</summary>
    public static bool IsOf(this Type type, Type definition) => type.IsGenericType && type.GetGenericTypeDefinition() == definition;
}
