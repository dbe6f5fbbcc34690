using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Wire.Buffers;
using Wire.Errors;
using Wire.Flat;
using Wire.Format;
using Wire.Framing;
using Wire.Sessions;
using Wire.Slots;
using Wire.Types;
using Wire.Values;

namespace Wire.Plans;

/// <summary>
/// Writes the messages whose root is an object of one type: copies what they share, and runs the code of the type for the members.
/// </summary>
internal sealed class WritePlan : MessagePlan
{
    // The stack for a message that goes to a new array.
    private const int Window = 512;

    // Null where no root is flat.
    private readonly FlatWriter? _flatCode;

    // Null for a while after a root that was not.
    private FlatWriter? _flat;

    // Compiled at once where no root is flat, and otherwise for the second one that is not: most kinds of messages never have one.
    private BodyWriter _members;

    private WritePlan(TypeRegistry registry, byte[] prefix, in Budget left, ValueSerializer serializer, TypeEntry? defined)
        : base(registry, prefix, left, serializer)
    {
        TakesIdentifier = prefix.Length == 1;
        _flat = _flatCode = MaxFlat > 0 ? serializer.Flat!.CompileWriter(prefix, defined is null ? 0 : 1, TakesIdentifier) : null;
        _members = _flatCode is null
            ? serializer.CreateBodyWriter()
            : (ref WireWriter writer, object value) =>
            {
                _members = CompileMembersAndWrite;
                serializer.InterpretedWriter(ref writer, value);
            };

        void CompileMembersAndWrite(ref WireWriter writer, object value)
        {
            _members = serializer.CreateBodyWriter();
            _members(ref writer, value);
        }
        Defined = defined;
    }

    /// <summary>The type whose manifest is in the prefix; null when there is none.</summary>
    public TypeEntry? Defined { get; }

    /// <summary>
    /// Gets whether the type's identifier in the current session follows the prefix; everything else is the same for all sessions.
    /// </summary>
    public bool TakesIdentifier { get; }

    /// <summary>
    /// Makes the plan for roots of one type; null when such a root alone exceeds a limit, or needs more than a fixed prefix.
    /// </summary>
    /// <param name="registry">The registry of the serializer.</param>
    /// <param name="flags">Flags of the header.</param>
    /// <param name="manifest">The bytes between the header and the members.</param>
    /// <param name="serializer">The type's value serializer.</param>
    /// <param name="defined">The type that the manifest defines, if any.</param>
    public static WritePlan? TryCreate(
        TypeRegistry registry, byte flags, ReadOnlySpan<byte> manifest, ValueSerializer serializer, TypeEntry? defined)
    {
        SerializerOptions options = registry.Options;
        // An object that can be referred to takes a number.
        if ((options.PreserveObjectReferences && !serializer.HoldsNoObjects) || manifest.Length > options.Limits.MaxManifestBytes
            || !Budget.TryTakeRoot(options.Limits, serializer, out Budget left))
        {
            return null;
        }

        byte header = (byte)(PayloadHeader.Version | flags | (options.PreserveObjectReferences ? PayloadHeader.References : 0));
        return new WritePlan(registry, [header, .. manifest], left, serializer, defined);
    }

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

    /// <summary>
    /// Writes a flat standalone message: an object of exactly the plan's type. Nothing has been written when it takes a session.
    /// </summary>
    /// <returns>The number of bytes written; not positive when the message takes a session.</returns>
    /// <remarks>It returns a value so that the last call is not a tail call, which for interfaces takes three times as long.</remarks>
    public int TryWriteFlat(object value, IBufferWriter<byte> output)
    {
        int size = TryWriteFlat(value, output, tag: 0, known: null);
        if (size > 0)
        {
            output.Advance(size);
        }

        return size;
    }

    /// <summary>Measures a flat standalone message, by writing it to the stack.</summary>
    /// <returns>
    /// Its size; 0 when it takes a session; or the complement of what its own members take at most, when that is too much.
    /// </returns>
    [SkipLocalsInit]
    public int MeasureFlat(object value)
    {
        if (_flat is not { } flat)
        {
            return 0;
        }

        Span<byte> window = stackalloc byte[FlatBounds.MaxBytes];
        int size = flat(ref MemoryMarshal.GetReference(window), MaxFlat, value, 0, null);
        return size > 0 || (size != FlatType.NotFlat && ~size > MaxFlat) ? size : 0;
    }

    /// <summary>Writes a flat message to a new array; null when that takes a session.</summary>
    /// <param name="value">The root, an object of exactly the plan's type.</param>
    /// <param name="tag">The byte that stands for its type, where the plan takes one.</param>
    /// <param name="known">The types that a session's reader knows; null for a standalone message.</param>
    [SkipLocalsInit]
    public byte[]? TryWriteFlat(object value, byte tag = 0, WrittenTypes? known = null)
    {
        if (_flat is not { } flat)
        {
            return null;
        }

        Span<byte> window = stackalloc byte[Window];
        int size = flat(ref MemoryMarshal.GetReference(window), Math.Min(window.Length, MaxFlat), value, tag, known);
        return size < 0 ? null : window[..size].ToArray();
    }

