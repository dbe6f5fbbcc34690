using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.Loader;
using Wire.Buffers;
using Wire.Errors;
using Wire.Format;
using Wire.Manifests;
using Wire.Sessions;
using Wire.Types;
using Wire.ValueSerializers;

namespace Wire;

/// <summary>
/// The reader's state for a stream of messages: the manifests that it knows, and the objects of the message in hand. It reads what one <see
/// cref="SerializerSession"/> wrote. Not thread-safe: a second call while one is under way is refused as a rule, and must not be relied on
/// to be.
/// </summary>
/// <remarks>
/// <para>
/// Definitions of types carry their numbers, so that a message that is lost, comes twice or late, or cannot be read, never makes one
/// type pass for another: a message that needs a definition which the session does not have ends with
/// <see cref="WireFormatError.UnknownManifest"/>, and all others are read as they were sent. Of a message that fails for another reason
/// than its bytes, because its type is refused, is not what was asked for, or user code throws, the session keeps the definitions: it
/// passes over the rest. It cannot where the bytes are damaged or exceed a limit, where a part was written with
/// <see cref="SerializerOptions.VersionTolerance"/> off, where a typed root is asked for as another type, and where the rest would have to
/// come from a stream that cannot seek. Of the objects of a failed message it keeps nothing.
/// </para>
/// <para>
/// Both sessions begin together. Only when a message contradicts what an earlier one has defined is it noticed that it is damaged or of
/// another <see cref="SerializerSession"/>: it ends with <see cref="WireFormatError.Manifest"/>, and the session is at its end, and throws
/// <see cref="InvalidOperationException"/> from then on. A payload that stands alone, written without a session, can be read between the
/// messages of one; it neither uses nor changes what the session knows.
/// </para>
/// </remarks>
public sealed partial class DeserializerSession : IDisposable
{
    private ReadManifests _manifests = new();

    // Of a message of the other kind than most: one that stands alone in a session that continues, or one of a session outside of one.
    private ReadManifests _otherManifests = new();
    private bool _isOther;
    private bool _isNumbered;
    private bool _closed;
    private readonly ReadObjects _objects = new();
    private SequenceInput? _sequence;
    private StreamInput? _stream;
    private readonly LastingTypes _lastingTypes = new();
    private readonly bool _ownThread;
    private ReadCosts _costs;
    private PassedOver? _passedOver;

    // Most messages have none.
    private MessageRest? _rest;
    private bool _busy;
    private bool _disposed;

    // Of the last message: where it ended.
    private long _end;

    /// <param name="serializer">The serializer.</param>
    /// <param name="ownThread">Whether the session is the thread's own: it never leaves it, and each message stands alone.</param>
    internal DeserializerSession(Serializer serializer, bool ownThread)
    {
        Serializer = serializer;
        _ownThread = ownThread;
        Limits = serializer.Options.Limits;
        MaxBytes = Limits.MaxBytes;
        _costs = new ReadCosts(Limits);
        Roots = new ReadRoots(this, isLasting: !ownThread);
        Path = new GraphPath(Limits.MaxDepth, TooDeep);
    }

    internal Serializer Serializer { get; }

    internal Limits Limits { get; }

    internal long MaxBytes { get; }

    internal GraphPath Path { get; }

    /// <summary>The type that the caller asked for: what is reachable from it by declaration may be named by the payload.</summary>
    internal Type RootType { get; private set; } = typeof(object);

    /// <summary>Says whether that type can be unloaded: then nothing is remembered for it.</summary>
    internal bool HasCollectibleRoot { get; private set; }

    /// <summary>Says whether that type stays, and has this load context for its own: names mean the same for all such.</summary>
    internal bool IsRootIn(AssemblyLoadContext? context) =>
        !HasCollectibleRoot && ReferenceEquals(_lastingTypes.ContextOf(RootType), context);

    /// <summary>Says whether the bytes come from this serializer itself, so that no filter stands between them and the types.</summary>
    internal bool IsTrusted { get; init; }

    /// <summary>Of a trusted session: the root's type, by which types of one name are told apart.</summary>
    internal Type? Near { get; init; }

    /// <summary>The sequence input, made when it is first needed.</summary>
    internal SequenceInput Sequence => _sequence ??= new();

    /// <summary>The stream input, made when it is first needed.</summary>
    internal StreamInput Stream => _stream ??= new();

    /// <summary>
    /// Ends the session; using it again throws <see cref="ObjectDisposedException"/>. A call that is under way, on another thread or
    /// further up the stack, is carried to its end. May be called more than once.
    /// </summary>
    public void Dispose() => _disposed = true;

