using System.Collections.Concurrent;
using Wire.Errors;
using Wire.Runtime;

namespace Wire.Resolution;

/// <summary>
/// Counts the generic types, arrays and generic methods constructed for payloads. The runtime keeps each as long as its parts, mostly for
/// ever, so the number of invented ones is bounded. Those of the program itself are never counted, and are always found. Thread-safe.
/// </summary>
/// <param name="limit">The maximal number for payloads: <see cref="Limits.MaxConstructedTypes"/>.</param>
/// <param name="what">A noun for the error message.</param>
internal sealed class Constructed(int limit, string what)
{
    // By the type with which they are unloaded, and by a common key for those that stay.
    private readonly TypeMap<Table> _tables = new();

    /// <summary>Finds or constructs one.</summary>
    /// <param name="form">The definition, or the rank of an array.</param>
    /// <param name="parts">The types in it.</param>
    /// <param name="make">Constructs it.</param>
    /// <param name="recall">Called at the limit: it may add types of the program that have not been recorded yet.</param>
    /// <exception cref="WireFormatException">Payloads have caused too many to be constructed.</exception>
    public T Get<T>(object form, Type[] parts, Func<T> make, Action? recall = null)
        where T : class
    {
        Table table = TableOf(form, parts);
        var key = new Key(form, parts);
        if (table.Known.TryGetValue(key, out object? known))
        {
            return (T)known;
        }

        if (Volatile.Read(ref table.Count) >= limit)
        {
            recall?.Invoke();
            return table.Known.TryGetValue(key, out known) ? (T)known : ThrowHelper.Format<T>(
                WireFormatError.Limit,
                $"Payloads have named more than Limits.MaxConstructedTypes = {limit} {what} that this program has not used itself. Name " +
                "those that payloads need in SerializerOptions.TypeFilter or KnownTypes, which are not counted, or raise the limit.");
        }

        T made = make();
        if (table.Known.TryAdd(key, made))
        {
            Interlocked.Increment(ref table.Count);
        }

        return made;
    }

    /// <summary>Records one of the program.</summary>
    public void Own(object form, Type[] parts, object made) => TableOf(form, parts).Known.TryAdd(new Key(form, parts), made);

    /// <summary>Records a type of the program and its parts.</summary>
    public void Own(Type type)
    {
        if (type.IsArray)
        {
            Type element = type.GetElementType()!;
            Own(element);
            Own(FormOf(type), [element], type);
        }
        else if (type.IsConstructedGenericType)
        {
            Type[] arguments = type.GetGenericArguments();
            Array.ForEach(arguments, Own);
            Own(type.GetGenericTypeDefinition(), arguments, type);
        }
    }

    /// <summary>Gets the form of an array: its rank, or 0 for the usual kind with one dimension.</summary>
    public static object FormOf(Type array) => array.IsSZArray ? 0 : array.GetArrayRank();

    private Table TableOf(object form, Type[] parts)
    {
        Type? home = form as Type ?? (form as System.Reflection.MemberInfo)?.ReflectedType;
        Type owner = home is { IsCollectible: true } ? home : Array.Find(parts, part => part.IsCollectible) ?? typeof(object);
        return _tables.GetOrAdd(owner, static (_, _) => new Table(), 0);
    }

    private sealed class Table
    {
        public readonly ConcurrentDictionary<Key, object> Known = new();
        public int Count;
    }

    private readonly struct Key(object form, Type[] parts) : IEquatable<Key>
    {
        private readonly object _form = form;
        private readonly Type[] _parts = parts;

        public bool Equals(Key other) => _form.Equals(other._form) && _parts.AsSpan().SequenceEqual(other._parts);

        public override bool Equals(object? obj) => obj is Key other && Equals(other);

        public override int GetHashCode()
        {
            var hash = default(HashCode);
            hash.Add(_form);
            foreach (Type part in _parts)
            {
                hash.Add(part);
            }

            return hash.ToHashCode();
        }
    }
}
