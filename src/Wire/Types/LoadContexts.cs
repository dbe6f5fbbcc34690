using System.Reflection;
using System.Runtime.Loader;

namespace Wire;

/// <summary>Which of several assemblies of one name is meant: the contexts that they are loaded in tell them apart.</summary>
internal static class LoadContexts
{
    /// <summary>The context that is unloaded with a type; null for a type that stays.</summary>
    public static AssemblyLoadContext? Of(Type type)
    {
        if (!type.IsCollectible)
        {
            return null;
        }

        if (type.HasElementType)
        {
            return Of(type.GetElementType()!);
        }

        return type.IsConstructedGenericType && !type.Assembly.IsCollectible
            ? type.GetGenericArguments().Select(Of).FirstOrDefault(context => context is not null)
            : AssemblyLoadContext.GetLoadContext(type.Assembly);
    }

    /// <summary>Whether a type is in the context of another, or in the assembly of one of its parts.</summary>
    public static bool IsNear(Type type, Type other) => Of(other) is { } context
        ? Of(type) == context
        : Parts(other).Any(part => part.Assembly == type.Assembly);

    private static IEnumerable<Type> Parts(Type type) =>
        type.HasElementType ? Parts(type.GetElementType()!)
        : type.IsConstructedGenericType ? type.GetGenericArguments().SelectMany(Parts).Prepend(type)
        : [type];

    /// <summary>
    /// Puts the assemblies of the root's context first, and then those of the context that the program has entered with
    /// <see cref="AssemblyLoadContext.EnterContextualReflection()"/>.
    /// </summary>
    public static IEnumerable<Assembly> NearestFirst(IEnumerable<Assembly> assemblies, Type root)
    {
        AssemblyLoadContext? near = Of(root);
        AssemblyLoadContext? entered = AssemblyLoadContext.CurrentContextualReflectionContext;
        return near is null && entered is null
            ? assemblies
            : assemblies.OrderBy(assembly => AssemblyLoadContext.GetLoadContext(assembly) switch
            {
                null => 2,
                var context when context == near => 0,
                var context when context == entered => 1,
                _ => 2,
            });
    }
}
