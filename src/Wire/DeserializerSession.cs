using System.Runtime.CompilerServices;
using System.Runtime.Loader;
using Wire.Buffers;
using Wire.Errors;
using Wire.Format;
using Wire.Manifests;
using Wire.Sessions;
using Wire.Sessions.Objects;
using Wire.Skipping;
using Wire.Slots;
using Wire.Types;
using Wire.Unknown;
using Wire.Values;

namespace Wire;

/// <summary>
/// The reader's state for a stream of messages: the known manifests, and the objects of the current message. It reads what one <see
/// cref="SerializerSession"/> wrote. Not thread-safe: an overlapping call is usually refused, but do not rely on it.
/// </summary>
/// <remarks>
/// <para>
/// Definitions of types carry their numbers, so a message that is lost, repeated, late or unreadable never makes one type pass for another:
/// a message that needs a definition unknown to the session ends with
/// <see cref="WireFormatError.UnknownManifest"/>, and all others are read as they were sent. When a message fails for a reason other than
/// its bytes (its type is refused or is not the requested one, or user code throws), the session skips the rest of the message and keeps
/// its definitions. It cannot do so where the bytes are damaged or exceed a limit, where a part was written with
/// <see cref="SerializerOptions.VersionTolerance"/> off, where a typed root is requested as another type, and where the rest would have to
/// come from a stream that cannot seek. The objects of a failed message are dropped.
/// </para>
/// <para>
/// Both sessions begin together. A message from another <see cref="SerializerSession"/>, or a damaged one, is noticed only when it
/// contradicts an earlier definition: it ends with <see cref="WireFormatError.Manifest"/>, and every later call throws
/// <see cref="InvalidOperationException"/>. A payload that was written without a session can be read between the messages of a session; it
/// neither uses nor changes the session's state.
/// </para>
/// </remarks>
public sealed partial class DeserializerSession : IDisposable
{
    private ReadManifests _manifests = new();

    // State for a message of the unexpected kind: a standalone message inside a session, or a session's message outside of one.
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
    private SkippedValues? _skippedValues;

    // The beginning of a message that later ones may share, until its value is known to be of the requested type.
    private Beginning? _beginning;

    // Most messages have none.
    private MessageRest? _rest;
    private bool _busy;
    private bool _disposed;

    // The offset at which the last message ended.
    private long _end;

    /// <param name="serializer">The serializer.</param>
    /// <param name="ownThread">
    /// True for the thread's cached session: it never leaves the thread, and each of its messages stands alone.
    /// </param>
    internal DeserializerSession(Serializer serializer, bool ownThread)
    {
        Serializer = serializer;
        _ownThread = ownThread;
        Limits = serializer.Options.Limits;
        MaxBytes = Limits.MaxBytes;
        _costs = new ReadCosts(Limits);
        Path = new GraphPath(Limits.MaxDepth, TooDeep);
    }

    internal Serializer Serializer { get; }

    internal Limits Limits { get; }

    internal long MaxBytes { get; }

    internal GraphPath Path { get; }

    /// <summary>The type that the caller asked for: the payload may name the types that are reachable from it by declaration.</summary>
    internal Type RootType { get; private set; } = typeof(object);

    /// <summary>Gets whether that type can be unloaded; nothing is cached for such a type.</summary>
    internal bool HasCollectibleRoot { get; private set; }

    /// <summary>
    /// Returns whether that type cannot be unloaded and belongs to this load context: names mean the same for all such types.
    /// </summary>
    internal bool IsRootIn(AssemblyLoadContext? context) =>
        !HasCollectibleRoot && ReferenceEquals(_lastingTypes.ContextOf(RootType), context);

    /// <summary>Gets whether the bytes come from this serializer itself, so that no filter stands between them and the types.</summary>
    internal bool IsTrusted { get; init; }

    /// <summary>Gets or sets whether a Type that is refused is left out, as it is only a detail of what is read.</summary>
    internal bool LeavesOutTypes { get; set; }

    /// <summary>The root's type in a trusted session, which tells types of the same name apart.</summary>
    internal Type? Near { get; init; }

    /// <summary>The sequence input, made when it is first needed.</summary>
    internal SequenceInput Sequence => _sequence ??= new();

    /// <summary>The stream input, made when it is first needed.</summary>
    internal StreamInput Stream => _stream ??= new();

    /// <summary>
    /// Ends the session; later calls throw <see cref="ObjectDisposedException"/>. A call in progress, on another thread or further up the
    /// stack, completes. May be called more than once.
    /// </summary>
    public void Dispose() => _disposed = true;

    internal bool IsBusy => _busy;

    /// <summary>The costs of the message.</summary>
    internal ref ReadCosts Costs => ref _costs;

    /// <summary>The types known from the current message and, in a session, from those before it.</summary>
    internal ref ReadManifests Manifests => ref _manifests;

    /// <summary>The values that were skipped. Most messages have none.</summary>
    internal SkippedValues SkippedValues => _skippedValues ??= new(this);

