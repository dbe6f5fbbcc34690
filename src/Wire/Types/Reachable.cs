using System.Collections.Frozen;

namespace Wire;

/// <summary>The types that are reachable from others by declaration: members' types, their arguments and elements, and so on.</summary>
internal static class Reachable
{
    private const int MaxTypes = 4096;

    /// <summary>Collects the types, by the names that a payload would use for them.</summary>
    public static FrozenDictionary<string, Type> From(TypeRegistry registry, IEnumerable<Type> roots)
    {
        var found = new Dictionary<string, Type>();
        var seen = new HashSet<Type>();
        var open = new Stack<Type>(roots);
        while (open.TryPop(out Type? type))
        {
            // A type may declare itself with ever more arguments: nobody means the thousandth.
            if (!seen.Add(type) || seen.Count > MaxTypes || type.IsPointer || type.IsByRef || type.IsGenericParameter)
            {
                continue;
            }

            if (type.HasElementType)
            {
                open.Push(type.GetElementType()!);
                continue;
            }

            if (type.IsConstructedGenericType)
            {
                foreach (Type argument in type.GetGenericArguments())
                {
                    open.Push(argument);
                }
            }

            Type definition = type.IsGenericType ? type.GetGenericTypeDefinition() : type;
            found.TryAdd(TypeNames.OfDefinition(definition, registry.Options.TypeAliases), definition);
            foreach (Type member in registry.DeclaredMemberTypes(type))
            {
                open.Push(member);
            }
        }

        return found.ToFrozenDictionary();
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
