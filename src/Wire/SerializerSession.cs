using System.Buffers;
using System.Runtime.CompilerServices;
using Wire.AsyncSequences;
using Wire.Buffers;
using Wire.Plans;
using Wire.Runtime;
using Wire.Sessions;
using Wire.Sessions.Objects;
using Wire.Types;

namespace Wire;

/// <summary>
/// The writer's state for a stream of messages: a reusable buffer, the identifiers of the types that the reader knows, and the objects of
/// the current message. A long-lived session writes each type's manifest once; the messages must then be read in order with one <see
/// cref="DeserializerSession"/>. It keeps the written types alive until it is disposed of, including those of a collectible load context.
/// Not thread-safe: an overlapping call is usually refused, but do not rely on it.
/// </summary>
/// <remarks>
/// A failed message leaves no trace: its type definitions are undone, and a reader that never saw it reads the next message. Only when part
/// of it may have reached the output, which is then unreadable, does the session end: every later call throws
/// <see cref="InvalidOperationException"/>.
/// </remarks>
public sealed partial class SerializerSession : IDisposable
{
    private readonly bool _ownThread;
    private readonly byte _header;
    private WriteCosts _costs;

    // The buffer of the message, its output to a stream, and its open blocks.
    private readonly ArrayOutput _buffer = new();
    private StreamOutput? _stream;
    private WrittenBlocks? _blocks;

    // The progress of the current message, and the number of types that a reader of all messages before it knows.
    private Phase _phase;
    private int _told;

    // True when the session takes no more messages: it was disposed of, or a message may have reached the reader in part.
    private bool _closed;
    private bool _disposed;

    /// <param name="serializer">The serializer.</param>
    /// <param name="ownThread">
    /// True for the thread's cached session: it never leaves the thread, and each of its messages stands alone.
    /// </param>
    internal SerializerSession(Serializer serializer, bool ownThread)
    {
        Serializer = serializer;
        TracksReferences = serializer.Options.PreserveObjectReferences;
        int flags = (TracksReferences ? Format.PayloadHeader.References : 0) | (ownThread ? 0 : Format.PayloadHeader.Session);
        _header = (byte)(Format.PayloadHeader.Version | flags);
        _ownThread = ownThread;
        Limits = serializer.Options.Limits;
        MaxBytes = Limits.MaxBytes;
        Path = new GraphPath(Limits.MaxDepth, TooDeep);
        Objects = new WrittenObjects(Path, serializer.Registry);
        _costs = new WriteCosts(Limits, Path, serializer.Registry);
    }

    internal Serializer Serializer { get; }

    internal Limits Limits { get; }

    internal long MaxBytes { get; }

    internal GraphPath Path { get; }

    /// <summary>Gets whether the messages belong to one session, in which each type is defined once and then named by number.</summary>
    internal bool IsLasting => !_ownThread;

    /// <summary>
    /// Gets or sets whether the message is a part of another one, which nobody reads: kept objects need not have their places in it.
    /// </summary>
    internal bool IsPart { get; set; }

    /// <summary>The sender of the async sequences that follow the value; null where none may, as in most messages.</summary>
    internal WrittenSequences? Sequences;

    /// <summary>The types that the reader knows.</summary>
    internal WrittenTypes Types { get; } = new();

    /// <summary>The objects of the message.</summary>
    internal WrittenObjects Objects { get; }

    /// <summary>The costs of reading the message.</summary>
    internal ref WriteCosts Costs => ref _costs;

    /// <summary>
    /// Ends the session; later calls throw <see cref="ObjectDisposedException"/>. A call in progress, on another thread or further up the
    /// stack, completes. May be called more than once.
    /// </summary>
    public void Dispose()
    {
        _closed = _disposed = true;
        if (_phase is Phase.Free or Phase.SendingFlat)
        {
            TakeBack(0);
        }
    }

    /// <summary>Writes the header of this serializer's payloads, and begins to count the cost of reading the message.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="flags">Flags of this payload.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void WriteHeader(ref WireWriter writer, byte flags = 0)
    {
        _costs.BeginMessage();
        writer.WriteByte((byte)(_header | flags));
    }

    /// <summary>Finds the plan for messages with this root; null when there is none. Nothing may be written in between.</summary>
    /// <param name="value">The root.</param>
    /// <param name="identifier">The identifier of its type, where the plan takes one.</param>
    internal WritePlan? FindPlan(object value, out ushort identifier)
    {
        if (_ownThread)
        {
            identifier = 0;
            return Serializer.Registry.WritePlans.FindFor(value) ?? MakePlan(value);
        }

        if (Types.TryFindPlan(TypeIdentity.Get(value), out WritePlan? plan, out identifier))
        {
            return plan;
        }

        // An object may be written as another type, which the reader may know.
        TypeEntry entry = EntryOf(value.GetType());
        return Types.TryFindIdentifier(entry, out identifier) ? entry.SessionPlan : null;
    }

