using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.Loader;

namespace Wire;

/// <summary>
/// The types that were found by their names, so that a name that comes again is not looked for again. Kept as manifests are: a
/// bounded number of bounded size, in two generations, and none that can be unloaded. Thread-safe.
/// </summary>
internal sealed class FoundTypes
{
    // Of each generation.
    private const int MaxNames = 4096;
    private const int MaxCharacters = 1 << 19;

    private readonly Lock _lock = new();
    private ConcurrentDictionary<string, Found> _young = new();
    private ConcurrentDictionary<string, Found> _old = new();
    private int _characters;

    /// <summary>Finds what a name has led to, for the same root or for all.</summary>
    /// <param name="name">The name of one type, without arguments and what else an assembly's name may say.</param>
    /// <param name="root">The type that the caller asked for.</param>
    /// <param name="type">The type.</param>
    /// <param name="always">Whether the type is allowed whatever the caller asks for.</param>
    public bool TryFind(string name, Type root, [NotNullWhen(true)] out Type? type, out bool always)
    {
        (type, always) = (null, false);
        bool isYoung = _young.TryGetValue(name, out Found? known);
        if ((!isYoung && !_old.TryGetValue(name, out known)) || !IsFor(known!, root) || HasEntered)
        {
            return false;
        }

        if (!isYoung)
        {
            Add(name, known!);
        }

        (type, always) = (known!.Type, known.Always);
        return true;
    }

    /// <summary>Takes note of what a name leads to.</summary>
    public void Add(string name, Type type, Type root, bool always)
    {
        if (name.Length <= MaxCharacters && !type.IsCollectible && !root.IsCollectible && !HasEntered)
        {
            Add(name, new Found(type, root, always));
        }
    }

    // Who has entered a context may mean another type by the same name.
    private static bool HasEntered => AssemblyLoadContext.CurrentContextualReflectionContext is not null;

    // A root that can be unloaded may have a type of its own by the name.
    private static bool IsFor(Found known, Type root) => ReferenceEquals(known.Root, root) || (known.Always && !root.IsCollectible);

    private void Add(string name, Found found)
    {
        lock (_lock)
        {
            if (_young.ContainsKey(name))
            {
                _young[name] = found;
                return;
            }

            if (_young.Count >= MaxNames || _characters + name.Length > MaxCharacters)
            {
                _old = _young;
                _young = new();
                _characters = 0;
            }

            _young[name] = found;
            _characters += name.Length;
        }
    }

    private sealed record Found(Type Type, Type Root, bool Always);
}
