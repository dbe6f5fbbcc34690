using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Wire.Buffers;
using Wire.Format;

namespace Wire;

/// <summary>
/// The writer's state for a stream of messages: a reusable buffer, the identifiers of the types that the reader has been
/// told about, and the objects of the message in hand. With a long-lived session each type's manifest is written once;
/// the messages must then be read in order with one <see cref="DeserializerSession"/>. It keeps the types that it has
/// written until it is disposed of, those of a collectible load context too. Not thread-safe: a second call while one is under
/// way is refused as a rule, and must not be relied on to be.
/// </summary>
/// <remarks>
/// A message that fails has not been: what it said of types is taken back, and the next message is read by a reader that never
/// saw it. Only when a part of it may have reached the output, which then holds something that no reader can follow, is the
/// session at its end: it throws <see cref="InvalidOperationException"/> from then on.
/// </remarks>
public sealed class SerializerSession : IDisposable
{
    private readonly ArrayOutput _buffer = new();
    private StreamOutput? _stream;
    private Stack<Frame>? _frames;
    private Stack<ArrayOutput>? _freeFrames;
    private ObjectTable? _objects;
    private ReplacedObjects? _replaced;
    private Type? _lastType;
    private TypeEntry? _lastEntry;
    private object? _lastTypedRoot;
    private readonly bool _ownThread;
    private Budget _budget;
    private bool _busy;
    private State _state;

    /// <param name="serializer">The serializer.</param>
    /// <param name="ownThread">Whether the session is the thread's own: it never leaves it, and each message stands alone.</param>
    internal SerializerSession(Serializer serializer, bool ownThread)
    {
        Serializer = serializer;
        TracksReferences = serializer.Options.PreserveObjectReferences;
        Header = (byte)(Format.Header.Version | (TracksReferences ? Format.Header.References : 0));
        _ownThread = ownThread;
        Limits = serializer.Options.Limits;
        Path = new GraphPath(Limits.MaxDepth, TooDeep);
    }

    internal Serializer Serializer { get; }

    internal Limits Limits { get; }

    internal GraphPath Path { get; }

    /// <summary>The types that the reader has been told about.</summary>
    internal WrittenTypes Types { get; } = new();

    /// <summary>The objects whose stand-ins are being written.</summary>
    internal ReplacedObjects Replaced => _replaced ??= new();

    /// <summary>
    /// Ends the session; using it again throws <see cref="ObjectDisposedException"/>. A call that is under way, on another
    /// thread or further up the stack, is carried to its end. May be called more than once.
    /// </summary>
    public void Dispose()
    {
        _state = State.Disposed;
        if (!_busy)
        {
            Types.Truncate(0);
        }
    }

    /// <summary>The header of this serializer's payloads.</summary>
    internal byte Header { get; }

    /// <summary>Whether objects are numbered, so that later uses refer to them.</summary>
    internal bool TracksReferences { get; }

    internal void ToBufferWriter<TRoot>(TRoot root, IBufferWriter<byte> output)
        where TRoot : struct, IRootWriter
    {
        Begin();
        var writer = new WireWriter(this, output);
        Write(root, ref writer, output, null);
    }

    internal byte[] ToArray<TRoot>(TRoot root)
        where TRoot : struct, IRootWriter
    {
        int manifests = Types.Count;
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
        Begin();
        StreamOutput output = _stream ??= new StreamOutput(_buffer);
        output.Attach(stream);
        var writer = new WireWriter(this, output);
        Write(root, ref writer, null, output);
        output.Attach(null);
        _buffer.Reset();
    }

