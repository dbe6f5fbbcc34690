using System.Runtime.CompilerServices;
using Wire.Manifests;

namespace Wire;

/// <content>
/// Flat standalone messages: one object whose members are values of fixed size and short strings. Nothing in them is counted, numbered or
/// named, so they need no session: their common part is cached here, for all threads. Everything else goes to a session.
/// </content>
public sealed partial class Serializer
{
    private readonly RootWriters _writers = new();

    // The most recent new kind, and all kinds.
    private RootReader? _flatReader;
    private RootReader? _flatTypedReader;
    private object? _flatTypedRoot;
    private readonly RootReaders _flatReaders = new();

    /// <summary>Remembers a kind of message: how the objects of a runtime type that cannot be unloaded are written as roots.</summary>
    internal void Remember(Type type, RootWriter root) => _writers.Add(type, root);

    /// <inheritdoc cref="Remember(Type, RootWriter)"/>
    internal void Remember<T>(TypedRoot<T> flat) => _flatTypedRoot = flat;

    /// <inheritdoc cref="Remember(Type, RootWriter)"/>
    internal void Remember(RootReader flat)
    {
        _flatReader = flat;
        _flatReaders.Add(flat);
    }

    /// <inheritdoc cref="Remember(Type, RootWriter)"/>
    internal void RememberTyped(RootReader flat) => _flatTypedReader = flat;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private object? TryReadFlat<T>(ReadOnlySpan<byte> payload) =>
        _flatReader is RootReader<T> flat && flat.Begins(payload) ? flat.TryReadFlat(payload) : TryReadOtherFlat<T>(payload);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private object? TryReadOtherFlat<T>(ReadOnlySpan<byte> payload) =>
        _flatReaders.Find<T>(payload)?.TryReadFlat(payload);
}
