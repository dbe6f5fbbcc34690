using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Wire.Buffers;
using Wire.Errors;
using Wire.Format;
using Wire.Manifests;
using Wire.Sessions;

namespace Wire;

/// <summary>
/// The writer's state for a stream of messages: a reusable buffer, the identifiers of the types that the reader has been told about, and
/// the objects of the current message. With a long-lived session each type's manifest is written once; the messages must then be read in
/// order with one <see cref="DeserializerSession"/>. It keeps the types that it has written until it is disposed of, those of a collectible
/// load context too. Not thread-safe: a second call while one is under way is refused as a rule, and must not be relied on to be.
/// </summary>
/// <remarks>
/// A message that fails has not been: what it said of types is taken back, and the next message is read by a reader that never
/// saw it. Only when a part of it may have reached the output, which then holds something that no reader can follow, is the
/// session at its end: it throws <see cref="InvalidOperationException"/> from then on.
/// </remarks>
public sealed class SerializerSession : IDisposable
{
    private readonly bool _ownThread;
    private readonly byte _header;
    private WriteCosts _costs;

    // Where a message is put together, what takes it to a stream, and the frames that are open in it.
    private readonly ArrayOutput _buffer = new();
    private StreamOutput? _stream;
    private WrittenFrames? _frames;

    // The progress of the current message, and the number of types that the reader knows when it has all messages up to the last one.
    private Phase _phase;
    private int _told;

    // Whether it takes no more messages: it has been disposed of, or one may have reached the reader in part.
    private bool _closed;
    private bool _disposed;

