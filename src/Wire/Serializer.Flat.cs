using System.Buffers;
using System.Runtime.CompilerServices;
using Wire.Manifests;

namespace Wire;

/// <content>
/// Flat standalone messages: one object whose members are values of fixed size and short strings. Nothing in them is counted, numbered or
/// named, so they need no session: their common part is cached here, for all threads. Everything else goes to a session.
/// </content>
public sealed partial class Serializer
{
    // A slot is a guess: a caller that finds another type in it uses a session and takes over the slot.
    private const int Slots = 64;

    // The most recent new kind, and all kinds by slot.
    private RootWriter? _flatWriter;
    private RootReader? _flatReader;
    private RootReader? _flatTypedReader;
    private object? _flatTypedRoot;
    private readonly RootWriter?[] _flatWriters = new RootWriter?[Slots];
    private readonly RootReader?[] _flatReaders = new RootReader?[Slots];

    /// <summary>Remembers a kind of flat message.</summary>
    internal void Remember(RootWriter flat)
    {
        _flatWriter = flat;
        _flatWriters[SlotOf(flat.Type)] = flat;
    }

    /// <inheritdoc cref="Remember(RootWriter)"/>
    internal void Remember<T>(TypedRoot<T> flat) => _flatTypedRoot = flat;

    /// <inheritdoc cref="Remember(RootWriter)"/>
    internal void Remember(RootReader flat)
    {
        _flatReader = flat;
        _flatReaders[Prefix.SlotOf(flat.Prefix, Slots)] = flat;
    }

    /// <inheritdoc cref="Remember(RootWriter)"/>
    internal void RememberTyped(RootReader flat) => _flatTypedReader = flat;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryWriteFlat(object value, IBufferWriter<byte> output) =>
        _flatWriter is { } flat && (flat.TryWriteFlat(value, output) || TryWriteOtherFlat(flat, value, output));

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryWriteOtherFlat(RootWriter tried, object value, IBufferWriter<byte> output) =>
        FindFlat(value.GetType()) is { } flat && flat != tried && flat.TryWriteFlat(value, output);

    // The flat message in a new array; null when the value is not flat.
    private byte[]? TryWriteFlat(object value) => _flatWriter is not null ? FindFlat(value.GetType())?.TryWriteFlat(value) : null;

    private RootWriter? FindFlat(Type type) => _flatWriters[SlotOf(type)] is { } flat && flat.Type == type ? flat : null;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private object? TryReadFlat<T>(ReadOnlySpan<byte> payload) =>
        _flatReader is RootReader<T> flat && flat.Begins(payload) ? flat.TryReadFlat(payload) : TryReadOtherFlat<T>(payload);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private object? TryReadOtherFlat<T>(ReadOnlySpan<byte> payload) =>
        _flatReaders[Prefix.SlotOf(payload, Slots)] is RootReader<T> flat && flat.Begins(payload) ? flat.TryReadFlat(payload) : null;

    private static int SlotOf(Type type) => RuntimeHelpers.GetHashCode(type) & (Slots - 1);
}
