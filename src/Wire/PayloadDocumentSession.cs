using System.Collections.Concurrent;
using Wire.Documents;

namespace Wire;

/// <summary>
/// The types that messages of a session have defined, for reading the later ones without types: each message is parsed with it, from the first
/// one on, in the order in which they were written. Thread-safe.
/// </summary>
public sealed class PayloadDocumentSession
{
    private readonly ConcurrentDictionary<uint, PayloadType> _types = [];

    internal PayloadType? Find(uint id) => _types.GetValueOrDefault(id);

    internal void Keep(DocumentIndex index)
    {
        foreach ((uint id, PayloadType type) in index.Types ?? [])
        {
            _types.TryAdd(id, type.Undefined());
        }
    }
}
