using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Wire.Compilation;
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

    private protected RootReader(in Manifests.Prefix prefix, in Budget left, Type asked, ValueSerializer serializer, Manifest? defined)
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
        Flat = standsAlone ? serializer.FlatReader : null;
    }

    /// <summary>Reads the members of a flat root in a standalone message; null where there is none.</summary>
    public FlatReader? Flat { get; }

    /// <summary>
    /// Reads a message with this beginning and a flat root, without a session. Null when it cannot.
    /// </summary>
    public object? TryReadFlat(ReadOnlySpan<byte> payload)
    {
        int prefix = PrefixLength;
        try
        {
            return Flat!(ref Unsafe.Add(ref MemoryMarshal.GetReference(payload), prefix), payload.Length - prefix);
        }
        catch (WireFormatException)
        {
            // Reading it again with a session reports the error's position.
            return null;
        }
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
        || 1 + manifest.Length + EmitTypeCompiler.MaxFlatSize > options.Limits.MaxBytes
        || !Budget.TryTakeRoot(options.Limits, serializer, out Budget left)
            ? null
            : new RootReader<T>(new Manifests.Prefix([header, .. manifest]), left, serializer, defined);
}

/// <summary>The reader for callers that request a <typeparamref name="T"/>.</summary>
internal sealed class RootReader<T>(in Prefix prefix, in Budget left, ValueSerializer serializer, Manifest? defined)
    : RootReader(prefix, left, typeof(T), serializer, defined);
