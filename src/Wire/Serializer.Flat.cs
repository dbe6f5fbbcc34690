using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
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
        _flatReaders[SlotOf(flat.Prefix)] = flat;
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
        _flatReaders[SlotOf(payload)] is RootReader<T> flat && flat.Begins(payload) ? flat.TryReadFlat(payload) : null;

    private static int SlotOf(Type type) => RuntimeHelpers.GetHashCode(type) & (Slots - 1);

    // Hashes the beginning of a manifest and the end of its name: most names share the namespace.
    private static int SlotOf(ReadOnlySpan<byte> payload)
    {
        const ulong Spread = 0x9E3779B97F4A7C15;
        const int NameStart = 4;
        if (payload.Length < NameStart)
        {
            return 0;
        }

        ulong key = payload[2] | ((ulong)payload[3] << 8);
        int end = NameStart + (payload[3] >> 1);
        if (end >= NameStart + sizeof(ulong) && end <= payload.Length)
        {
            key += MemoryMarshal.Read<ulong>(payload[(end - sizeof(ulong))..]);
        }

        return (int)((key * Spread) >> 58);
    }
}
