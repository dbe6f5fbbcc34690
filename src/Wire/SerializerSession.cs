using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Wire.Buffers;
using Wire.Errors;
using Wire.Format;
using Wire.Manifests;
using Wire.Sessions;
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
public sealed class SerializerSession : IDisposable
{
    private readonly bool _ownThread;
    private readonly byte _header;
    private WriteCosts _costs;

    // The buffer of the message, its output to a stream, and its open frames.
    private readonly ArrayOutput _buffer = new();
    private StreamOutput? _stream;
    private WrittenFrames? _frames;

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
        Roots = new WrittenRoots(serializer, Types, isLasting: !ownThread);
        Objects = new WrittenObjects(Path, serializer.Registry);
        _costs = new WriteCosts(Limits, Path, serializer.Registry);
    }

    internal Serializer Serializer { get; }

    internal Limits Limits { get; }

    internal long MaxBytes { get; }

    internal GraphPath Path { get; }

    /// <summary>Says whether the messages belong to one session, in which each type is defined once and then named by number.</summary>
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
    /// Ends the session; later calls throw <see cref="ObjectDisposedException"/>. A call in progress, on another thread or further up the
    /// stack, completes. May be called more than once.
    /// </summary>
    public void Dispose()
    {
        _closed = _disposed = true;
        if (!IsBusy)
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

    /// <summary>Writes a message whose root has a writer.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void WriteRoot(ref WireWriter writer, RootWriter root, object value)
    {
        root.NoteOther();
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
        // Errors from here on belong to no member.
        writer.Member = GraphPath.Root;
    }

    /// <summary>Says whether objects are numbered for later references.</summary>
    internal bool TracksReferences { get; }

    /// <summary>Writes a flat message of a type that the reader knows; false, and nothing has been written, when it is not one.</summary>
    internal bool TryWriteFlat(object value, IBufferWriter<byte> output)
    {
        if (_phase != Phase.Free
            || _closed
            || !Types.TryFindRoot(TypeIdentity.Get(value), out RootWriter? root, out ushort identifier)
            || !root.IsFlat)
        {
            return false;
        }

        _phase = Phase.Writing;
        try
        {
            int size = root.TryWriteLater(output.GetSpan(WireWriter.MinWindow), identifier, value, Types);
            if (size >= 0)
            {
                BeginSending();
                output.Advance(size);
            }

            EndFlat();
            return size >= 0;
        }
        catch
        {
            if (_phase == Phase.Sending)
            {
                Break();
            }

            EndFlat();
            throw;
        }
    }

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
            // There is no memory for the array.
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
    /// <returns>The number of enclosing frames.</returns>
    internal int BeginFrame(ref WireWriter writer)
    {
        // A caller's buffer writer cannot undo: the message continues elsewhere, so that a failure leaves no bytes there.
        writer.LeaveBufferWriter(_buffer);
        return (_frames ??= new WrittenFrames(this)).BeginFrame(ref writer);
    }

    /// <summary>Closes the innermost frame and writes it to the enclosing buffer.</summary>
    internal void EndFrame(ref WireWriter writer, ValueSerializer serializer, int outer) =>
        _frames!.EndFrame(ref writer, serializer, outer);

    private void BeginMessage()
    {
        if (_phase != Phase.Free || _closed)
        {
            Refuse();
        }
    }

    // The output is user code, which may have disposed of the session.
    private void EndFlat()
    {
        _phase = Phase.Free;
        if (_disposed)
        {
            TakeBack(0);
        }
    }

    private void WriteTo<TRoot>(TRoot root, Output output)
        where TRoot : struct, IRootWriter
    {
        BeginMessage();
        var writer = new WireWriter(this, output);
        Write(root, ref writer);
    }

    // The caller's buffer writer or stream is user code: the session stays busy until it has received everything.
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

    // Copies a message, or its end, from the session's buffer to the output: for streams, and for messages with a frame.
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

    // After a failure: undoes the definitions that the reader will never see, and keeps nothing of the message.
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

        /// <summary>All of it is in memory that the caller does not count as written.</summary>
        Writing,

        /// <summary>A part of it may have been handed to the caller's buffer writer.</summary>
        Sending,
    }
}
