using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Wire.Buffers;
using Wire.Compilation;
using Wire.Flat;
using Wire.Format;
using Wire.Sessions;
using Wire.Types;

namespace Wire.Manifests;

/// <summary>
/// Writes a message whose root is an object of one type, from what all such messages share: the bytes in front of the members, the budget
/// after the root, and the code of the type.
/// </summary>
internal sealed class RootWriter
{
    /// <summary>The number of messages that are not tried as flat ones after one that is not flat.</summary>
    public const int Untried = 15;

    // The stack for a message that goes to a new array.
    private const int FlatWindow = 512;

    // The prefix, filled up to whole blocks.
    private readonly byte[] _blocks;
    private readonly int _prefixLength;
    private readonly FlatWriter? _flatCode;
    private readonly FlatPartWriter? _laterPart;
    private readonly Budget _left;

    // Null for a while after a message that was not flat: those of its kind are often alike.
    private FlatWriter? _flat;
    private int _untried;

    private RootWriter(byte[] prefix, in Budget left, ValueSerializer serializer, FlatCode? flat, TypeEntry? defined)
    {
        Prefix = prefix;
        _blocks = Blocks.Pad(prefix);
        _prefixLength = prefix.Length;
        TakesIdentifier = prefix.Length == 1;
        _laterPart = TakesIdentifier ? flat?.PartWriter : null;
        _flat = _flatCode = _laterPart is null ? flat?.Writer(types: defined is null ? 0 : 1) : null;
        _left = left;
        Type = serializer.Type;
        Write = serializer.CreateBodyWriter();
        HoldsNoObjects = serializer.HoldsNoObjects;
        Defined = defined;
    }

    /// <summary>The type whose objects are written.</summary>
    public Type Type { get; }

    /// <summary>The bytes in front of the members.</summary>
    public byte[] Prefix { get; }

    /// <summary>Gets the message's budget after the root.</summary>
    public ref readonly Budget Left => ref _left;

    /// <summary>Writes the members.</summary>
    public BodyWriter Write { get; }

    /// <summary>Says whether the root is the message's only object, so that it needs neither path nor tables.</summary>
    public bool HoldsNoObjects { get; }

    /// <summary>The type whose manifest is in the prefix; null when there is none.</summary>
    public TypeEntry? Defined { get; }

    /// <summary>
    /// Says whether the type's identifier in the current session follows the prefix; everything else is the same for all sessions.
    /// </summary>
    public bool TakesIdentifier { get; }

    /// <summary>
    /// Makes the writer of roots of one type; null when such a root alone exceeds a limit, or needs more than a fixed prefix.
    /// </summary>
    /// <param name="options">The options of the serializer.</param>
    /// <param name="flags">Flags of the header.</param>
    /// <param name="manifest">The bytes between the header and the members.</param>
    /// <param name="serializer">The type's value serializer.</param>
    /// <param name="defined">The type that the manifest defines, if any.</param>
    public static RootWriter? TryCreate(
        SerializerOptions options, byte flags, ReadOnlySpan<byte> manifest, ValueSerializer serializer, TypeEntry? defined)
    {
        // An object that can be referred to takes a number.
        if ((options.PreserveObjectReferences && !serializer.HoldsNoObjects) || manifest.Length > options.Limits.MaxManifestBytes
            || !Budget.TryTakeRoot(options.Limits, serializer, out Budget left))
        {
            return null;
        }

        byte header = (byte)(PayloadHeader.Version | flags | (options.PreserveObjectReferences ? PayloadHeader.References : 0));
        FlatCode? flat = serializer.Flat is { } code && code.Fits(options.Limits, 1 + manifest.Length) ? code : null;
        return new RootWriter([header, .. manifest], left, serializer, flat, defined);
    }

    /// <summary>Says whether objects of the type are flat, so that <see cref="TryWriteFlat(object)"/> works for most of them.</summary>
    public bool IsFlat => _flatCode is not null || _laterPart is not null;

    /// <summary>
    /// Writes a standalone message with a flat root, an object of exactly <see cref="Type"/>, without a session. Nothing has been written
    /// when it gives up.
    /// </summary>
    public bool TryWriteFlat(object value, IBufferWriter<byte> output)
    {
        if (_flat is not { } flat)
        {
            return false;
        }

        Span<byte> window = output.GetSpan(WireWriter.MinWindow);
        int size = WriteFlat(flat, window, value);
        if (size < 0)
        {
            GiveUp();
            return false;
        }

        output.Advance(_prefixLength + size);
        return true;
    }

    /// <summary>Writes a standalone message with a flat root to a new array; null when it gives up.</summary>
    public byte[]? TryWriteFlat(object value)
    {
        if (_flat is not { } flat)
        {
            return null;
        }

        Span<byte> window = stackalloc byte[FlatWindow];
        int size = WriteFlat(flat, window, value);
        if (size < 0)
        {
            GiveUp();
            return null;
        }

        return window[..(_prefixLength + size)].ToArray();
    }

    /// <summary>Writes a message of a session with a flat root whose type the reader knows.</summary>
    /// <param name="window">The destination.</param>
    /// <param name="identifier">The type's identifier.</param>
    /// <param name="value">The root, an object of exactly <see cref="Type"/>.</param>
    /// <param name="types">The types that the reader knows.</param>
    /// <returns>The number of bytes written; negative when it gives up.</returns>
    public int TryWriteLater(Span<byte> window, ushort identifier, object value, WrittenTypes types)
    {
        const int PrefixBytes = 2;
        if (_untried > 0)
        {
            _untried--;
            return -1;
        }

        int size = -1;
        if (window.Length > PrefixBytes && identifier < Tag.ShortIdentifiers)
        {
            window[1] = (byte)(Tag.FirstShortIdentifier + identifier);
            window[0] = Prefix[0];
            ref byte members = ref Unsafe.Add(ref MemoryMarshal.GetReference(window), PrefixBytes);
            int room = window.Length - PrefixBytes;
            size = _laterPart is null ? _flatCode!(ref members, room, value) : WriteParts(_laterPart, ref members, room, value, types);
        }

        if (size < 0)
        {
            _untried = Untried;
            return size;
        }

        return PrefixBytes + size;
    }

    /// <summary>Records a message that was written with a session: after some of them the next one is tried as a flat one again.</summary>
    public void NoteOther()
    {
        if (_flatCode is not null && --_untried < 0)
        {
            _flat = _flatCode;
        }
    }

    private static int WriteParts(FlatPartWriter write, ref byte destination, int room, object value, WrittenTypes types)
    {
        var known = new FlatTypes(types);
        return write(ref destination, Math.Min(room, FlatBounds.MaxBytes), ref Unsafe.As<object, byte>(ref value), ref known);
    }

    private void GiveUp()
    {
        _flat = null;
        _untried = Untried;
    }

    // Returns the number of bytes behind the prefix; negative when it gives up.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int WriteFlat(FlatWriter flat, Span<byte> window, object value)
    {
        if (window.Length < _blocks.Length)
        {
            return -1;
        }

        ref byte start = ref MemoryMarshal.GetReference(window);
        Blocks.CopyWhole(_blocks, ref start);
        return flat(ref Unsafe.Add(ref start, _prefixLength), window.Length - _prefixLength, value);
    }
}

/// <summary>A root whose type has a <see cref="RootWriter"/>.</summary>
internal readonly struct CommonRoot(RootWriter root, object value) : IRootWriter
{
    public Type? Type => value.GetType();

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(ref WireWriter writer) => writer.Session.WriteRoot(ref writer, root, value);
}
