using Wire.Resolution;

namespace Wire.Types;

/// <summary>The types that are reachable from others by declaration: members' types, their arguments and elements, and so on.</summary>
internal static class Reachable
{
    // The limit of instances of one generic type beyond the first. A type may declare itself with ever more arguments, which no program
    // needs.
    private const int MaxFurtherInstances = 4096;

    // The limit of nested arguments beyond those of the roots: making and naming such a type takes longer the deeper it is.
    private const int MaxFurtherDepth = 32;

    /// <summary>Collects the types, by the names that a payload would use for them.</summary>
    public static Dictionary<string, Type> From(TypeRegistry registry, IEnumerable<Type> roots)
    {
        var found = new Dictionary<string, Type>();
        var seen = new HashSet<Type>();
        var depths = new Dictionary<Type, int>();
        // Breadth first, so that an endless type does not hide others.
        var open = new Queue<Type>(roots);
        int further = 0;
        int deepest = MaxFurtherDepth + open.Select(root => DepthOf(root, depths)).DefaultIfEmpty().Max();
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
            if (!found.TryAdd(TypeNames.GetDefinitionName(definition, registry.Options.TypeAliases), definition)
                && ++further > MaxFurtherInstances)
            {
                continue;
            }

            if (DepthOf(type, depths) > deepest)
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

    private static int DepthOf(Type type, Dictionary<Type, int> known)
    {
        if (!type.IsConstructedGenericType)
        {
            return type.HasElementType ? DepthOf(type.GetElementType()!, known) : 0;
        }

        if (!known.TryGetValue(type, out int depth))
        {
            depth = 1 + type.GetGenericArguments().Max(argument => DepthOf(argument, known));
            known.Add(type, depth);
        }

        return depth;
    }
}