    internal bool IsBusy => _busy;

    /// <summary>The costs of the message.</summary>
    internal ref ReadCosts Costs => ref _costs;

    /// <summary>Reads roots.</summary>
    internal ReadRoots Roots { get; }

    /// <summary>The types that are known, by the current message and, of a session, those before it.</summary>
    internal ref ReadManifests Manifests => ref _manifests;

    /// <summary>The values that were passed over. Most messages have none.</summary>
    internal PassedOver PassedOver => _passedOver ??= new(this);

    /// <summary>Says whether the definitions of the current message carry their numbers.</summary>
    internal bool IsNumbered => _isNumbered;

    /// <summary>Says whether a message that has failed is passed over, for what it says of types alone.</summary>
    internal bool IsPassingOver { get; private set; }

    /// <summary>Stands for the current message: no other one has the same.</summary>
    internal object Message => (_rest ??= new()).Identity;

    /// <summary>Says whether the messages that it reads belong together.</summary>
    internal bool IsLasting => !_ownThread;

    /// <summary>Says whether the payload's objects are numbered.</summary>
    internal bool IsTracking => _objects.IsTracking;

    /// <summary>Refuses a call while another one is under way, before it touches anything.</summary>
    internal void CheckFree()
    {
        if (_busy | _disposed | _closed)
        {
            Refuse();
        }
    }

    /// <summary>Reads a root behind the tag of its manifest.</summary>
    internal object ReadRoot(ref WireReader reader, byte tag)
    {
        byte header =
            (byte)(PayloadHeader.Version | (IsTracking ? PayloadHeader.References : 0) | (_isNumbered ? PayloadHeader.Session : 0));
        int defined = _manifests.Count;
        Manifest manifest = _manifests.Read(ref reader, tag, _isNumbered, out int identifier);
        ValueSerializer serializer = manifest.Serializer(this, null);
        object value = ReadBody(ref reader, serializer);

        // A message that stands alone has no identifier.
        if (!IsTrusted && !HasCollectibleRoot && !_isOther && (!_ownThread || identifier == defined) && manifest.IsRootAgain(serializer))
        {
            Roots.NoteRoot(manifest, serializer, header, identifier);
        }

        return value;
    }

    /// <summary>Counts a root that is a value type, and gives it its number: everything with a manifest takes one.</summary>
    internal void TrackRootValue(byte tag, ValueSerializer serializer)
    {
        if (!BuiltInTypes.IsTag(tag))
        {
            _costs.TakeObject(serializer);
            if (IsTracking)
            {
                _objects.BeginObject();
            }
        }
    }

    /// <summary>The objects of the message, and which of them are whole.</summary>
    internal ReadObjects Objects => _objects;

    /// <summary>Puts off what needs complete objects until the whole graph has been read.</summary>
    internal void WhenComplete(Action action) => (_rest ??= new()).Add(action);

    /// <summary>Puts off a check of complete objects, which comes before whatever is done with them.</summary>
    internal void CheckWhenComplete(Action check) => (_rest ??= new()).AddCheck(check);

    /// <summary>Takes note of an object that wants to know when the whole graph has been read.</summary>
    internal void CallAfterGraph(System.Runtime.Serialization.IDeserializationCallback target) => (_rest ??= new()).Add(target);

    /// <summary>Reads what follows a tag other than <see cref="Tag.Null"/> and <see cref="Tag.Declared"/>.</summary>
    internal object ReadTagged(ref WireReader reader, byte tag, Type? declared)
    {
        switch (tag)
        {
            case >= Tag.FirstShortIdentifier or Tag.Defined or Tag.Definition:
                return ReadBody(ref reader, ReadManifest(ref reader, tag).Serializer(this, declared));
            case Tag.Reference:
                uint number = reader.ReadVarUInt32();
                return _objects.Find(number) ?? PassedOver.Read(ref reader, number, declared);
            case Tag.Vector:
                return ReadBody(ref reader, Serializer.Registry.Vector(reader.ReadByte(), declared));
            case Tag.Object:
                return ReadBody(ref reader, PlainObjectSerializer.Instance);
            default:
                // No other built-in value than a string could be null, and that is a common one.
                return CommonFormat.TryRead(ref reader, tag) ?? BuiltInTypes.ByTag(tag).ReadObject(ref reader);
        }
    }

