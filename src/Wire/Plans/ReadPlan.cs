using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Wire.Buffers;
using Wire.Flat;
using Wire.Format;
using Wire.Manifests;
using Wire.Sessions;
using Wire.Slots;
using Wire.Types;

namespace Wire.Plans;

/// <summary>
/// Reads the messages that begin as an earlier one did: the same bytes before the root's members mean the same layout and, for the same
/// requested type, the same checks of types.
/// </summary>
internal abstract class ReadPlan : MessagePlan
{
    // Of the messages of a session that begin with the header and an identifier of one byte: they are found by these.
    private const int IdentifiedLength = 2;

    private readonly ValueSerializer _serializer;

    // Compiled at once where no root is flat, and otherwise for the second one that is not: most kinds of messages never have one.
    private BodyReader _members;

    // Null where no root is flat.
    private readonly FlatReader? _flatCode;

    // Null for a while after a root that was not.
    private FlatReader? _flat;

    // Null until it is asked for.
    private FlatOverwriter? _overwriter;

    private protected ReadPlan(
        TypeRegistry registry, byte[] prefix, in Budget left, Type asked, ValueSerializer serializer, Manifest? defined, ReadPlan? like)
        : base(registry, prefix, left, serializer)
    {
        PrefixLength = prefix.Length;
        Asked = asked;
        _serializer = serializer;
        bool isIdentified = (prefix[0] & PayloadHeader.Session) != 0 && prefix.Length == IdentifiedLength;
        _flat = _flatCode = like is not null ? like._flatCode
            : MaxFlat > 0 ? serializer.Flat!.CompileReader(prefix, defined is null ? 0 : 1, isKnown: isIdentified, MaxFlat)
            : null;
        _members = _flatCode is null
            ? serializer.CreateBodyReader()
            : (ref WireReader reader) =>
            {
                _members = CompileMembersAndRead;
                return serializer.InterpretedReader(ref reader);
            };
        Defined = defined;

        object CompileMembersAndRead(ref WireReader reader)
        {
            _members = serializer.CreateBodyReader();
            return _members(ref reader);
        }
    }

    /// <summary>The type that the caller asks for.</summary>
    public Type Asked { get; }

    /// <summary>The type of the roots.</summary>
    public Type RootType => _serializer.Type;

    /// <summary>Gets the number of bytes in front of the members; at least one.</summary>
    public int PrefixLength { get; }

    /// <summary>The header of those payloads.</summary>
    public byte Header => Prefix[0];

    /// <summary>The manifest in front of the members; null when there is none.</summary>
    public Manifest? Defined { get; }

    /// <summary>Returns whether it reads payloads with this header by this code.</summary>
    public bool IsFor(byte header, ValueSerializer serializer) => Header == header && ReferenceEquals(_serializer, serializer);

    /// <summary>Returns whether it reads the same payloads by the same code as another plan, for requests of another type.</summary>
    public bool BeginsAs(ReadPlan other) => IsFor(other.Header, other._serializer) && ReferenceEquals(Defined, other.Defined);

    /// <summary>Returns whether a message needs the object table, so that its beginning is not cached.</summary>
    public static bool NeedsTable(byte header, ValueSerializer serializer) =>
        (header & PayloadHeader.References) != 0 && !serializer.HoldsNoObjects;

    /// <summary>
    /// Makes the plan for messages with one beginning; null when they need the object table, exceed a limit, or have a schema that is not
    /// compiled yet.
    /// </summary>
    /// <typeparam name="T">The requested type.</typeparam>
    /// <param name="registry">The registry of the serializer.</param>
    /// <param name="header">The header of the payload.</param>
    /// <param name="manifest">The bytes between the header and the members.</param>
    /// <param name="serializer">The reader of the members.</param>
    /// <param name="defined">The manifest that is defined there, if one is.</param>
    /// <param name="like">The plan for the same messages and another requested type, whose code it shares; null when there is none.</param>
    public static ReadPlan<T>? TryCreate<T>(
        TypeRegistry registry,
        byte header,
        ReadOnlySpan<byte> manifest,
        ValueSerializer serializer,
        Manifest? defined,
        ReadPlan? like = null) =>
        NeedsTable(header, serializer) || serializer.IsInterpreted
        || !Budget.TryTakeRoot(registry.Options.Limits, serializer, out Budget left)
            ? null
            : new ReadPlan<T>(registry, [header, .. manifest], left, serializer, defined, like);

