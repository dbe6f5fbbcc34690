using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Wire.Format;
using Wire.Plans;
using Wire.Sessions;
using Wire.Values;

namespace Wire;

public sealed partial class Serializer
{
    // EstimateSize looks at this many characters of a text to tell Latin-1 from others.
    private const int Sample = 256;

    // For messages of which nothing is known: what a buffer writer is asked for at first.
    private const int CommonBytes = WireWriter.MinWindow;

    // Tags, lengths and the header in front of a text or an array of numbers.
    private const int Head = 12;

    // Null until somebody asks: who does not ask pays nothing.
    private SizeEstimates? _sizes;

    /// <summary>Writes a value, with its types, to a buffer writer.</summary>
    /// <param name="value">The root; may be null.</param>
    /// <param name="output">
    /// The output. A value that fits the first span is advanced over when it is complete, so a failure writes nothing. A larger value that
    /// fails may have advanced over full spans: undo them, or abandon the output. The caller's session, if any, can then no longer be used.
    /// </param>
    /// <returns>
    /// The number of bytes written: at most <see cref="Limits.MaxBytes"/>, which may be set to more than an <see cref="int"/> holds.
    /// </returns>
    /// <example>
    /// <code>
    /// var output = new ArrayBufferWriter&lt;byte>();
    /// serializer.Serialize(order, output);
    /// socket.Send(output.WrittenSpan);
    /// output.ResetWrittenCount(); // the next message takes the same memory
    /// </code>
    /// </example>
    public long Serialize<T>(T value, IBufferWriter<byte> output)
    {
        ArgumentNullException.ThrowIfNull(output);
        if (typeof(T).IsValueType || value is null || _writePlans.FindFor(value) is not { } plan)
        {
            return WriteSlow(value, output);
        }

        return plan.TryWriteFlat(value, output) is > 0 and int size ? size : WritePlanned(plan, value, output);
    }

    /// <inheritdoc cref="Serialize{T}(T, IBufferWriter{byte})"/>
    /// <param name="value">The root; may be null.</param>
    /// <param name="output">Where to write.</param>
    /// <param name="session">The stream of messages that the value belongs to.</param>
    public long Serialize<T>(T value, IBufferWriter<byte> output, SerializerSession session)
    {
        ArgumentNullException.ThrowIfNull(output);
        Check(session);
        if (typeof(T).IsValueType
            || value is null
            || session.FindFlat(value, out byte tag) is not { } plan
            || plan.TryWriteFlat(value, output, tag, session.Types) is not (> 0 and int size))
        {
            return Write(session, value, output);
        }

        session.SendFlat(output, size);
        return size;
    }

    /// <summary>Writes a value, with its types, to a new array.</summary>
    /// <example>
    /// <code>
    /// Message[] batch = [new OrderPlaced(1, "Ada", 19.90m), new OrderShipped(1, 2)];
    /// byte[] payload = serializer.Serialize(batch);
    /// </code>
    /// </example>
    public byte[] Serialize<T>(T value)
    {
        byte[]? bytes = typeof(T).IsValueType || value is null ? null : _writePlans.FindFor(value)?.TryWriteFlat(value);
        return bytes ?? ToArray(ThreadWriting(), value);
    }

    /// <summary>Writes a part of a graph, alone and for a comparison: what it shares with the rest of the graph does not count.</summary>
    internal byte[] SerializePart(object value)
    {
        if (_writePlans.FindFor(value)?.TryWriteFlat(value) is { } bytes)
        {
            return bytes;
        }

        SerializerSession session = ThreadWriting();
        session.IsPart = true;
        try
        {
            return ToArray(session, value);
        }
        finally
        {
            session.IsPart = false;
        }
    }

    /// <inheritdoc cref="Serialize{T}(T)"/>
    public byte[] Serialize<T>(T value, SerializerSession session)
    {
        Check(session);
        byte[]? bytes = typeof(T).IsValueType || value is null ? null
            : session.FindFlat(value, out byte tag)?.TryWriteFlat(value, tag, session.Types);
        return bytes ?? ToArray(session, value);
    }