    /// <summary>Reads the value of a type that takes an object number.</summary>
    internal object ReadBody(ref WireReader reader, ValueSerializer serializer)
    {
        int number = 0;
        if (IsTracking)
        {
            if (_objects.IsReadingAgain && PassedOver.TryReadAgain(ref reader, out object? there))
            {
                return there;
            }

            number = _objects.BeginObject();
        }

        _costs.TakeObject(serializer);
        bool hasStack = Path.Enter(reader.Member);
        // On the new level no member has been named yet: an error now is the whole value's.
        reader.Member = GraphPath.Root;
        object value = !hasStack ? FreshStack.Read(ref reader, serializer)
            : serializer.BodyReader is { } compiled ? compiled(ref reader)
            : serializer.ReadObject(ref reader);
        reader.Member = Path.Exit();
        if (IsTracking)
        {
            _objects.EndObject(number, value);
        }

        return value;
    }

    /// <summary>Reads an object whose level of the path has been entered, with code that has been compiled.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal object ReadObjectHere(ref WireReader reader, ValueSerializer serializer)
    {
        object value;
        if (IsTracking)
        {
            if (_objects.IsReadingAgain && PassedOver.TryReadAgain(ref reader, out object? there))
            {
                return there;
            }

            _costs.TakeObject(serializer);
            int number = _objects.BeginObject();
            value = serializer.BodyReader!(ref reader);
            _objects.EndObject(number, value);
        }
        else
        {
            _costs.TakeObject(serializer);
            value = serializer.BodyReader!(ref reader);
        }

        // What goes wrong from here on is no member's fault.
        reader.Member = GraphPath.Root;
        return value;
    }

    /// <summary>Makes the object whose body has just begun known, so that its members can refer to it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Track(object value) => _objects.Track(value);

    /// <summary>Notes what is known when a frame begins.</summary>
    internal (int Manifests, int Objects) BeginFrame()
    {
        // Its manifests would take the place of what has been defined since: it is read where it stands, or not at all.
        if (_objects.IsReadingAgain)
        {
            ThrowHelper.Format(
                WireFormatError.Reference,
                "The payload refers to an object that stood in a member which this program's type no longer has, and a value serializer " +
                "wrote it: such an object can only be read in its place. Keep the member.");
        }

        return (_manifests.BeginFrame(_isNumbered), _objects.Count);
    }

    /// <summary>Forgets what a frame says of types, and checks that it took as many object numbers as it says.</summary>
    internal void EndFrame(in UserFrame.Extent frame)
    {
        _manifests.EndFrame(frame.Before.Manifests, _isNumbered);
        if (IsTracking && _objects.Count - frame.Before.Objects != frame.Objects)
        {
            ThrowHelper.Format(
                WireFormatError.Reference,
                $"A frame took {_objects.Count - frame.Before.Objects} object numbers, but its head says {frame.Objects}.");
        }
    }

    /// <summary>Gets the number of manifests that are known.</summary>
    internal int ManifestCount => _manifests.Count;

    /// <summary>Reads the manifest that a tag announces: a new one, or the identifier of an earlier one.</summary>
    internal Manifest ReadManifest(ref WireReader reader, byte tag) => _manifests.Read(ref reader, tag, _isNumbered, out _);

    /// <summary>
    /// Finds what reads the object behind a tag, if it is known to fit into variables of the type; null when that has to be asked.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ValueSerializer? FindFitting(byte tag, Type variable) => _manifests.FindFitting(tag, variable, RootType);

    /// <summary>Finds what reads the object behind a tag that announces a manifest, and remembers it when all of its objects fit.</summary>
    internal ValueSerializer ReadType<T>(ref WireReader reader, byte tag)
    {
        Manifest manifest = ReadManifest(ref reader, tag);
        ValueSerializer serializer = manifest.Serializer(this, typeof(T));
        if (tag >= Tag.FirstShortIdentifier && !IsTrusted && !HasCollectibleRoot)
        {
            _manifests.AddFitting<T>(tag, manifest, serializer, RootType);
        }

        return serializer;
    }

    [DoesNotReturn]
    private void Refuse()
    {
        ObjectDisposedException.ThrowIf(_disposed, this);
        if (_closed)
        {
            ThrowHelper.SessionContradicted();
        }

        ThrowHelper.SessionInUse();
    }

    private WireFormatException TooDeep(GraphPath path, int step) => new(
        WireFormatError.Limit,
        $"The payload is nested deeper than Limits.MaxDepth = {Limits.MaxDepth}. Raise the limit only for input that you trust.");
}
