using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.Loader;

namespace Wire.Resolution;

/// <summary>
/// A cache of types by name: per root, because the name may mean another type for another root. It is bounded like the cache of manifests,
/// in two generations, and holds no type that can be unloaded. Thread-safe.
/// </summary>
internal sealed class FoundTypes
{
    // The capacity of each generation.
    private const int MaxNames = 4096;
    private const int MaxCharacters = 1 << 19;

    private readonly Lock _lock = new();
    private ConcurrentDictionary<Key, Found> _young = new();
    private ConcurrentDictionary<Key, Found> _old = new();
    private int _characters;

    /// <summary>Finds the type of a name.</summary>
    /// <param name="name">The name of one type, without arguments, and with the simple name of its assembly.</param>
    /// <param name="root">The type that the caller asked for.</param>
    /// <param name="type">The type.</param>
    /// <param name="always">True if every root of the same load context means the type.</param>
    public bool TryFind(string name, Type root, [NotNullWhen(true)] out Type? type, out bool always)
    {
        (type, always) = (null, false);
        var key = new Key(name, root);
        bool isYoung = _young.TryGetValue(key, out Found? known);
        if ((!isYoung && !_old.TryGetValue(key, out known)) || HasEntered)
        {
            return false;
        }

        if (!isYoung)
        {
            Add(key, known!);
        }

        (type, always) = (known!.Type, known.Always);
        return true;
    }

    /// <summary>Records the type of a name.</summary>
    public void Add(string name, Type type, Type root, bool always)
    {
        if (name.Length <= MaxCharacters && !type.IsCollectible && !root.IsCollectible && !HasEntered)
        {
            Add(new Key(name, root), new Found(type, always));
        }
    }

    // Inside a contextual reflection scope the same name may mean another type.
    private static bool HasEntered => AssemblyLoadContext.CurrentContextualReflectionContext is not null;

    private void Add(Key key, Found found)
    {
        lock (_lock)
        {
            if (_young.ContainsKey(key))
            {
                _young[key] = found;
                return;
            }

            if (_young.Count >= MaxNames || _characters + key.Name.Length > MaxCharacters)
            {
                _old = _young;
                _young = new();
                _characters = 0;
            }

            _young[key] = found;
            _characters += key.Name.Length;
        }
    }

    // A class: the dictionary's code for keys of a value type would have to be compiled before the first message.
    private sealed record Key(string Name, Type Root);

    private sealed record Found(Type Type, bool Always);
}
