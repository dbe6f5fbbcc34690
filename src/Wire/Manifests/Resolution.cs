using System.Runtime.CompilerServices;
using System.Runtime.Loader;

namespace Wire.Manifests;

/// <summary>The meaning of a manifest in payloads of a root, and in those of the roots that were read before.</summary>
/// <param name="type">The type that it names.</param>
/// <param name="root">The type that the caller asked for.</param>
/// <param name="always">True if it means the type for every root of the context, and not only for this one.</param>
/// <param name="context">The load context of the root; null for the default one.</param>
/// <param name="serializer">What reads the values.</param>
/// <param name="isForm">True if that is a collection that may have to be read as another.</param>
/// <param name="before">The meaning for other roots: what the program gives a name is looked for anew for each.</param>
/// <typeparam name="T">The class of value serializers.</typeparam>
internal sealed class Resolution<T>(
    Type type, Type root, bool always, AssemblyLoadContext? context, T serializer, bool isForm, Resolution<T>? before)
    where T : class
{
    // Programs read messages of several roots in turn. Those that are read no more make room.
    private const int MaxRoots = 16;

    private readonly Resolution<T>? _before = before is { _count: < MaxRoots } ? before : null;
    private readonly int _count = before is { _count: < MaxRoots } ? before._count + 1 : 1;

    public Type Type => type;

    public Type Root => root;

    public T Serializer => serializer;

    /// <summary>Gets whether it is a collection that may have to be read as another.</summary>
    public bool IsForm => isForm;

    /// <summary>Gets whether it holds for every root of the context, and not only for this one.</summary>
    public bool Always => always;

    /// <summary>Gets the load context of the root; null for the default one.</summary>
    public AssemblyLoadContext? Context => context;

    /// <summary>Finds the meaning in payloads of a root; null when it has not been looked for.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Resolution<T>? For(Type asked) => ReferenceEquals(root, asked) ? this : _before?.Further(asked);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private Resolution<T>? Further(Type asked)
    {
        Resolution<T>? each = this;
        while (each is not null && !ReferenceEquals(each.Root, asked))
        {
            each = each._before;
        }

        return each;
    }
}
