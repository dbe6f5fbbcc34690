using System.Reflection;
using System.Runtime.Loader;
using Wire.Runtime;

namespace Wire.Resolution;

/// <summary>The choice among several assemblies of one name, by their load contexts: those of the root's own come first.</summary>
internal static class LoadContexts
{
    /// <summary>Gets the collectible context of a type; null for a type that stays.</summary>
    public static AssemblyLoadContext? Find(Type type)
    {
        if (!type.IsCollectible)
        {
            return null;
        }

        if (type.HasElementType)
        {
            return Find(type.GetElementType()!);
        }

        return type.IsConstructedGenericType && !type.Assembly.IsCollectible
            ? type.GetGenericArguments().Select(Find).FirstOrDefault(context => context is not null)
            : AssemblyLoadContext.GetLoadContext(type.Assembly);
    }

    /// <summary>
    /// Gets the context other than the default one of a type, or of the first of its parts that has one: names may mean other types there.
    /// Null for a type that is in the default context with all of its parts.
    /// </summary>
    public static AssemblyLoadContext? OwnOf(Type type)
    {
        while (type.HasElementType)
        {
            type = type.GetElementType()!;
        }

        if (AssemblyLoadContext.GetLoadContext(type.Home()) is { } context && context != AssemblyLoadContext.Default)
        {
            return context;
        }

        return type.IsConstructedGenericType
            ? type.GetGenericArguments().Select(OwnOf).FirstOrDefault(own => own is not null)
            : null;
    }

    /// <summary>Returns whether a type is in the context of another, or in the assembly of one of its parts.</summary>
    public static bool IsNear(Type type, Type other) => Find(other) is { } context
        ? Find(type) == context
        : Parts(other).Any(part => part.Assembly == type.Assembly);

    private static IEnumerable<Type> Parts(Type type) =>
        type.HasElementType ? Parts(type.GetElementType()!)
        : type.IsConstructedGenericType ? type.GetGenericArguments().SelectMany(Parts).Prepend(type)
        : [type];

    /// <summary>
    /// Puts the assemblies of the root's own context first, then those of the context that the program has entered with <see
    /// cref="AssemblyLoadContext.EnterContextualReflection()"/>, and then those of the default context.
    /// </summary>
    public static IEnumerable<Assembly> NearestFirst(IEnumerable<Assembly> assemblies, Type root)
    {
        AssemblyLoadContext? near = OwnOf(root);
        AssemblyLoadContext? entered = AssemblyLoadContext.CurrentContextualReflectionContext;
        return assemblies.OrderBy(assembly => AssemblyLoadContext.GetLoadContext(assembly) switch
        {
            null => 3,
            var context when context == near => 0,
            var context when context == entered => 1,
            var context when context == AssemblyLoadContext.Default => 2,
            _ => 3,
        });
    }
}
