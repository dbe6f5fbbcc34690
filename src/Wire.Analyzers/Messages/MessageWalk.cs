using Microsoft.CodeAnalysis;
using Wire.Analyzers.Symbols;

namespace Wire.Analyzers.Messages;

/// <summary>Goes from the types that are given to Wire through their members, from near to far.</summary>
/// <param name="compilation">The program; the members of types of other assemblies are not looked at.</param>
/// <param name="options">What the program says about how types are written.</param>
internal sealed class MessageWalk(Compilation compilation, UsedOptions options)
{
    // A generic type may hold ever larger ones.
    private const int MaxTypes = 20_000;

    private static readonly HashSet<string> Containers =
    [
        "System.Nullable", "System.Lazy", "System.Tuple", "System.ValueTuple", "System.Memory", "System.ReadOnlyMemory",
        "System.ArraySegment", "System.WeakReference", "System.Linq.IGrouping", "System.Linq.ILookup",
    ];

    private readonly HashSet<ITypeSymbol> _seen = new(SymbolEqualityComparer.Default);
    private readonly Queue<(ITypeSymbol Type, string Path)> _open = new();

    /// <summary>
    /// Lists the classes and structs of the program that are written member by member, each with the path that leads to it.
    /// </summary>
    public IEnumerable<(INamedTypeSymbol Type, string Path)> Through(IEnumerable<MessageRoot> roots)
    {
        foreach (MessageRoot root in roots)
        {
            _open.Enqueue((root.Type, root.By));
        }

        while (_open.Count > 0 && _seen.Count < MaxTypes)
        {
            (ITypeSymbol type, string path) = _open.Dequeue();
            if (!_seen.Add(type))
            {
                continue;
            }

            foreach (ITypeSymbol part in PartsOf(type))
            {
                _open.Enqueue((part, path));
            }

            if (type is INamedTypeSymbol { TypeKind: TypeKind.Class or TypeKind.Struct } named && IsOfProgram(named))
            {
                if (options.IsReplaced(named))
                {
                    continue;
                }

                yield return (named, path);
                if (named.BaseType is { } part)
                {
                    _open.Enqueue((part, path));
                }

                foreach (WrittenMember member in WrittenMember.Of(named))
                {
                    _open.Enqueue((member.Type, $"{path} > {named.Name}.{member.Face.Name}"));
                }
            }
        }
    }

    /// <summary>Lists the types of the elements that an object of a type consists of.</summary>
    public static IEnumerable<ITypeSymbol> PartsOf(ITypeSymbol type) =>
        type is IArrayTypeSymbol array ? [array.ElementType]
        : type is INamedTypeSymbol { IsGenericType: true } named && IsContainer(named) ? named.TypeArguments
        : [];

    private static bool IsContainer(INamedTypeSymbol type) => type.IsOfFramework()
        && (Containers.Contains(type.FullName())
            || (type.NamespaceName().StartsWith("System.Collections.", StringComparison.Ordinal)
                && type.Name.IndexOf("Comparer", StringComparison.Ordinal) < 0));

    private bool IsOfProgram(ITypeSymbol type) => SymbolEqualityComparer.Default.Equals(type.ContainingAssembly, compilation.Assembly);
}