    /// <summary>Writes a flat message to a stream; false when that takes the session's buffer, and nothing has been written.</summary>
    /// <param name="value">The root, an object of exactly the plan's type.</param>
    /// <param name="stream">The stream.</param>
    /// <param name="tag">The byte that stands for its type, where the plan takes one.</param>
    /// <param name="session">The session that the message belongs to; null for a standalone message.</param>
    [SkipLocalsInit]
    public bool TryWriteFlat(object value, Stream stream, byte tag, SerializerSession? session)
    {
        if (_flat is not { } flat)
        {
            return false;
        }

        Span<byte> window = stackalloc byte[Window];
        int size = flat(ref MemoryMarshal.GetReference(window), Math.Min(window.Length, MaxFlat), value, tag, session?.Types);
        if (size < 0)
        {
            return false;
        }

        if (session is null)
        {
            Send(window[..size], stream);
        }
        else
        {
            session.SendFlat(window[..size], stream);
        }

        return true;
    }

    /// <summary>Writes a flat message to the memory of a buffer writer, which has yet to be told.</summary>
    /// <param name="value">The root, an object of exactly the plan's type.</param>
    /// <param name="output">The output.</param>
    /// <param name="tag">The byte that stands for its type, where the plan takes one.</param>
    /// <param name="known">The types that a session's reader knows; null for a standalone message.</param>
    /// <param name="head">The number of bytes in front of the message, for its length; 0 when it is written alone.</param>
    /// <returns>The number of bytes written; not positive when the message takes a session.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int TryWriteFlat(object value, IBufferWriter<byte> output, byte tag, WrittenTypes? known, int head = 0)
    {
        if (_flat is not { } flat)
        {
            return 0;
        }

        Span<byte> window = output.GetSpan(head + WireWriter.MinWindow);
        ref byte start = ref MemoryMarshal.GetReference(window);
        int size = flat(ref Unsafe.Add(ref start, head), Math.Min(window.Length - head, MaxFlat), value, tag, known);
        if (size <= 0)
        {
            return TryWriteLarger(value, output, tag, known, size, window.Length, head);
        }

        if (head > 0)
        {
            FrameHeader.Write(ref start, size);
        }

        return head + size;
    }

    /// <summary>Writes a flat message as a frame to the memory of a buffer writer, which has yet to be told.</summary>
    /// <returns>The number of bytes of the frame; not positive when the message takes a session.</returns>
    public int TryWriteFlatFrame(object value, IBufferWriter<byte> output, byte tag, WrittenTypes? known) =>
        MaxFlat <= Registry.Options.Limits.MaxFrameBytes ? TryWriteFlat(value, output, tag, known, FrameHeader.Size) : 0;

    /// <summary>Writes a standalone message: an object of exactly the plan's type.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public long Write(object value, IBufferWriter<byte> output) =>
        Registry.Serializer.ThreadWriting().ToBufferWriter(new Message(this, value), output);

    /// <summary>Writes what is behind the beginning of a message with a session.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(ref WireWriter writer, ushort identifier, object value)
    {
        Blocks.Copy(Prefix, ref writer.Reserve(Prefix.Length));
        if (TakesIdentifier)
        {
            WrittenTypes.WriteIdentifier(ref writer, identifier);
        }

        if (!HoldsNoObjects)
        {
            SerializerSession session = writer.Session;
            session.Path.EnterRoot();
            if (Defined is { } defined)
            {
                session.Types.AddRoot(defined);
            }
        }

        NoteSlow();
        _members(ref writer, value);
        // Errors from here on belong to no member.
        writer.Member = GraphPath.Root;
    }

    /// <summary>Hands a whole message to a stream: its exception has the place of the root, as that of any code of users.</summary>
    public static void Send(ReadOnlySpan<byte> message, Stream stream)
    {
        try
        {
            stream.Write(message);
        }
        catch (Exception e)
        {
            ErrorLocation.Add(e, static () => "", null);
            throw;
        }
    }

    // Nothing has been written: the code for a class knows beforehand what its own members need, and not what is below them.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private int TryWriteLarger(
        object value, IBufferWriter<byte> output, byte tag, WrittenTypes? known, int size, int room, int head)
    {
        if (size != FlatType.NotFlat && ~size > MaxFlat)
        {
            return 0;
        }

        if (size != FlatType.NotFlat && room - head < Math.Max(~size, Math.Min(MaxFlat, FlatBounds.CommonBytes)))
        {
            Span<byte> window = output.GetSpan(head + (~size > room - head ? ~size : FlatBounds.CommonBytes));
            ref byte start = ref MemoryMarshal.GetReference(window);
            size = _flatCode!(ref Unsafe.Add(ref start, head), Math.Min(window.Length - head, MaxFlat), value, tag, known);
            if (size > 0)
            {
                if (head > 0)
                {
                    FrameHeader.Write(ref start, size);
                }

                return head + size;
            }
        }

        _flat = null;
        BeginGivingUp();
        return 0;
    }

    // After some messages that were not flat, the next one is tried again.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void NoteSlow()
    {
        if (!ReferenceEquals(_flat, _flatCode) && EndsGivingUp())
        {
            _flat = _flatCode;
        }
    }

    /// <summary>A standalone message whose plan has been found.</summary>
    private readonly struct Message(WritePlan plan, object value) : IMessage
    {
        public Type RootType => value.GetType();

        public void Write(ref WireWriter writer) => writer.Session.WriteRoot(ref writer, plan, identifier: 0, value);
    }
}