    /// <summary>
    /// Writes a value, with its types, to a stream: in one piece when it is complete, or, if larger than 64 KiB, in pieces of at least that
    /// size. A smaller value that fails writes nothing to the stream. A larger one that fails may have written some pieces: the stream then
    /// holds an unreadable value, and the caller's session, if any, can no longer be used.
    /// </summary>
    /// <example>
    /// <code>
    /// using FileStream file = File.Create("order.bin");
    /// serializer.Serialize(order, file);
    /// </code>
    /// </example>
    public void Serialize<T>(T value, Stream stream)
    {
        ArgumentNullException.ThrowIfNull(stream);
        if (typeof(T).IsValueType
            || value is null
            || _writePlans.FindFor(value) is not { } plan
            || !plan.TryWriteFlat(value, stream, tag: 0, session: null))
        {
            ToStream(ThreadWriting(), value, stream);
        }
    }

    /// <inheritdoc cref="Serialize{T}(T, Stream)"/>
    public void Serialize<T>(T value, Stream stream, SerializerSession session)
    {
        ArgumentNullException.ThrowIfNull(stream);
        Check(session);
        if (typeof(T).IsValueType
            || value is null
            || session.FindFlat(value, out byte tag) is not { } plan
            || !plan.TryWriteFlat(value, stream, tag, session))
        {
            ToStream(session, value, stream);
        }
    }

    /// <summary>
    /// Writes a value without the manifest of its root, for readers that know <typeparamref name="T"/> and use <see
    /// cref="DeserializeTyped{T}(ReadOnlySpan{byte})"/>. A fingerprint of four bytes turns a mismatch into a clear error.
    /// </summary>
    /// <inheritdoc cref="Serialize{T}(T, IBufferWriter{byte})" path="/param|/returns"/>
    public long SerializeTyped<T>(T value, IBufferWriter<byte> output)
    {
        ArgumentNullException.ThrowIfNull(output);
        if (typeof(T).IsValueType
            || value is null
            || _typedPlans.FindFor(value) is not TypedPlan<T> { Writer: { } plan })
        {
            return WriteTypedSlow(value, output);
        }

        return plan.TryWriteFlat(value, output) is > 0 and int size ? size : plan.Write(value, output);
    }

    /// <inheritdoc cref="SerializeTyped{T}(T, IBufferWriter{byte})"/>
    public long SerializeTyped<T>(T value, IBufferWriter<byte> output, SerializerSession session)
    {
        ArgumentNullException.ThrowIfNull(output);
        Check(session);
        if (typeof(T).IsValueType
            || value is null
            || !session.IsReady
            || _typedPlans.FindFor(value) is not TypedPlan<T> { SessionWriter: { } plan }
            || plan.TryWriteFlat(value, output, tag: 0, session.Types) is not (> 0 and int size))
        {
            return WriteTyped(session, value, output);
        }

        session.SendFlat(output, size);
        return size;
    }

    /// <inheritdoc cref="SerializeTyped{T}(T, IBufferWriter{byte})"/>
    /// <example>
    /// <code>
    /// byte[] payload = serializer.SerializeTyped(order); // without the name of the type, which both sides know
    /// OrderPlaced? copy = serializer.DeserializeTyped&lt;OrderPlaced>(payload);
    /// </code>
    /// </example>
    public byte[] SerializeTyped<T>(T value)
    {
        byte[]? bytes = typeof(T).IsValueType || value is null ? null
            : (_typedPlans.FindFor(value) as TypedPlan<T>)?.Writer?.TryWriteFlat(value);
        return bytes ?? ThreadWriting().ToArray(new MessageRoot<T>(value, isTyped: true));
    }

    /// <inheritdoc cref="SerializeTyped{T}(T, IBufferWriter{byte})"/>
    public byte[] SerializeTyped<T>(T value, SerializerSession session)
    {
        Check(session);
        byte[]? bytes = typeof(T).IsValueType || value is null || !session.IsReady ? null
            : (_typedPlans.FindFor(value) as TypedPlan<T>)?.SessionWriter?.TryWriteFlat(value, tag: 0, session.Types);
        return bytes ?? session.ToArray(new MessageRoot<T>(value, isTyped: true));
    }

