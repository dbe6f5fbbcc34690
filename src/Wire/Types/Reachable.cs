namespace Wire;

/// <summary>The types that are reachable from others by declaration: members' types, their arguments and elements, and so on.</summary>
internal static class Reachable
{
    // Instances of one generic type beyond the first. A type may declare itself with ever more arguments: nobody means the thousandth.
    private const int MaxFurtherInstances = 4096;

    /// <summary>Collects the types, by the names that a payload would use for them.</summary>
    public static Dictionary<string, Type> From(TypeRegistry registry, IEnumerable<Type> roots)
    {
        var found = new Dictionary<string, Type>();
        var seen = new HashSet<Type>();
        // The nearest first, so that what never ends keeps nothing else away.
        var open = new Queue<Type>(roots);
        int further = 0;
        while (open.TryDequeue(out Type? type))
        {
            if (!seen.Add(type) || type.IsPointer || type.IsByRef || type.IsGenericParameter)
            {
                continue;
            }

            if (type.HasElementType)
            {
                registry.Resolver.Constructed.Own(type);
                open.Enqueue(type.GetElementType()!);
                continue;
            }

            Type definition = type.IsGenericType ? type.GetGenericTypeDefinition() : type;
            if (!found.TryAdd(TypeNames.OfDefinition(definition, registry.Options.TypeAliases), definition) && ++further > MaxFurtherInstances)
            {
                continue;
            }

            if (type.IsConstructedGenericType)
            {
                registry.Resolver.Constructed.Own(type);
                Array.ForEach(type.GetGenericArguments(), open.Enqueue);
            }

            foreach (Type member in registry.DeclaredMemberTypes(type))
            {
                open.Enqueue(member);
            }
        }

        return found;
    }

    /// <summary>Whether a base class or interface of the type is an instance of an open generic type.</summary>
    public static bool DerivesFromDefinition(Type type, Type definition)
    {
        if (!definition.IsGenericTypeDefinition)
        {
            return false;
        }

        bool Matches(Type candidate) => candidate.IsGenericType && candidate.GetGenericTypeDefinition() == definition;
        for (Type? current = type; current is not null; current = current.BaseType)
        {
            if (Matches(current))
            {
                return true;
            }
        }

        return Array.Exists(type.GetInterfaces(), Matches);
    }
}
