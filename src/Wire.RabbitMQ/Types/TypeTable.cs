using System.Collections.Concurrent;

namespace Wire.RabbitMQ.Types;

/// <summary>
/// Finds what belongs to an object by its type: what was added for its class, for the nearest base class, for the most derived interface
/// (of several that have nothing to do with each other the one that was added first), and last for <see cref="object"/>. Nothing is added
/// after the first lookup; these are thread-safe.
/// </summary>
/// <param name="others">What it has from the beginning; null for nothing.</param>
internal sealed class TypeTable<T>(TypeTable<T>? others = null)
    where T : class
{
    private readonly List<(Type Type, T Value)> _added = [.. others?._added ?? []];
    private readonly ConcurrentDictionary<Type, T?> _found = new();

    /// <summary>Gets the count.</summary>
    public int Count => _added.Count;

    /// <summary>Adds something for a type; false where there is something already.</summary>
    public bool TryAdd(Type type, T value)
    {
        if (FindExact(type) is not null)
        {
            return false;
        }

        _added.Add((type, value));
        return true;
    }

    /// <summary>Replaces all that was added.</summary>
    public void ReplaceAll(Func<T, T> replace)
    {
        for (int i = 0; i < _added.Count; i++)
        {
            _added[i] = (_added[i].Type, replace(_added[i].Value));
        }
    }

    /// <summary>Finds what belongs to a type; null where there is nothing.</summary>
    public T? Find(Type type) => _found.TryGetValue(type, out T? value) ? value : _found.GetOrAdd(type, Search);

    private T? Search(Type type)
    {
        for (Type? each = type; each is not null && each != typeof(object); each = each.BaseType)
        {
            if (FindExact(each) is { } value)
            {
                return value;
            }
        }

        (Type Type, T Value)[] interfaces = [.. _added.Where(each => each.Type.IsInterface && each.Type.IsAssignableFrom(type))];
        foreach ((Type candidate, T value) in interfaces)
        {
            if (!interfaces.Any(other => other.Type != candidate && candidate.IsAssignableFrom(other.Type)))
            {
                return value;
            }
        }

        return FindExact(typeof(object));
    }

    private T? FindExact(Type type) => _added.Find(each => each.Type == type).Value;
}