    /// <summary>Gets whether the definitions of the current message carry their numbers.</summary>
    internal bool IsNumbered => _isNumbered;

    /// <summary>Gets whether a failed message is being skipped, to collect its type definitions.</summary>
    internal bool IsPassingOver { get; private set; }

    /// <summary>A number that identifies the current message; no two messages have the same.</summary>
    internal object Message => (_rest ??= new()).Identity;

    /// <summary>Gets whether the messages belong to one session.</summary>
    internal bool IsLasting => !_ownThread;

    /// <summary>Gets whether the payload's objects are numbered.</summary>
    internal bool IsTracking => _objects.IsTracking;

    /// <summary>Gets whether objects are not numbered, and types are judged.</summary>
    internal bool IsPlain => !IsTracking && !IsTrusted;

    /// <summary>Gets whether objects may be read by flat code, one level down the path.</summary>
    internal bool ReadsFlat
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => IsPlain && Path.HasRoom;
    }

    /// <summary>Refuses a call while another one is under way, before it touches anything.</summary>
    internal void CheckFree()
    {
        if (_busy | _disposed | _closed)
        {
            Refuse();
        }
    }

    /// <summary>Returns whether further messages can be read, also after a failure.</summary>
    internal bool CanGoOn() => !(_busy | _disposed | _closed);

    /// <summary>Reads a root after the tag of its manifest.</summary>
    internal object ReadRoot(ref WireReader reader, byte tag)
    {
        byte header =
            (byte)(PayloadHeader.Version | (IsTracking ? PayloadHeader.References : 0) | (_isNumbered ? PayloadHeader.Session : 0));
        int defined = _manifests.Count;
        Manifest manifest = _manifests.Read(ref reader, tag, _isNumbered, out int identifier);
        ValueSerializer serializer = manifest.RootSerializer(this);
        object value = ReadBody(ref reader, serializer, Overwritten is null ? null : RootFor(serializer));

        // A standalone message has no identifier.
        if (!IsTrusted && !HasCollectibleRoot && !_isOther && (!_ownThread || identifier == defined) && manifest.IsRootAgain(serializer))
        {
            _beginning = new Beginning(manifest, serializer, header, identifier);
        }

        return value;
    }

    /// <summary>Reads a root that is an array with a tag, as the collection that the caller asks for.</summary>
    internal object ReadRootVector(ref WireReader reader)
    {
        ValueSerializer serializer = Serializer.Registry.Vector(reader.ReadByte(), RootType);
        return ReadBody(ref reader, serializer, Overwritten is null ? null : RootFor(serializer));
    }

    /// <summary>Counts a root that is a value type and assigns its number: every value with a manifest takes one.</summary>
    internal void TrackRootValue(byte tag, ValueSerializer serializer)
    {
        if (!TagTypes.IsTag(tag))
        {
            _costs.TakeObject(serializer);
            if (IsTracking)
            {
                _objects.BeginObject();
            }
        }
    }

    /// <summary>The objects of the message, and the set of complete ones.</summary>
    internal ReadObjects Objects => _objects;

    /// <summary>The objects of the caller that the message is read into; null where all are made.</summary>
    internal OverwrittenObjects? Overwritten;

    /// <summary>Returns the caller's root, if values of the serializer can be read into it; otherwise null.</summary>
    internal object? RootFor(ValueSerializer serializer) =>
        Overwritten is { } overwritten && serializer is IOverwriter { CanOverwrite: true } ? overwritten.RootOf(serializer.Type) : null;

    /// <summary>The unknown members that are kept. Most messages have none.</summary>
    internal UnknownReading Kept => (_rest ??= new()).Kept ??= new UnknownReading(this);

    /// <summary>The recorder of the unknown member that is being skipped; null when there is none.</summary>
    internal UnknownRecorder? Recorder { get; set; }

    /// <inheritdoc cref="MessageRest.LinkedLists"/>
    internal ReadLists LinkedLists => (_rest ??= new()).LinkedLists;

    /// <summary>
    /// Notes a linked list that has been filled, where its state matters: nodes wait for it, or code of the program may change it.
    /// </summary>
    internal void NoteFilled<T>(LinkedList<T> list)
    {
        if (_rest?.HasLinkedLists == true || Serializer.Options.RunsProgram)
        {
            LinkedLists.Add(list);
        }
    }

    /// <summary>Defers an action that needs complete objects until the whole graph has been read.</summary>
    internal void WhenComplete(Action action) => (_rest ??= new()).Add(action);

    /// <summary>Defers a check of complete objects; checks run before the deferred actions.</summary>
    internal void CheckWhenComplete(Action check) => (_rest ??= new()).AddCheck(check);

    /// <summary>Registers an object for a callback after the whole graph has been read.</summary>
    internal void CallAfterGraph(System.Runtime.Serialization.IDeserializationCallback target) => (_rest ??= new()).Add(target);

    /// <summary>Counts a Type that is refused; false where it may not be left out, or too many of the message have been.</summary>
    internal bool TryLeaveOutType() => LeavesOutTypes && ++(_rest ??= new()).TypesLeftOut <= MessageRest.MaxTypesLeftOut;

    /// <summary>Reads what follows a tag other than <see cref="Tag.Null"/> and <see cref="Tag.Declared"/>.</summary>
    internal object ReadTagged(ref WireReader reader, byte tag, Type? declared)
    {
        switch (tag)
        {
            case >= Tag.FirstShortIdentifier or Tag.Defined or Tag.Definition:
                return ReadBody(ref reader, ReadManifest(ref reader, tag).Serializer(this, declared));
            case Tag.Reference:
                return ReadReference(ref reader, declared);
            case Tag.Vector:
                return ReadBody(ref reader, Serializer.Registry.Vector(reader.ReadByte(), declared));
            case Tag.Object:
                return ReadBody(ref reader, BuiltInTypes.ByTag(Tag.Object));
            default:
                // A string is the only built-in value that can be null, and it is common.
                return CommonFormat.TryRead(ref reader, tag) ?? BuiltInTypes.ByTag(tag).ReadObject(ref reader);
        }
    }

    /// <summary>Reads a reference to an earlier object.</summary>
    internal object ReadReference(ref WireReader reader, Type? declared)
    {
        uint number = reader.ReadVarUInt32();
        return _objects.Find(number) ?? SkippedValues.Read(ref reader, number, declared);
    }

    /// <summary>Reads the value of a type that takes an object number.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="serializer">The value serializer of the type.</param>
    /// <param name="into">The object of the caller to read into, which has been taken for it; null to make one.</param>
    internal object ReadBody(ref WireReader reader, ValueSerializer serializer, object? into = null)
    {
        int number = 0;
        if (IsTracking)
        {
            if (_objects.IsReadingAgain && SkippedValues.TryReadAgain(ref reader, out object? there))
            {
                return there;
            }

            number = _objects.BeginObject();
        }

        _costs.TakeObject(serializer);
        bool hasStack = Path.Enter(reader.Member);
        // No member of the new level has been named yet: an error now belongs to the whole value.
        reader.Member = GraphPath.Root;
        object value = !hasStack ? FreshStack.Read(ref reader, serializer)
            : into is not null ? ((IOverwriter)serializer).ReadOver(ref reader, into)
            : serializer.BodyReader is { } compiled ? compiled(ref reader)
            : serializer.ReadObject(ref reader);
        reader.Member = Path.Exit();
        if (IsTracking)
        {
            _objects.EndObject(number, value);
        }

        return value;
    }

    /// <summary>Reads an object with compiled code; the caller has entered its level of the path.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal object ReadObjectHere(ref WireReader reader, ValueSerializer serializer)
    {
        object value;
        if (IsTracking)
        {
            if (_objects.IsReadingAgain && SkippedValues.TryReadAgain(ref reader, out object? there))
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

        // Errors from here on belong to no member.
        reader.Member = GraphPath.Root;
        return value;
    }

    /// <summary>Registers the object whose body has just begun, so that its members can refer to it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Track(object value) => _objects.Track(value);

    /// <summary>Notes what is known when a block begins.</summary>
    internal (int Manifests, int Objects) BeginBlock()
    {
        // Its manifests would replace later definitions: the block can only be read where it stands.
        if (_objects.IsReadingAgain)
        {
            ThrowHelper.Format(
                WireFormatError.Reference,
                "The payload refers to an object that was skipped, in a member that this program's type no longer has or outside of the " +
                "part that is read, and a value serializer wrote it: such an object can only be read in its place. Keep the member, or " +
                "read the whole payload.");
        }

        return (_manifests.BeginBlock(_isNumbered), _objects.Count);
    }

    /// <summary>Forgets the types that a block defined, and checks that it took as many object numbers as it declared.</summary>
    internal void EndBlock(in UserBlock.Extent block)
    {
        _manifests.EndBlock(block.Before.Manifests, _isNumbered);
        if (IsTracking && _objects.Count - block.Before.Objects != block.Objects)
        {
            ThrowHelper.Format(
                WireFormatError.Reference,
                $"A block took {_objects.Count - block.Before.Objects} object numbers, but its head says {block.Objects}.");
        }
    }

    /// <summary>Gets the number of manifests that are known.</summary>
    internal int ManifestCount => _manifests.Count;

    /// <summary>Reads the manifest that a tag announces: a new one, or the identifier of an earlier one.</summary>
    internal Manifest ReadManifest(ref WireReader reader, byte tag) => _manifests.Read(ref reader, tag, _isNumbered, out _);

    /// <summary>
    /// Finds the reader for the object after a tag, if it is known to fit variables of the type; null when that has to be checked.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ValueSerializer? FindFitting(byte tag, Type variable) => _manifests.FindFitting(tag, variable, RootType);

    /// <summary>Finds the reader for the object after a tag that announces a manifest, and caches it when all of its objects fit.</summary>
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
}
