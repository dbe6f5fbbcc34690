using System.Collections.Concurrent;
using Wire.Errors;
using Wire.Format;

namespace Wire;

/// <summary>
/// The types that messages of a session have defined, for reading the later ones without types: each message is parsed with it, from the
/// first one on, in the order in which they were written. Thread-safe.
/// </summary>
public sealed class PayloadDocumentSession
{
    private readonly ConcurrentDictionary<uint, Entry> _types = [];
    private long _bytes;
    private volatile bool _isOver;

    /// <summary>Gets the bytes of all definitions, which <see cref="Limits.MaxManifestBytes"/> bounds.</summary>
    internal long Bytes => Interlocked.Read(ref _bytes);

    internal PayloadType? Find(uint id) => _types.TryGetValue(id, out Entry? entry) ? entry.Type : null;

    /// <summary>Finds a type that a whole message has defined: another definition contradicts it.</summary>
    internal PayloadType? FindCertain(uint id) => _types.TryGetValue(id, out Entry? entry) && entry.IsCertain ? entry.Type : null;

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

    /// <summary>Keeps what a message has defined.</summary>
    /// <param name="types">The types; null for a payload that is of no session.</param>
    /// <param name="isCertain">False for a message that could not be parsed to its end, which a later one may contradict.</param>
    internal void Keep(Dictionary<uint, PayloadType>? types, bool isCertain)
    {
        foreach ((uint id, PayloadType type) in types ?? [])
        {
            Entry? known = _types.GetValueOrDefault(id);
            if (known is null or { IsCertain: false })
            {
                int size = type.Definition.Bytes.Length - (known?.Type.Definition.Bytes.Length ?? 0);
                Interlocked.Add(ref _bytes, known is null ? ManifestContent.DefinitionLengthOf(size) : size);
                _types[id] = new Entry(type.Undefined(), isCertain);
            }
        }
    }

    private sealed record Entry(PayloadType Type, bool IsCertain);
}