    /// <param name="serializer">The serializer.</param>
    /// <param name="ownThread">Whether the session is the thread's own: it never leaves it, and each message stands alone.</param>
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
        Roots = new WrittenRoots(serializer, Types, isLasting: !ownThread);
        Objects = new WrittenObjects(Path, serializer.Registry);
        _costs = new WriteCosts(Limits, Path, serializer.Registry);
    }

    internal Serializer Serializer { get; }

    internal Limits Limits { get; }

    internal long MaxBytes { get; }

    internal GraphPath Path { get; }

    /// <summary>Says whether its messages belong together, so that each type is defined once, and then named by number.</summary>
    internal bool IsLasting => !_ownThread;

    /// <summary>The types that the reader knows.</summary>
    internal WrittenTypes Types { get; } = new();

    /// <summary>Writes roots.</summary>
    internal WrittenRoots Roots { get; }

    /// <summary>The objects of the message.</summary>
    internal WrittenObjects Objects { get; }

    /// <summary>The costs of reading the message.</summary>
    internal ref WriteCosts Costs => ref _costs;

    /// <summary>
    /// Ends the session; using it again throws <see cref="ObjectDisposedException"/>. A call that is under way, on another thread or
    /// further up the stack, is carried to its end. May be called more than once.
    /// </summary>
    public void Dispose()
    {
        _closed = _disposed = true;
        if (!IsBusy)
        {
            TakeBack(0);
        }
    }

    /// <summary>Writes the header of this serializer's payloads, and begins to count what reading the message will cost.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="flags">Flags of this payload.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void WriteHeader(ref WireWriter writer, byte flags = 0)
    {
        _costs.BeginMessage();
        writer.WriteByte((byte)(_header | flags));
    }

    /// <summary>Writes a message whose root has a writer.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void WriteRoot(ref WireWriter writer, RootWriter root, object value)
    {
        _costs.BeginMessage(root.Left);
        Blocks.Copy(root.Prefix, ref writer.Reserve(root.Prefix.Length));
        if (root.TakesIdentifier)
        {
            WrittenTypes.WriteIdentifier(ref writer, Roots.Identifier);
        }

        if (!root.HoldsNoObjects)
        {
            Path.EnterRoot();
            if (root.Defined is { } defined)
            {
                Types.AddRoot(defined);
            }
        }

        root.Write(ref writer, value);
        // What goes wrong from here on is no member's fault.
        writer.Member = GraphPath.Root;
    }

    /// <summary>Says whether objects are numbered, so that later uses refer to them.</summary>
    internal bool TracksReferences { get; }

    internal void ToBufferWriter<TRoot>(TRoot root, IBufferWriter<byte> output)
        where TRoot : struct, IRootWriter
    {
        BeginMessage();
        var writer = new WireWriter(this, output);
        Write(root, ref writer);
    }

    internal byte[] ToArray<TRoot>(TRoot root)
        where TRoot : struct, IRootWriter
    {
        int manifests = _told;
        WriteTo(root, _buffer);
        try
        {
            byte[] bytes = _buffer.Written.ToArray();
            _buffer.Reset();
            return bytes;
        }
        catch
        {
            // There is no room for the array.
            Abandon(manifests);
            throw;
        }
    }

    internal void ToStream<TRoot>(TRoot root, Stream stream)
        where TRoot : struct, IRootWriter
    {
        BeginMessage();
        StreamOutput output = _stream ??= new StreamOutput(_buffer);
        output.Attach(stream);
        var writer = new WireWriter(this, output);
        Write(root, ref writer);
        output.Attach(null);
        _buffer.Reset();
    }

    /// <summary>Writes a value and lends its bytes to the caller.</summary>
    internal void ToSpan<TRoot, TState>(TRoot root, TState state, Action<TState, ReadOnlySpan<byte>> use)
        where TRoot : struct, IRootWriter
    {
        BeginMessage();
        int manifests = _told;
        WriteTo(root, _buffer);
        try
        {
            use(state, _buffer.Written);
        }
        catch
        {
            Abandon(manifests);
            throw;
        }

        _buffer.Reset();
    }

    internal bool IsBusy => _phase != Phase.Free;

    /// <summary>Takes note that bytes are about to be handed over: if that throws, no one knows whether they have been.</summary>
    internal void BeginSending() => _phase = Phase.Sending;

    /// <summary>
    /// Ends a session of the caller's whose message may have reached its reader in part, or not at all although its types are counted as
    /// known. The thread's own session knows nothing of other messages.
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

    /// <summary>Sends what follows to a buffer of its own, because its length has to go first.</summary>
    /// <returns>How many frames are around it.</returns>
    internal int BeginFrame(ref WireWriter writer)
    {
        // A caller's buffer writer takes back nothing: so that a failure leaves no bytes there, the message continues elsewhere.
        writer.LeaveBufferWriter(_buffer);
        return (_frames ??= new WrittenFrames(this)).BeginFrame(ref writer);
    }

    /// <summary>Writes the innermost frame to where it stands.</summary>
    internal void EndFrame(ref WireWriter writer, ValueSerializer serializer, int outer) =>
        _frames!.EndFrame(ref writer, serializer, outer);

    private void BeginMessage()
    {
        if (_phase != Phase.Free || _closed)
        {
            Refuse();
        }
    }

    private void WriteTo<TRoot>(TRoot root, Output output)
        where TRoot : struct, IRootWriter
    {
        BeginMessage();
        var writer = new WireWriter(this, output);
        Write(root, ref writer);
    }

    // The caller's buffer writer or stream is code of the caller's too: the session is busy until it has everything.
    private void Write<TRoot>(TRoot root, ref WireWriter writer)
        where TRoot : struct, IRootWriter
    {
        _phase = Phase.Writing;
        try
        {
            Path.Start(_ownThread);
            root.Write(ref writer);
            writer.CheckBytes();
            BeginSending();
            if (!writer.TryFinishBufferWriter())
            {
                Send(ref writer);
            }
        }
        catch (Exception e)
        {
            Fail(e, ref writer, root.Type);
            throw;
        }

        if (_ownThread || _disposed)
        {
            Types.Truncate(0);
        }
        else
        {
            _told = Types.Count;
        }

        if (TracksReferences)
        {
            Objects.Clear();
        }

        _phase = Phase.Free;
    }

    // Sends a message that lies in the session's buffer, whole or its end, to where it goes: that of a stream, and one with a frame.
    private void Send(ref WireWriter writer)
    {
        writer.FinishOutput();
        if (_stream is { IsAttached: true } stream)
        {
            stream.Flush();
        }
        else if (writer.TrySendOn(_buffer.Written))
        {
            _buffer.Reset();
        }
    }

    private void Fail(Exception exception, ref WireWriter writer, Type? root)
    {
        if ((_phase == Phase.Sending && writer.HasBufferWriter) || _stream is { HasSent: true })
        {
            Break();
        }

        Locate(exception, ref writer, root);
        Abandon(_told);
    }

    // After a failure: what the reader will never see has not been said, and nothing of the message is kept.
    private void Abandon(int manifests)
    {
        TakeBack(_disposed ? 0 : manifests);
        Objects.Abandon();
        _frames?.Abandon();
        _stream?.Attach(null);
        _buffer.Reset();
        _phase = Phase.Free;
    }

    private void TakeBack(int manifests)
    {
        Types.Truncate(manifests);
        Roots.Forget();
        _told = manifests;
    }

    [DoesNotReturn]
    private void Refuse()
    {
        ObjectDisposedException.ThrowIf(_disposed, this);
        if (_closed)
        {
            ThrowHelper.SessionBroken();
        }

        ThrowHelper.SessionInUse();
    }

    private void Locate(Exception exception, ref WireWriter writer, Type? root)
    {
        int member = writer.Member;
        if (exception is UnsupportedTypeException unsupported)
        {
            unsupported.Locate(Path, member, Serializer.Registry, root);
        }
        else if (exception is not ObjectGraphException)
        {
            ErrorLocation.Add(exception, () => Path.Describe(member, Serializer.Registry), null);
        }
    }

    private ObjectGraphException TooDeep(GraphPath path, int step)
    {
        string place = path.Describe(step, Serializer.Registry);
        if (Objects.FindWayBack(place) is { } leadsBack)
        {
            return leadsBack;
        }

        string hint = Serializer.Options.PreserveObjectReferences
            ? "Raise the limit if the graph is meant to be that deep."
            : "If the graph has a cycle, set SerializerOptions.PreserveObjectReferences; if it is meant to be that deep, raise the limit.";
        return new ObjectGraphException(
            $"The object graph is deeper than Limits.MaxDepth = {Limits.MaxDepth} at {place}. {hint}", place);
    }

    /// <summary>The progress of a message.</summary>
    private enum Phase : byte
    {
        /// <summary>There is none.</summary>
        Free,

        /// <summary>All of it is in memory that the caller does not take for written.</summary>
        Writing,

        /// <summary>A part of it may have been handed to the caller's buffer writer.</summary>
        Sending,
    }
}
