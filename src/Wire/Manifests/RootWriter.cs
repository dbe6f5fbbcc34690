using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Wire.Buffers;
using Wire.Compilation;
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
    // The prefix, filled up to whole blocks.
    private readonly byte[] _blocks;
    private readonly FlatWriter? _flat;
    private readonly Budget _left;

    private RootWriter(byte[] prefix, in Budget left, ValueSerializer serializer, FlatWriter? flat, TypeEntry? defined)
    {
        Prefix = prefix;
        _blocks = Blocks.Pad(prefix);
        _flat = flat;
        _left = left;
        Type = serializer.Type;
        Write = serializer.CreateBodyWriter();
        HoldsNoObjects = serializer.HoldsNoObjects;
        Defined = defined;
        TakesIdentifier = prefix.Length == 1;
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
        FlatWriter? flat = 1 + manifest.Length + EmitTypeCompiler.MaxFlatSize <= options.Limits.MaxBytes ? serializer.FlatWriter : null;
        return new RootWriter([header, .. manifest], left, serializer, flat, defined);
    }

    /// <summary>Says whether objects of the type are flat, so that <see cref="TryWriteFlat(object)"/> works for most of them.</summary>
    public bool IsFlat => _flat is not null;

    /// <summary>
    /// Writes a standalone message with a flat root, without a session. Nothing has been written when it gives up.
    /// </summary>
    public bool TryWriteFlat(object value, IBufferWriter<byte> output)
    {
        int size = WriteFlat(output.GetSpan(WireWriter.MinWindow), value);
        if (size < 0)
        {
            return false;
        }

        output.Advance(size);
        return true;
    }

    /// <summary>Writes a standalone message with a flat root to a new array; null when it gives up.</summary>
    public byte[]? TryWriteFlat(object value)
    {
        Span<byte> window = stackalloc byte[WireWriter.MinWindow];
        int size = WriteFlat(window, value);
        return size < 0 ? null : window[..size].ToArray();
    }

    // Returns the number of bytes written; negative when it gives up.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int WriteFlat(Span<byte> window, object value)
    {
        if (window.Length < _blocks.Length)
        {
            return -1;
        }

        ref byte start = ref MemoryMarshal.GetReference(window);
        Blocks.CopyWhole(_blocks, ref start);
        int prefix = Prefix.Length;
        int size = _flat!(ref Unsafe.Add(ref start, prefix), window.Length - prefix, value);
        return size < 0 ? size : prefix + size;
    }
}

/// <summary>A root whose type has a <see cref="RootWriter"/>.</summary>
internal readonly struct CommonRoot(RootWriter root, object value) : IRootWriter
{
    public Type? Type => value.GetType();

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(ref WireWriter writer) => writer.Session.WriteRoot(ref writer, root, value);
}
