using System.Runtime.CompilerServices;
using System.Runtime.Loader;

namespace Wire.Types;

/// <summary>
/// The meaning of a manifest where the type or the root can be unloaded, without keeping either alive. A name may mean another type in
/// another context, so a result for one root does not apply to the next. Thread-safe.
/// </summary>
internal sealed class UnloadableResolution
{
    private readonly ConditionalWeakTable<Type, ValueSerializer> _serializers = [];
    private Last? _last;

    /// <summary>The value serializer of the last resolution, when that was for the declared type or the same root.</summary>
    /// <param name="declared">The type of the variable to be filled; null at the root.</param>
    /// <param name="root">The type that the caller asked for; null when the manifest has no name to be resolved for it.</param>
    public ValueSerializer? Find(Type? declared, Type? root)
    {
        // Inside a contextual reflection scope the same name may mean another type.
        if (_last is not { } last || AssemblyLoadContext.CurrentContextualReflectionContext is not null)
        {
            return null;
        }

        return last.Type.TryGetTarget(out Type? type)
            && (ReferenceEquals(type, declared)
                || (root is not null && last.Root.TryGetTarget(out Type? before) && ReferenceEquals(before, root)))
            && _serializers.TryGetValue(type, out ValueSerializer? serializer)
            ? serializer
            : null;
    }

    /// <summary>Records a resolution; the layout is matched once per type.</summary>
    public ValueSerializer Add(Type type, Type root, Func<Type, ValueSerializer> match)
    {
        ValueSerializer serializer = _serializers.GetOrAdd(type, match);
        if (AssemblyLoadContext.CurrentContextualReflectionContext is null)
        {
            _last = new Last(new WeakReference<Type>(type), new WeakReference<Type>(root));
        }

        return serializer;
    }

    private sealed record Last(WeakReference<Type> Type, WeakReference<Type> Root);
}
