using Wire.Resolution;

namespace Wire.Types;

/// <summary>The types that are reachable from others by declaration: members' types, their arguments and elements, and so on.</summary>
internal static class Reachable
{
    /// <summary>Collects the types, by the names that a payload would use for them.</summary>
    public static Dictionary<string, Type> From(TypeRegistry registry, Type[] roots)
    {
        var found = new Dictionary<string, Type>();
        var seen = new HashSet<Type>();
        var bounds = new TypeBounds(roots);
        // Breadth first, so that an endless type does not hide others.
        var open = new Queue<Type>(roots);
        while (open.TryDequeue(out Type? type))
        {
            if (!seen.Add(type) || type.IsPointer || type.IsByRef || type.IsGenericParameter || !bounds.Admit(type))
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
            found.TryAdd(TypeNames.GetDefinitionName(definition, registry.Options.TypeAliases), definition);
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
}
