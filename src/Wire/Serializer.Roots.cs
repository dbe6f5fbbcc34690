using System.Runtime.CompilerServices;
using Wire.Manifests;
using Wire.Types;

namespace Wire;

/// <content>
/// The common parts of standalone messages, cached for all threads: by the runtime type on write, and by the first bytes on read. Messages
/// of one flat object need no session: nothing in them is counted, numbered or named.
/// </content>
public sealed partial class Serializer
{
    private readonly RootTable _writers = new();
    private readonly RootTable _readers = new();

    // The most recent new kind of each, which is the only one where one kind of message repeats.
    private RootWriter? _lastWriter;
    private RootReader? _lastReader;
    private RootReader? _flatTypedReader;
    private object? _flatTypedRoot;

    /// <summary>Caches the writer of a kind of standalone message.</summary>
    internal void Remember(RootWriter root)
    {
        _writers.Add(root);
        _lastWriter = root;
    }

    /// <summary>Caches a kind of flat typed message.</summary>
    internal void Remember<T>(TypedRoot<T> flat) => _flatTypedRoot = flat;

    /// <summary>Caches the reader of a kind of standalone message.</summary>
    internal void Remember(RootReader root)
    {
        _readers.Add(root);
        _lastReader = root;
    }

    /// <inheritdoc cref="Remember{T}(TypedRoot{T})"/>
    internal void RememberTyped(RootReader flat) => _flatTypedReader = flat;

    // The identity is compared, and is that of no other type: types that can be unloaded are not in the table.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private RootWriter? FindWriter(object value)
    {
        ulong key = (ulong)TypeIdentity.Get(value);
        return _lastWriter is { } last && last.Key == key ? last : FindOtherWriter(key);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private RootWriter? FindOtherWriter(ulong key)
    {
        Root? root = _writers.First(key);
        root = root?.Key == key ? root : _writers.Second(key);
        return root?.Key == key ? Unsafe.As<RootWriter>(root) : null;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private RootReader<T>? FindReader<T>(ReadOnlySpan<byte> payload) =>
        _lastReader is RootReader<T> last && last.Begins(payload) ? last : FindOtherReader<T>(payload);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private RootReader<T>? FindOtherReader<T>(ReadOnlySpan<byte> payload)
    {
        ulong key = RootReader.KeyOf(payload);
        return _readers.First(key) is RootReader<T> first && first.Begins(payload) ? first
            : _readers.Second(key) is RootReader<T> second && second.Begins(payload) ? second
            : null;
    }
}
