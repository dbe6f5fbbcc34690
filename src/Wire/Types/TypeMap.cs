using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Wire.Types;

/// <summary>
/// A map from types. The entry of a type that can be unloaded lives only as long as the type, so a serializer keeps no such assembly alive.
/// Thread-safe.
/// </summary>
internal sealed class TypeMap<TValue>
    where TValue : class
{
    private readonly ConcurrentDictionary<Type, TValue> _lasting = new();

    // A value may refer to its type: the table ensures that this does not keep the type alive.
    private readonly ConditionalWeakTable<Type, TValue> _unloadable = [];

    /// <summary>The types that are still alive.</summary>
    public IEnumerable<Type> Types => _lasting.Keys.Concat(_unloadable.Select(pair => pair.Key));

    /// <summary>Gets the number of types.</summary>
    public int Count => _lasting.Count + _unloadable.Count();

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryGetValue(Type type, [MaybeNullWhen(false)] out TValue value) =>
        _lasting.TryGetValue(type, out value) || TryGetUnloadable(type, out value);

    /// <summary>Finds a type's value, or adds the given one; the first one stays.</summary>
    public TValue GetOrAdd(Type type, TValue value) =>
        type.IsCollectible ? _unloadable.GetOrAdd(type, value) : _lasting.GetOrAdd(type, value);

    /// <summary>Finds a type's value, or makes it.</summary>
    public TValue GetOrAdd<TState>(Type type, Func<Type, TState, TValue> make, TState state) =>
        TryGetValue(type, out TValue? value) ? value : GetOrAdd(type, make(type, state));

    // Out of line: the check for collectible types is a call of the runtime, needed only for new types.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryGetUnloadable(Type type, [MaybeNullWhen(false)] out TValue value)
    {
        value = null;
        return type.IsCollectible && _unloadable.TryGetValue(type, out value);
    }
}