    /// <summary>A runtime type's entry.</summary>
    internal TypeEntry EntryOf(Type type)
    {
        if (Types.EntryOf(TypeIdentity.Get(type)) is { } known)
        {
            return known;
        }

        TypeEntry entry = Serializer.Registry.Entry(type);
        if (ReferenceEquals(entry.Type, type))
        {
            Types.Remember(entry);
        }

        return entry;
    }

    /// <summary>Writes a message that has a plan.</summary>
    internal void WriteRoot(ref WireWriter writer, WritePlan plan, ushort identifier, object value)
    {
        _costs.BeginMessage(plan.Left);
        plan.Write(ref writer, identifier, value);
    }

    /// <summary>Gets whether objects are numbered for later references.</summary>
    internal bool TracksReferences { get; }

    /// <summary>Gets whether objects may be written by flat code, one level down the path.</summary>
    internal bool WritesFlat
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => !TracksReferences && Path.HasRoom;
    }

    /// <summary>Finds the plan for a root whose type the reader knows, if no message is under way; null when there is none.</summary>
    /// <param name="value">The root.</param>
    /// <param name="tag">The byte that stands for its type.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal WritePlan? FindFlat(object value, out byte tag)
    {
        WritePlan? plan = Types.FindPlan(TypeIdentity.Get(value), out tag);
        return IsReady ? plan : null;
    }

    /// <summary>Gets whether a typed message may be written: none is under way.</summary>
    internal bool IsReady => _phase == Phase.Free && !_closed;

    /// <summary>
    /// Hands a flat message to its output. Should that throw, it is unknown whether the message has arrived: the phase stays, and refuses
    /// every later call.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void SendFlat(IBufferWriter<byte> output, int size)
    {
        _phase = Phase.SendingFlat;
        output.Advance(size);
        EndSendingFlat();
    }

    /// <inheritdoc cref="SendFlat(IBufferWriter{byte}, int)"/>
    internal void SendFlat(ReadOnlySpan<byte> message, Stream stream)
    {
        _phase = Phase.SendingFlat;
        WritePlan.Send(message, stream);
        EndSendingFlat();
    }

    private void EndSendingFlat()
    {
        _phase = Phase.Free;
        if (_disposed)
        {
            TakeBack(0);
        }
    }

    internal bool IsBusy => _phase != Phase.Free;

    /// <summary>Records that bytes are about to be handed over: if that throws, it is unknown how many arrived.</summary>
    internal void BeginSending() => _phase = Phase.Sending;

    /// <summary>
    /// Ends a caller's session after a message that may have reached its reader in part, or not at all although its types are counted as
    /// known. The thread's cached session needs no end: its messages are independent.
    /// </summary>
    internal void Break()
    {
        if (!_ownThread)
        {
            _closed = true;
        }
    }

    /// <summary>The comparer of the collection whose elements come next; null is the default one.</summary>
    internal object? LastComparer { get; set; }

    /// <summary>Redirects the following bytes to a separate buffer, because their length must precede them.</summary>
    /// <returns>The number of enclosing blocks.</returns>
    internal int BeginBlock(ref WireWriter writer)
    {
        // A caller's buffer writer cannot undo: the message continues elsewhere, so that a failure leaves no bytes there.
        writer.LeaveBufferWriter(_buffer);
        return (_blocks ??= new WrittenBlocks(this)).BeginBlock(ref writer);
    }

    /// <summary>Closes the innermost block and writes it to the enclosing buffer.</summary>
    internal void EndBlock(ref WireWriter writer, ValueSerializer serializer, int outer) =>
        _blocks!.EndBlock(ref writer, serializer, outer);

    private WritePlan? MakePlan(object value)
    {
        Type type = value.GetType();
        WritePlan? plan = EntryOf(type).Plan;
        return plan is null || type.IsCollectible ? plan : Serializer.Registry.WritePlans.GetOrAdd(type, plan);
    }

    /// <summary>The progress of a message.</summary>
    private enum Phase : byte
    {
        /// <summary>There is none.</summary>
        Free,

        /// <summary>All of it is in memory that the caller does not count as written.</summary>
        Writing,

        /// <summary>A part of it may have been handed to the caller's buffer writer.</summary>
        Sending,

        /// <summary>The caller's buffer writer is taking a flat message, or has failed to.</summary>
        SendingFlat,
    }
}
