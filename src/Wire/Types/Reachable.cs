using Wire.Resolution;

namespace Wire.Types;

/// <summary>The types that are reachable from others by declaration: members' types, their arguments and elements, and so on.</summary>
internal static class Reachable
{
    /// <summary>Collects the types, by the names that a payload would use for them, which are expected to mean one each.</summary>
    public static Dictionary<string, Type[]> From(TypeRegistry registry, Type[] roots)
    {
        var found = new Dictionary<string, Type[]>();
        foreach (Type type in Through(registry, roots))
        {
            registry.Resolver.Constructed.Own(type);
            if (type.HasElementType)
            {
                continue;
            }

            Type definition = type.IsGenericType ? type.GetGenericTypeDefinition() : type;
            string name = TypeNames.GetDefinitionName(definition, registry.Options.TypeAliases);
            if (!found.TryAdd(name, [definition]) && found[name] is var before && Array.IndexOf(before, definition) < 0)
            {
                found[name] = [.. before, definition];
            }
        }

        return found;
    }

    /// <summary>Goes through the types, with those of the roots, from near to far.</summary>
    public static IEnumerable<Type> Through(TypeRegistry registry, Type[] roots)
    {
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

            yield return type;
            if (type.HasElementType)
            {
                open.Enqueue(type.GetElementType()!);
                continue;
            }

            if (type.IsConstructedGenericType)
            {
                Array.ForEach(type.GetGenericArguments(), open.Enqueue);
            }

            foreach (Type member in registry.DeclaredMemberTypes(type))
            {
                open.Enqueue(member);
            }
        }
    }
}
