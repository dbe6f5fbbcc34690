using System.Collections.Concurrent;
using Wire.Errors;

namespace Wire;

/// <summary>
/// The types that messages of a session have defined, for reading the later ones without types: each message is parsed with it, from the
/// first one on, in the order in which they were written. Thread-safe.
/// </summary>
public sealed class PayloadDocumentSession
{
    private readonly ConcurrentDictionary<uint, PayloadType> _types = [];
    private volatile bool _isOver;

    internal PayloadType? Find(uint id) => _types.GetValueOrDefault(id);

    /// <summary>Refuses all messages after one that has contradicted an earlier one.</summary>
    internal void CheckOpen()
    {
        if (_isOver)
        {
            ThrowHelper.Format(
                WireFormatError.Manifest,
                "An earlier message of the session has defined a type as other than one before it: the messages are not of one session.");
        }
    }

    /// <summary>Ends the session.</summary>
    internal void Break() => _isOver = true;

    /// <summary>Keeps what a message has defined; null for one that is of no session.</summary>
    internal void Keep(Dictionary<uint, PayloadType>? types)
    {
        foreach ((uint id, PayloadType type) in types ?? [])
        {
            _types.TryAdd(id, type.Undefined());
        }
    }
}