    /// <inheritdoc/>
    public override void Prepare()
    {
        if (_flatCode is not null)
        {
            RuntimeHelpers.PrepareDelegate(_flatCode);
        }
        else
        {
            RuntimeHelpers.PrepareDelegate(_members);
        }
    }

    /// <summary>Returns whether a payload begins in this way.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool Begins(ReadOnlySpan<byte> payload) =>
        PrefixLength <= payload.Length && Blocks.Begins(ref MemoryMarshal.GetReference(payload), Prefix);

    /// <summary>
    /// Reads a message that begins in this way and has a flat root; null when it takes a session, or does not begin in this way. Where the
    /// beginning is an identifier in a session, the caller has found the plan by it.
    /// </summary>
    /// <param name="payload">The payload, and nothing else.</param>
    /// <param name="session">The session that the message belongs to; null for a standalone message.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public object? TryReadFlat(ReadOnlySpan<byte> payload, DeserializerSession? session) =>
        TryReadFlat(payload, session, ref Unsafe.NullRef<int>());

    /// <inheritdoc cref="TryReadFlat(ReadOnlySpan{byte}, DeserializerSession)"/>
    /// <param name="bytes">The payload, and what follows it.</param>
    /// <param name="session">The session that the message belongs to; null for a standalone message.</param>
    /// <param name="unread">How many bytes follow it; undefined when there is no value.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public object? TryReadFirstFlat(ReadOnlySpan<byte> bytes, DeserializerSession? session, out int unread)
    {
        int length = Math.Min(bytes.Length, MaxFlat), left = 0;
        object? value = TryReadFlat(bytes[..length], session, ref left);
        unread = bytes.Length - length + left;
        return value;
    }

    private object? TryReadFlat(ReadOnlySpan<byte> bytes, DeserializerSession? session, ref int unread)
    {
        if (_flat is not { } flat)
        {
            return null;
        }

        try
        {
            return flat(ref MemoryMarshal.GetReference(bytes), bytes.Length, session, ref unread);
        }
        catch (WireFormatException)
        {
            // Reading it again with a session reports the error's position.
            return null;
        }
    }

    /// <summary>
    /// Reads a standalone message that begins in this way and has a flat root into an object; false where it takes a session, or does not
    /// begin in this way: the object may then be changed already.
    /// </summary>
    public bool TryReadFlatInto(ReadOnlySpan<byte> payload, object target)
    {
        if (!ReferenceEquals(target.GetType(), _serializer.Type))
        {
            return false;
        }

        try
        {
            return (_overwriter ??= CreateOverwriter())(ref MemoryMarshal.GetReference(payload), payload.Length, target);
        }
        catch (WireFormatException)
        {
            // Reading it again with a session reports the error's position.
            return false;
        }
    }

    private FlatOverwriter CreateOverwriter() => (MaxFlat > 0 ? _serializer.Flat!.CompileOverwriter(Prefix, MaxFlat) : null)
        ?? ((ref source, length, target) => false);

    /// <summary>Records a message with this beginning that is read with a session, because it is not flat.</summary>
    public void NoteSlow()
    {
        if (_flatCode is null)
        {
            return;
        }

        if (_flat is not null)
        {
            _flat = null;
            BeginGivingUp();
        }
        else if (EndsGivingUp())
        {
            _flat = _flatCode;
        }
    }

    /// <summary>Reads the members of a message that has begun with a session.</summary>
    public object ReadMembers(ref WireReader reader)
    {
        object value = reader.Session is { Overwritten: not null } session && session.RootFor(_serializer) is { } root
            ? ((IOverwriter)_serializer).ReadOver(ref reader, root)
            : _members(ref reader);
        // Errors from here on belong to no member.
        reader.Member = GraphPath.Root;
        return value;
    }
}

/// <summary>The plan for callers that request a <typeparamref name="T"/>.</summary>
internal sealed class ReadPlan<T>(
    TypeRegistry registry, byte[] prefix, in Budget left, ValueSerializer serializer, Manifest? defined, ReadPlan? like)
    : ReadPlan(registry, prefix, left, typeof(T), serializer, defined, like);
