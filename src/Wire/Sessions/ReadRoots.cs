using System.Runtime.CompilerServices;
using Wire.Format;
using Wire.Manifests;

namespace Wire.Sessions;

/// <summary>Reads roots: messages that begin as the last one did are recognized by their first bytes.</summary>
/// <param name="session">The session.</param>
/// <param name="isLasting">True if its messages belong together, so that types have been defined before.</param>
internal sealed class ReadRoots(DeserializerSession session, bool isLasting)
{
    // The last kind of standalone message, and all kinds; no table until there is a second kind.
    private RootReader? _last;
    private RootReaders? _readers;
    private object? _lastTyped;
    private RootReader? _lastTypedReader;

    // The beginning of a message that later ones may share.
    private Beginning? _beginning;

    /// <summary>The root of the last typed message.</summary>
    public TypedRoot? LastTyped => _lastTyped as TypedRoot;

    /// <summary>Finds the root of a typed message; the last one is cached.</summary>
    public TypedRoot<T> Typed<T>()
    {
        if (_lastTyped is TypedRoot<T> root)
        {
            return root;
        }

        // Both have one type: a failed message is skipped by the root of the requested type.
        _lastTypedReader = null;
        _lastTyped = root = session.Serializer.Registry.TypedRoot<T>();
        return root;
    }

    /// <summary>Finds the reader of the payload, if it begins as the last message did and the same type is requested.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public RootReader? Find<T>(ReadOnlySpan<byte> payload) =>
        isLasting ? session.Manifests.FindRoot<T>(payload)
        : _last is RootReader<T> root && root.Begins(payload) ? root
        : _readers is null ? null
        : FindOther<T>(payload);

    /// <summary>Finds the reader of a typed message.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public RootReader? FindTyped<T>(ReadOnlySpan<byte> payload) =>
        _lastTypedReader is RootReader<T> root && root.Begins(payload) ? root : null;

    /// <summary>Records the beginning of a message, until its value is known to be of the requested type.</summary>
    /// <param name="manifest">The manifest of its root.</param>
    /// <param name="serializer">The reader of the root.</param>
    /// <param name="header">Its header.</param>
    /// <param name="identifier">The manifest's identifier.</param>
    public void NoteRoot(Manifest manifest, ValueSerializer serializer, byte header, int identifier) =>
        _beginning = new Beginning(manifest, serializer, header, identifier);

    /// <summary>
    /// Begins another message. A recorded beginning that was not used, of a value type, does not apply to other messages.
    /// </summary>
    public void BeginMessage() => _beginning = null;

    /// <summary>Caches the beginning of the last message, whose value was of the requested type.</summary>
    public void Remember<T>()
    {
        if (_beginning is { } root)
        {
            Remember<T>(root);
        }
    }

    /// <summary>Caches the beginning of the last typed message.</summary>
    public void RememberTyped<T>()
    {
        // A message of the kind that the session does not expect begins in another way.
        _lastTypedReader = session.IsNumbered == isLasting && _lastTyped is TypedRoot<T> { IsCollectible: false } root
            ? root.ReaderFor(session)
            : null;
        if (_lastTypedReader is { Flat: not null } flat)
        {
            session.Serializer.RememberTyped(flat);
        }
    }

    /// <summary>Forgets a root of a type that can be unloaded.</summary>
    public void ForgetTyped() => _lastTyped = null;

    /// <summary>Forgets the last message, which has failed.</summary>
    public void Forget()
    {
        _last = null;
        _readers = null;
        _beginning = null;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private RootReader? FindOther<T>(ReadOnlySpan<byte> payload) =>
        _readers!.Find<T>(payload) is { } root ? _last = root : null;

    private void Remember<T>(in Beginning root)
    {
        _beginning = null;
        if (!ObjectFormat.AlwaysFits<T>(root.Serializer))
        {
            return;
        }

        if (isLasting)
        {
            // A session never sees the same definition again, only its identifier.
            if (root.Identifier < Tag.ShortIdentifiers)
            {
                RootReader? reader = root.Manifest.RootReader<T>(root.Header, root.Serializer, isLater: true);
                session.Manifests.AddRoot(root.Identifier, root.Manifest, reader);
            }

            return;
        }

        RootReader? before = _last;
        _last = root.Manifest.RootReader<T>(root.Header, root.Serializer, isLater: false);
        if (_last is not null && (before is not null || _readers is not null))
        {
            _readers ??= new RootReaders();
            if (before is not null)
            {
                _readers.Add(before);
            }

            _readers.Add(_last);
        }

        if (_last is { Flat: not null } flat)
        {
            session.Serializer.Remember(flat);
        }
    }

    private readonly record struct Beginning(Manifest Manifest, ValueSerializer Serializer, byte Header, int Identifier);
}
