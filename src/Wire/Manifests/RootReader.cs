using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Wire.Compilation;
using Wire.Flat;
using Wire.Sessions;

namespace Wire.Manifests;

/// <summary>
/// Reads a message that begins as an earlier one did: the same bytes before the root's members mean the same layout and, for the same
/// requested type, the same checks of types.
/// </summary>
internal abstract class RootReader
{
    private readonly Manifests.Prefix _prefix;
    private readonly Budget _left;
    private readonly ValueSerializer _serializer;

    private readonly FlatReader? _flatCode;
    private readonly FlatPartReader? _laterPart;

    // Null for a while after a message that was not flat: those of its kind are often alike.
    private FlatReader? _flat;
    private int _untried;

    private protected RootReader(
        Limits limits, in Manifests.Prefix prefix, in Budget left, Type asked, ValueSerializer serializer, Manifest? defined)
    {
        _prefix = prefix;
        _left = left;
        Asked = asked;
        _serializer = serializer;
        Read = serializer.CreateBodyReader();
        HoldsNoObjects = serializer.HoldsNoObjects;
        Defined = defined;
        bool standsAlone = defined is not null
            || (prefix.Header & (Format.PayloadHeader.Typed | Format.PayloadHeader.Session)) == Format.PayloadHeader.Typed;
        if (serializer.Flat is { } code && code.Fits(limits, prefix.Length))
        {
            _laterPart = standsAlone ? null : code.PartReader;
            _flat = _flatCode = _laterPart is null ? code.Reader(types: defined is null ? 0 : 1) : null;
        }

        Flat = standsAlone ? _flatCode : null;
    }

    /// <summary>Reads the members of a flat root in a standalone message; null where there is none.</summary>
    public FlatReader? Flat { get; }

    /// <summary>
    /// Reads a message with this beginning and a flat root, without a session. Null when it cannot.
    /// </summary>
    public object? TryReadFlat(ReadOnlySpan<byte> payload)
    {
        if (_flat is not { } flat)
        {
            return Skip();
        }

        int prefix = PrefixLength;
        try
        {
            if (flat(ref Unsafe.Add(ref MemoryMarshal.GetReference(payload), prefix), payload.Length - prefix) is { } value)
            {
                return value;
            }
        }
        catch (WireFormatException)
        {
            // Reading it again with a session reports the error's position.
        }

        _flat = null;
        _untried = RootWriter.Untried;
        return null;
    }

    /// <summary>Reads a message of a session with this beginning and a flat root. Null when it cannot.</summary>
    public object? TryReadLater(ReadOnlySpan<byte> payload, DeserializerSession session)
    {
        if (_untried > 0)
        {
            _untried--;
            return null;
        }

        object? value = null;
        int length = payload.Length - PrefixLength;
        ref byte members = ref Unsafe.Add(ref MemoryMarshal.GetReference(payload), PrefixLength);
        try
        {
            value = _laterPart is { } part ? ReadParts(part, ref members, length, session) : _flatCode?.Invoke(ref members, length);
        }
        catch (WireFormatException)
        {
            // Reading it again in the ordinary way reports the error's position.
        }

        if (value is null)
        {
            _untried = RootWriter.Untried;
        }

        return value;
    }

    private static object? ReadParts(FlatPartReader read, ref byte source, int length, DeserializerSession session)
    {
        if (length > FlatBounds.MaxBytes)
        {
            return null;
        }

        var types = new FlatTypes(session);
        object? value = null;
        int size = read(ref source, length, ref Unsafe.As<object?, byte>(ref value), ref types);
        return size == length ? value : null;
    }

    private object? Skip()
    {
        if (--_untried < 0)
        {
            _flat = Flat;
        }

        return null;
    }

    /// <summary>The type that the caller asks for.</summary>
    public Type Asked { get; }

    /// <summary>The bytes in front of the members.</summary>
    public ReadOnlySpan<byte> Prefix => _prefix.Bytes;

    /// <summary>Gets the count.</summary>
    public int PrefixLength => _prefix.Length;

    /// <summary>Gets the message's budget after the root.</summary>
    public ref readonly Budget Left => ref _left;

    /// <summary>Reads the members, into a new object.</summary>
    public BodyReader Read { get; }

    /// <summary>Says whether the root is the message's only object, so that it needs neither path nor tables.</summary>
    public bool HoldsNoObjects { get; }

    /// <summary>The manifest in front of the members; null when there is none.</summary>
    public Manifest? Defined { get; }

    /// <summary>Says whether a payload begins in this way.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool Begins(ReadOnlySpan<byte> payload) => _prefix.Begins(payload);

    /// <summary>The header of those payloads.</summary>
    public byte Header => _prefix.Header;

    /// <summary>Says whether it reads payloads with this header by this code.</summary>
    public bool IsFor(byte header, ValueSerializer serializer) => _prefix.Header == header && ReferenceEquals(_serializer, serializer);

    /// <summary>Says whether a message needs the object table, so that its beginning is not cached.</summary>
    public static bool NeedsTable(byte header, ValueSerializer serializer) =>
        (header & Format.PayloadHeader.References) != 0 && !serializer.HoldsNoObjects;

    /// <summary>
    /// Makes a reader for messages with one beginning; null when they need the object table, exceed a limit, or have a schema that is not
    /// compiled yet.
    /// </summary>
    /// <typeparam name="T">The requested type.</typeparam>
    /// <param name="options">The options of the serializer.</param>
    /// <param name="header">The header of the payload.</param>
    /// <param name="manifest">The bytes between the header and the members.</param>
    /// <param name="serializer">The reader of the members.</param>
    /// <param name="defined">The manifest that is defined there, if one is.</param>
    public static RootReader? TryCreate<T>(
        SerializerOptions options, byte header, ReadOnlySpan<byte> manifest, ValueSerializer serializer, Manifest? defined) =>
        NeedsTable(header, serializer) || serializer.IsInterpreted
        || !Budget.TryTakeRoot(options.Limits, serializer, out Budget left)
            ? null
            : new RootReader<T>(options.Limits, new Manifests.Prefix([header, .. manifest]), left, serializer, defined);
}

/// <summary>The reader for callers that request a <typeparamref name="T"/>.</summary>
internal sealed class RootReader<T>(Limits limits, in Prefix prefix, in Budget left, ValueSerializer serializer, Manifest? defined)
    : RootReader(limits, prefix, left, typeof(T), serializer, defined);
