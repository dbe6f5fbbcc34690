using System.Collections.Concurrent;

namespace Wire.Resolution;

/// <summary>
/// The types that a serializer has written, by name, for reading copies. A name may mean several types, such as those of an assembly that
/// was unloaded and loaded again; then the context decides. Thread-safe.
/// </summary>
internal sealed class WrittenNames
{
    private const int FirstSweep = 256;

    private readonly ConcurrentDictionary<string, Holder[]> _types = new();
    private int _sweepAt = FirstSweep;

    public void Add(string name, Type type)
    {
        _types.AddOrUpdate(
            name,
            static (_, asked) => [new Holder(asked)],
            static (_, before, asked) =>
                Array.Exists(before, h => h.Type == asked) ? before : [.. before.Where(h => h.Type is not null), new Holder(asked)],
            type);
        if (type.IsCollectible && _types.Count >= Volatile.Read(ref _sweepAt))
        {
            Sweep();
        }
    }

    /// <summary>Finds the type of a name.</summary>
    /// <param name="name">A name that was added.</param>
    /// <param name="near">The root's type, which decides where a name means several types.</param>
    /// <exception cref="UnsupportedTypeException">The name means several types, and cannot be decided.</exception>
    public Type Find(string name, Type? near)
    {
        Type[] types = [.. _types.GetValueOrDefault(name, []).Select(h => h.Type).OfType<Type>()];
        if (types.Length > 1 && types.Where(type => near is not null && LoadContexts.IsNear(type, near)).ToArray() is { Length: 1 } nearest)
        {
            return nearest[0];
        }

        return types.Length == 1
            ? types[0]
            : throw new UnsupportedTypeException(
                types.FirstOrDefault() ?? typeof(object),
                $"{(types.Length == 0 ? "no type" : "more than one type")} of this program has the name '{name}' in payloads.");
    }

    // Names of types that were unloaded; other types keep theirs.
    private void Sweep()
    {
        foreach ((string name, Holder[] holders) in _types)
        {
            if (Array.TrueForAll(holders, h => h.Type is null))
            {
                _types.TryRemove(new(name, holders));
            }
        }

        Volatile.Write(ref _sweepAt, Math.Max(FirstSweep, _types.Count * 2));
    }

    private sealed class Holder(Type type)
    {
        private readonly Type? _lasting = type.IsCollectible ? null : type;
        private readonly WeakReference<Type>? _unloadable = type.IsCollectible ? new(type) : null;

        public Type? Type => _lasting ?? (_unloadable is { } weak && weak.TryGetTarget(out Type? target) ? target : null);
    }
}