    /// <summary>
    /// Estimates the number of bytes that <see cref="Serialize{T}(T, System.Buffers.IBufferWriter{byte})"/> writes without a session, as a
    /// hint for the first piece of memory. It is no bound: the message may take more or less. Thread-safe.
    /// </summary>
    /// <remarks>
    /// For a small tree of objects (at most 8 KiB, members of their declared types, no shared references) whose class was written before it
    /// is exact, and costs what writing it once more to memory costs. Otherwise it is what messages with a root of the same type took
    /// since the first estimate, nearer to the larger ones, up to 1 MiB: 256 bytes until there was one. For text and arrays of numbers it
    /// is taken from their length. A value type is never gone through, nor a graph of more than 8 KiB, and nothing is allocated once the
    /// type is known. With a session, messages take less by their definitions of types.
    /// </remarks>
    /// <param name="value">The root; may be null.</param>
    /// <returns>The estimate, at least 1.</returns>
    public int EstimateSize<T>(T value)
    {
        if (value is null)
        {
            return 2;
        }

        int size = typeof(T).IsValueType ? 0 : _writePlans.FindFor(value)?.MeasureFlat(value) ?? 0;
        return size > 0 ? size : EstimateSlow(value, ~size);
    }

    // Beyond a flat message its text decides, which may take one byte for each character or two.
    private int EstimateSlow<T>(T value, int most)
    {
        if (value is string text)
        {
            return (int)Math.Min(Array.MaxLength, Head + ((long)text.Length << (IsNarrow(text) ? 0 : 1)));
        }

        if (value is Array array && array.GetType().GetElementType()!.IsPrimitive)
        {
            return (int)Math.Min(Array.MaxLength, Head + (long)Buffer.ByteLength(array));
        }

        SizeEstimates sizes = _sizes ?? LazyInitializer.EnsureInitialized(ref _sizes, static () => new());
        int before = sizes.Find(value!.GetType());
        return before > 0 ? Math.Max(before, most / 2) : Math.Max(most, CommonBytes);
    }

    [SkipLocalsInit]
    private static bool IsNarrow(string text)
    {
        Span<byte> narrowed = stackalloc byte[Sample];
        return Latin1.TryNarrow(
            ref Unsafe.AsRef(in text.GetPinnableReference()), Math.Min(text.Length, Sample), ref MemoryMarshal.GetReference(narrowed));
    }

    // Out of line: so the code for messages with a plan needs no large stack frame.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private long WriteSlow<T>(T value, IBufferWriter<byte> output) => Write(ThreadWriting(), value, output);

    // The three methods below separate references from value types that are not nullable: the code for the latter is compiled per type and
    // boxes nothing. The condition is a constant to the JIT.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static long Write<T>(SerializerSession session, T value, IBufferWriter<byte> output)
    {
        long size = default(T) is not null
            ? session.ToBufferWriter(new MessageRoot<T>(value), output)
            : session.ToBufferWriter(new MessageRoot<object?>(value), output);
        if (session.Serializer._sizes is { } sizes)
        {
            sizes.Add(value, size);
        }

        return size;
    }

    private long WritePlanned(WritePlan plan, object value, IBufferWriter<byte> output)
    {
        long size = plan.Write(value, output);
        _sizes?.Add(value, size);
        return size;
    }

    private static byte[] ToArray<T>(SerializerSession session, T value)
    {
        byte[] bytes = default(T) is not null
            ? session.ToArray(new MessageRoot<T>(value))
            : session.ToArray(new MessageRoot<object?>(value));
        session.Serializer._sizes?.Add(value, bytes.Length);
        return bytes;
    }

    private static void ToStream<T>(SerializerSession session, T value, Stream stream)
    {
        long size = default(T) is not null
            ? session.ToStream(new MessageRoot<T>(value), stream)
            : session.ToStream(new MessageRoot<object?>(value), stream);
        session.Serializer._sizes?.Add(value, size);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private long WriteTypedSlow<T>(T value, IBufferWriter<byte> output) => WriteTyped(ThreadWriting(), value, output);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static long WriteTyped<T>(SerializerSession session, T value, IBufferWriter<byte> output) =>
        session.ToBufferWriter(new MessageRoot<T>(value, isTyped: true), output);
}
