using System.Collections;
using System.Runtime.CompilerServices;

namespace Wire;

/// <summary>
/// Types that both sides agreed on in advance, each with an explicit identifier. Manifests carry the identifier instead of the name, and
/// payloads may name these types. Immutable and thread-safe.
/// </summary>
/// <example>
/// <code>
/// SerializerOptions options = SerializerOptions.Default with
/// {
///     KnownTypes = [new(1, typeof(OrderPlaced)), new(2, typeof(OrderShipped))], // the same for writer and reader, for ever
/// };
/// </code>
/// </example>
[CollectionBuilder(typeof(KnownTypes), nameof(Create))]
public sealed class KnownTypes : IEnumerable<KeyValuePair<int, Type>>
{
    private const int MaxId = (1 << 30) - 1;

    private readonly Dictionary<int, Type> _types = [];
    private readonly Dictionary<Type, int> _ids = [];

    private KnownTypes()
    {
    }

    private KnownTypes(ReadOnlySpan<KeyValuePair<int, Type>> types)
    {
        foreach ((int id, Type type) in types)
        {
            if (id is < 0 or > MaxId)
            {
                throw new ArgumentException(
                    $"The identifier of the known type {type} is {id}, and must be from 0 to {MaxId}.", nameof(types));
            }

            ArgumentNullException.ThrowIfNull(type, nameof(types));
            if (!_types.TryAdd(id, type))
            {
                throw new ArgumentException($"{type} and {_types[id]} have the same identifier {id}. Give each its own.", nameof(types));
            }

            if (!_ids.TryAdd(type, id))
            {
                throw new ArgumentException(
                    $"{type} has two identifiers, {_ids[type]} and {id}. Keep the one that payloads have.", nameof(types));
            }
        }
    }

    /// <summary>No known types.</summary>
    public static KnownTypes None { get; } = new();

    internal IEnumerable<Type> Values => _types.Values;

    /// <summary>Makes a set of known types; a collection expression such as <c>[new(1, typeof(Order))]</c> does the same.</summary>
    /// <param name="types">Identifiers from 0 to 1,073,741,823, and types; neither may be repeated.</param>
    /// <exception cref="ArgumentException">An identifier is out of range, or an identifier or a type is repeated.</exception>
    public static KnownTypes Create(ReadOnlySpan<KeyValuePair<int, Type>> types) => new(types);

    /// <inheritdoc/>
    public IEnumerator<KeyValuePair<int, Type>> GetEnumerator() => _types.GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    internal Type? Find(int id) => _types.GetValueOrDefault(id);

    internal int? Find(Type type) => _ids.TryGetValue(type, out int id) ? id : null;
}