    /// <summary>Writes a value and lends its bytes to the caller.</summary>
    internal void ToSpan<TRoot, TState>(TRoot root, TState state, Action<TState, ReadOnlySpan<byte>> use)
        where TRoot : struct, IRootWriter
    {
        Begin();
        int manifests = Types.Count;
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

    internal bool IsBusy => _busy;

    /// <summary>
    /// Ends a session of the caller's whose message may have reached its reader in part, or not at all although its types are
    /// counted as known. The thread's own session knows nothing of other messages.
    /// </summary>
    internal void Break()
    {
        if (!_ownThread && _state == State.Open)
        {
            _state = State.Broken;
        }
    }

    /// <summary>
    /// Writes the header and manifest of a root in one piece, where the root is the first of its kind in a message that
    /// stands alone: the common case. Its value follows.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal bool TryBeginRoot(ref WireWriter writer, TypeEntry entry)
    {
        if (Types.Count != 0 || TracksReferences || entry.RootPrefix is not { } prefix)
        {
            return false;
        }

        Path.EnterRoot();
        TakeObject(ref writer, entry.Serializer);
        Types.AddRoot(entry);
        Blocks.Copy(prefix, ref writer.Reserve(prefix.Length));
        return true;
    }

    /// <summary>How much memory reading the rest of the message may take.</summary>
    internal long BytesLeft => _budget.Bytes;

    /// <summary>Counts an object before it is written.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void TakeObject(ref WireWriter writer, ValueSerializer serializer)
    {
        if (!_budget.TryTakeObject(serializer.ObjectSize))
        {
            Exceeded(writer.Member);
        }
    }

    /// <summary>Counts memory that reading will take.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Take(int member, long bytes)
    {
        if (!_budget.TryTake(bytes))
        {
            Exceeded(member);
        }
    }

    /// <summary>Refuses a graph that no reader with the same limits would read.</summary>
    [DoesNotReturn]
    internal void Refuse(int member, string option, long limit, string what)
    {
        string place = Path.Describe(member, Serializer.Registry);
        throw new ObjectGraphException(
            $"{what} exceeds Limits.{option} = {limit}{(place.Length == 0 ? "" : $" at {place}")}. Raise the limit, for those who read it too, if the graph is meant to be that large.", place);
    }

    /// <summary>The root of a typed message; that of the last one is found without a look-up.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal TypedRoot<T> TypedRoot<T>()
    {
        if (_lastTypedRoot is TypedRoot<T> root)
        {
            return root;
        }

        root = Serializer.Registry.TypedRoot<T>();
        if (!root.IsCollectible)
        {
            _lastTypedRoot = root;
        }

        return root;
    }

    /// <summary>Writes a reference when the object has been written before; else gives it the next number.</summary>
    internal bool WriteReference(ref WireWriter writer, object value)
    {
        if (!(_objects ??= new ObjectTable()).TryGetOrAdd(value, out int number))
        {
            return false;
        }

        if (_replaced is { } replaced && replaced.Contains(value))
        {
            throw LeadsBack(value, Path.Describe(writer.Member, Serializer.Registry));
        }

        writer.WriteByte(Tag.Reference);
        writer.WriteVarUInt32((uint)number);
        return true;
    }

    /// <summary>Gives a root that is a value type its number: everything with a manifest takes one.</summary>
    internal void TrackRootValue() => (_objects ??= new ObjectTable()).Skip();

    /// <summary>Finds a runtime type's entry; the type of the last root is found without a look-up.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal TypeEntry RootEntry(Type type)
    {
        if (ReferenceEquals(type, _lastType))
        {
            return _lastEntry!;
        }

        TypeEntry entry = Serializer.Registry.Entry(type);
        // An object may be written in the name of another type.
        if (!entry.IsCollectible && (ReferenceEquals(entry.Type, type) || !type.IsCollectible))
        {
            _lastEntry = entry;
            _lastType = type;
        }

        return entry;
    }

    /// <summary>Sends what follows to a buffer of its own, because its length has to go first.</summary>
    /// <returns>How many frames are around it.</returns>
    internal int BeginFrame(ref WireWriter writer)
    {
        if (!(_freeFrames ??= new()).TryPop(out ArrayOutput? output))
        {
            output = new ArrayOutput();
        }

        // A caller's buffer writer takes back nothing: so that a failure leaves no bytes there, the message goes on elsewhere.
        writer.LeaveBufferWriter(_buffer);
        Output outer = writer.Redirect(output);
        (_frames ??= new()).Push(new Frame(output, outer, Types.Count, _objects?.Count ?? 0, Path.Depth));
        return _frames.Count - 1;
    }

    /// <summary>
    /// Writes the innermost frame to where it stands: its bytes, and in front of them their count, unless that is fixed, and
    /// with references how many object numbers they take. What a frame says of types is forgotten at its end, because a
    /// reader may pass over it.
    /// </summary>
    internal void EndFrame(ref WireWriter writer, ValueSerializer serializer, int outer)
    {
        Frame frame = _frames!.Peek();
        if (_frames.Count != outer + 1 || Path.Depth != frame.Depth)
        {
            Throw.WentOn(serializer);
        }

        writer.Redirect(frame.Outer);
        writer.TakeBack(frame.Output.Written.Length);
        Types.Truncate(frame.Manifests);
        ReadOnlySpan<byte> bytes = frame.Output.Written;
        int objects = (_objects?.Count ?? 0) - frame.Objects;
        if (serializer.FixedSize == 0)
        {
            writer.WriteVarUInt32((uint)bytes.Length);
            if (TracksReferences)
            {
                writer.WriteVarUInt32((uint)objects);
            }
        }
        else if (serializer.FixedSize != bytes.Length || objects > 0)
        {
            throw new InvalidOperationException(objects > 0
                ? $"{serializer.GetType()} has a FixedSize and wrote objects that take numbers: their references would not have one."
                : $"{serializer.GetType()} has a FixedSize of {serializer.FixedSize} and wrote {bytes.Length} byte(s).");
        }

        writer.WriteBytes(bytes);
        frame.Output.Reset();
        _freeFrames!.Push(_frames.Pop().Output);
    }

    private void Begin()
    {
        if (_busy | _state != State.Open)
        {
            Refuse();
        }
    }

    private void WriteTo<TRoot>(TRoot root, Output output)
        where TRoot : struct, IRootWriter
    {
        Begin();
        var writer = new WireWriter(this, output);
        Write(root, ref writer, null, null);
    }

    // The caller's buffer writer or stream is code of the caller's too: the session is busy until it has everything.
    private void Write<TRoot>(TRoot root, ref WireWriter writer, IBufferWriter<byte>? bufferWriter, StreamOutput? stream)
        where TRoot : struct, IRootWriter
    {
        _busy = true;
        int manifests = Types.Count;
        bool complete = false;
        try
        {
            Path.Begin(_ownThread);
            _budget.Begin(Limits);
            root.Write(ref writer);
            writer.CheckBytes(0);
            complete = true;
            writer.Flush();
            if (stream is not null)
            {
                stream.Flush();
            }
            else if (bufferWriter is not null && _buffer.HasWritten)
            {
                // A message with a frame went on in the session's buffer.
                bufferWriter.Write(_buffer.Written);
                _buffer.Reset();
            }
        }
        catch (Exception e)
        {
            if ((complete && bufferWriter is not null) || writer.HasAdvanced || stream is { HasSent: true })
            {
                Break();
            }

            Locate(e, ref writer);
            Abandon(manifests);
            throw;
        }

        if (_ownThread | _state == State.Disposed)
        {
            Types.Truncate(0);
        }

        _objects?.Clear();
        _busy = false;
    }

    // After a failure: what the reader will never see has not been said, and nothing of the message is kept.
    private void Abandon(int manifests)
    {
        Types.Truncate(_state == State.Disposed ? 0 : manifests);
        _objects?.Clear();
        _replaced?.Clear();
        while (_frames?.Count > 0)
        {
            ArrayOutput output = _frames.Pop().Output;
            output.Reset();
            _freeFrames!.Push(output);
        }

        _stream?.Attach(null);
        _buffer.Reset();
        _busy = false;
    }

    [DoesNotReturn]
    private void Exceeded(int member)
    {
        (string option, long limit, string what) = _budget.Exceeded(Limits);
        Refuse(member, option, limit, what);
    }

    [DoesNotReturn]
    private void Refuse()
    {
        ObjectDisposedException.ThrowIf(_state == State.Disposed, this);
        if (_state == State.Broken)
        {
            Throw.SessionBroken();
        }

        Throw.SessionInUse();
    }

    private void Locate(Exception exception, ref WireWriter writer)
    {
        int member = writer.Member;
        if (exception is UnsupportedTypeException unsupported)
        {
            unsupported.Locate(Path.Describe(member, Serializer.Registry));
        }
        else if (exception is not ObjectGraphException)
        {
            Place.Add(exception, () => Path.Describe(member, Serializer.Registry), null);
        }
    }

    private ObjectGraphException TooDeep(GraphPath path, int step)
    {
        string place = path.Describe(step, Serializer.Registry);
        if (_replaced?.FindRepeated() is { } replaced)
        {
            return LeadsBack(replaced, place);
        }

        string hint = Serializer.Options.PreserveObjectReferences
            ? "Raise the limit if the graph is meant to be that deep."
            : "If the graph has a cycle, set SerializerOptions.PreserveObjectReferences; if it is meant to be that deep, raise the limit.";
        return new ObjectGraphException(
            $"The object graph is deeper than Limits.MaxDepth = {Limits.MaxDepth} at {place}. {hint}", place);
    }

    private static ObjectGraphException LeadsBack(object value, string place) => new(
        $"The stand-in of an object of type {value.GetType()} leads back to the object at {place}. The object exists only when its stand-in has been read: leave the way back out of the stand-in.", place);

    /// <summary>Whether the session takes messages.</summary>
    private enum State : byte
    {
        Open,

        /// <summary>A message may have reached the reader in part.</summary>
        Broken,

        Disposed,
    }

    /// <summary>A frame that is being written, and what was known when it began.</summary>
    private sealed record Frame(ArrayOutput Output, Output Outer, int Manifests, int Objects, int Depth);
}
