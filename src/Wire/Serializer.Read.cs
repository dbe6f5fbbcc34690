using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Wire.Buffers;
using Wire.Format;
using Wire.Plans;
using Wire.Values;

namespace Wire;

public sealed partial class Serializer
{
    /// <summary>Reads the one value that the payload holds.</summary>
    /// <typeparam name="T">
    /// The type of the value, or a base class or interface of it; the payload may name the types that its members declare.
    /// </typeparam>
    /// <exception cref="WireFormatException">The bytes are not such a payload, or more bytes follow it.</exception>
    /// <exception cref="TypeRefusedException">The payload names a type that is not allowed.</exception>
    public T? Deserialize<T>(ReadOnlySpan<byte> payload) => ReadWhole<T>(payload);

    /// <inheritdoc cref="Deserialize{T}(ReadOnlySpan{byte})"/>
    public T? Deserialize<T>(ReadOnlySpan<byte> payload, DeserializerSession session)
    {
        Check(session);
        return ReadWhole<T>(payload, session);
    }

    /// <summary>Reads the value at the beginning of the bytes; others may follow.</summary>
    /// <param name="payload">The bytes.</param>
    /// <param name="consumed">The number of bytes that the value takes.</param>
    /// <exception cref="WireFormatException">The bytes do not begin with such a payload.</exception>
    /// <exception cref="TypeRefusedException">The payload names a type that is not allowed.</exception>
    public T? Deserialize<T>(ReadOnlySpan<byte> payload, out int consumed)
    {
        T? value = ReadFirst<T>(payload, out int unread);
        consumed = payload.Length - unread;
        return value;
    }

    /// <inheritdoc cref="Deserialize{T}(ReadOnlySpan{byte}, out int)"/>
    /// <param name="payload">The bytes.</param>
    /// <param name="session">The stream of messages that the value belongs to.</param>
    /// <param name="consumed">The number of bytes that the value takes.</param>
    public T? Deserialize<T>(ReadOnlySpan<byte> payload, DeserializerSession session, out int consumed)
    {
        Check(session);
        T? value = ReadFirst<T>(payload, session, out int unread);
        consumed = payload.Length - unread;
        return value;
    }

    /// <inheritdoc cref="Deserialize{T}(ReadOnlySpan{byte})"/>
    /// <example>
    /// <code>
    /// Message? message = serializer.Deserialize&lt;Message>(payload); // a class that derives from it, where the filter allows it
    /// </code>
    /// </example>
    public T? Deserialize<T>(byte[] payload)
    {
        ArgumentNullException.ThrowIfNull(payload);
        return Deserialize<T>(payload.AsSpan());
    }

    /// <inheritdoc cref="Deserialize{T}(ReadOnlySpan{byte})"/>
    public T? Deserialize<T>(byte[] payload, DeserializerSession session)
    {
        ArgumentNullException.ThrowIfNull(payload);
        return Deserialize<T>(payload.AsSpan(), session);
    }

    /// <inheritdoc cref="Deserialize{T}(ReadOnlySpan{byte})"/>
    public T? Deserialize<T>(ReadOnlyMemory<byte> payload) => Deserialize<T>(payload.Span);

    /// <inheritdoc cref="Deserialize{T}(ReadOnlySpan{byte})"/>
    public T? Deserialize<T>(ReadOnlyMemory<byte> payload, DeserializerSession session) => Deserialize<T>(payload.Span, session);

    /// <summary>Reads the one value in a sequence of segments, without joining the segments.</summary>
    /// <inheritdoc cref="Deserialize{T}(ReadOnlySpan{byte})"/>
    public T? Deserialize<T>(in ReadOnlySequence<byte> payload) =>
        SequenceMarshal.TryGetArray(payload, out ArraySegment<byte> array) ? ReadWhole<T>(array)
        : payload.IsSingleSegment ? ReadWhole<T>(payload.FirstSpan)
        : FromSequence<T>(payload, ThreadReading());

    /// <inheritdoc cref="Deserialize{T}(in ReadOnlySequence{byte})"/>
    public T? Deserialize<T>(in ReadOnlySequence<byte> payload, DeserializerSession session)
    {
        Check(session);
        return SequenceMarshal.TryGetArray(payload, out ArraySegment<byte> array) ? ReadWhole<T>(array, session)
            : payload.IsSingleSegment ? ReadWhole<T>(payload.FirstSpan, session)
            : FromSequence<T>(payload, session);
    }

    /// <summary>
    /// Reads one value from a stream and leaves the stream directly after it, whether it can seek or not. A stream that cannot seek is
    /// never asked for a byte more than the value needs; for many small messages over a connection, <see
    /// cref="DeserializeAllFramedAsync{T}(Stream, CancellationToken)"/> needs fewer calls. After a failure, a stream that can seek is
    /// returned to the beginning of the value; any other is left inside the value and cannot be read any further.
    /// </summary>
    /// <inheritdoc cref="Deserialize{T}(ReadOnlySpan{byte})"/>
    /// <example>
    /// <code>
    /// using FileStream file = File.OpenRead("order.bin");
    /// OrderPlaced? order = serializer.Deserialize&lt;OrderPlaced>(file);
    /// </code>
    /// </example>
    public T? Deserialize<T>(Stream stream)
    {
        ArgumentNullException.ThrowIfNull(stream);
        return MemoryWindow.IsOver(stream) ? FromMemory<T>((MemoryStream)stream) : FromStream<T>(stream, ThreadReading());
    }

    /// <inheritdoc cref="Deserialize{T}(Stream)"/>
    public T? Deserialize<T>(Stream stream, DeserializerSession session)
    {
        ArgumentNullException.ThrowIfNull(stream);
        Check(session);
        return MemoryWindow.IsOver(stream) ? FromMemory<T>((MemoryStream)stream, session) : FromStream<T>(stream, session);
    }

    /// <summary>Reads what <see cref="SerializeTyped{T}(T, IBufferWriter{byte})"/> wrote as the same <typeparamref name="T"/>.</summary>
    /// <exception cref="WireFormatException">
    /// The bytes are not such a payload, or the writer's <typeparamref name="T"/> has another schema.
    /// </exception>
    /// <exception cref="TypeRefusedException">The payload names a type that is not allowed.</exception>
    public T? DeserializeTyped<T>(ReadOnlySpan<byte> payload)
    {
        if (!typeof(T).IsValueType && _typedPlans.GuessReader(payload, 0) is ReadPlan<T> plan
            && plan.TryReadFlat(payload, null) is { } value)
        {
            return Unsafe.As<object, T>(ref value);
        }

        return ReadTyped<T>(ThreadReading(), payload);
    }

    /// <inheritdoc cref="DeserializeTyped{T}(ReadOnlySpan{byte})"/>
    public T? DeserializeTyped<T>(ReadOnlySpan<byte> payload, DeserializerSession session)
    {
        Check(session);
        if (!typeof(T).IsValueType
            && session.IsReady
            && _typedPlans.GuessReader(payload, PayloadHeader.Session) is ReadPlan<T> plan
            && plan.TryReadFlat(payload, session) is { } value)
        {
            return Unsafe.As<object, T>(ref value);
        }

        return ReadTyped<T>(session, payload);
    }

    private static T FromSequence<T>(in ReadOnlySequence<byte> payload, DeserializerSession session)
    {
        session.CheckFree();
        SequenceInput input = session.Sequence;
        input.Attach(payload);
        return ReadSlow<T>(session, default, input, whole: true, out _);
    }

    private static T FromStream<T>(Stream stream, DeserializerSession session)
    {
        session.CheckFree();
        StreamInput input = session.Stream;
        long start = stream.CanSeek ? stream.Position : -1;
        input.Attach(stream);
        try
        {
            return ReadSlow<T>(session, default, input, whole: false, out _);
        }
        catch (Exception e)
        {
            (e as WireFormatException)?.TellEmpty(WireFormatException.AtEndOfStream);
            PutBack(stream, start);
            throw;
        }
    }

    private T? FromMemory<T>(MemoryStream stream)
    {
        ReadOnlySpan<byte> rest = MemoryWindow.Open(stream, out int start);
        if (!typeof(T).IsValueType
            && _readPlans.Guess(rest) is ReadPlan<T> plan
            && plan.TryReadFirstFlat(rest, null, out int unread) is { } value)
        {
            stream.Position = start + rest.Length - unread;
            return Unsafe.As<object, T>(ref value);
        }

        return FromMemorySlow<T>(ThreadReading(), stream, start, rest);
    }

    private static T? FromMemory<T>(MemoryStream stream, DeserializerSession session)
    {
        ReadOnlySpan<byte> rest = MemoryWindow.Open(stream, out int start);
        if (!typeof(T).IsValueType
            && session.FindFlat(rest) is ReadPlan<T> plan
            && plan.TryReadFirstFlat(rest, session, out int unread) is { } value)
        {
            stream.Position = start + rest.Length - unread;
            return Unsafe.As<object, T>(ref value);
        }

        return FromMemorySlow<T>(session, stream, start, rest);
    }

    // The program's code, which runs meanwhile, may have moved the stream.
    private static T? FromMemorySlow<T>(DeserializerSession session, MemoryStream stream, int start, ReadOnlySpan<byte> rest)
    {
        try
        {
            T? value = ReadAny<T>(session, rest, whole: false, out int unread);
            stream.Position = start + rest.Length - unread;
            return value;
        }
        catch (Exception e)
        {
            (e as WireFormatException)?.TellEmpty(WireFormatException.AtEndOfStream);
            PutBack(stream, start);
            throw;
        }
    }

    private static void PutBack(Stream stream, long start)
    {
        if (start < 0)
        {
            return;
        }

        try
        {
            stream.Position = start;
        }
        catch (Exception e) when (e is IOException or ObjectDisposedException or NotSupportedException)
        {
            // The stream cannot seek after all: the first exception says why.
        }
    }

    // All that lies in one piece of memory is read by one of these four, or as they do: what began as an earlier message did, and is flat,
    // takes no session of a thread.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private T? ReadWhole<T>(ReadOnlySpan<byte> payload)
    {
        if (!typeof(T).IsValueType && _readPlans.Guess(payload) is ReadPlan<T> plan && plan.TryReadFlat(payload, null) is { } value)
        {
            return Unsafe.As<object, T>(ref value);
        }

        return ReadAny<T>(ThreadReading(), payload, whole: true, out _);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static T? ReadWhole<T>(ReadOnlySpan<byte> payload, DeserializerSession session)
    {
        if (!typeof(T).IsValueType && session.FindFlat(payload) is ReadPlan<T> plan && plan.TryReadFlat(payload, session) is { } value)
        {
            return Unsafe.As<object, T>(ref value);
        }

        return ReadAny<T>(session, payload, whole: true, out _);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private T? ReadFirst<T>(ReadOnlySpan<byte> bytes, out int unread)
    {
        if (!typeof(T).IsValueType
            && _readPlans.Guess(bytes) is ReadPlan<T> plan
            && plan.TryReadFirstFlat(bytes, null, out unread) is { } value)
        {
            return Unsafe.As<object, T>(ref value);
        }

        return ReadAny<T>(ThreadReading(), bytes, whole: false, out unread);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static T? ReadFirst<T>(ReadOnlySpan<byte> bytes, DeserializerSession session, out int unread)
    {
        if (!typeof(T).IsValueType
            && session.FindFlat(bytes) is ReadPlan<T> plan
            && plan.TryReadFirstFlat(bytes, session, out unread) is { } value)
        {
            return Unsafe.As<object, T>(ref value);
        }

        return ReadAny<T>(session, bytes, whole: false, out unread);
    }

    // The common beginning of messages is compared, and only the rest is read. The conditions on the type are constants to the JIT.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static T? ReadAny<T>(DeserializerSession session, ReadOnlySpan<byte> payload, bool whole, out int unread)
    {
        if (!typeof(T).IsValueType && !session.IsLasting
            && session.Serializer._readPlans.FindDisplaced(payload) is ReadPlan<T> displaced
            && displaced.TryReadFirstFlat(payload, null, out unread) is { } flat
            && !(whole && unread != 0))
        {
            return Unsafe.As<object, T>(ref flat);
        }

        if (!typeof(T).IsValueType && session.FindPlan<T>(payload) is { } plan)
        {
            object value = session.Read(plan, payload, whole, out unread);
            return Unsafe.As<object, T>(ref value);
        }

        return ReadSlow<T>(session, payload, null, whole, out unread);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static T ReadTyped<T>(DeserializerSession session, ReadOnlySpan<byte> payload)
    {
        byte kind = session.IsLasting ? PayloadHeader.Session : (byte)0;
        TypedPlans plans = session.Serializer._typedPlans;
        if (!typeof(T).IsValueType
            && plans.GuessReader(payload, kind) is ReadPlan<T> plan
            && plan.Begins(payload))
        {
            object value = session.Read(plan, payload, whole: true, out _);
            return Unsafe.As<object, T>(ref value);
        }

        if (!typeof(T).IsValueType
            && session.IsReady
            && plans.FindReader<T>(session.IsLasting) is { } displaced
            && displaced.Begins(payload))
        {
            object value = displaced.TryReadFlat(payload, session.IsLasting ? session : null)
                ?? session.Read(displaced, payload, whole: true, out _);
            return Unsafe.As<object, T>(ref value);
        }

        return session.Read<T>(typeof(T), isTyped: true, payload, null, whole: true, out _);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static T ReadSlow<T>(DeserializerSession session, ReadOnlySpan<byte> payload, Input? input, bool whole, out int unread)
    {
        if (typeof(T).IsValueType)
        {
            return session.Read<T>(typeof(T), isTyped: false, payload, input, whole, out unread);
        }

        object? value = session.Read<object?>(typeof(T), isTyped: false, payload, input, whole, out unread);
        if (value is not null && !ObjectFormat.Fits<T>(value))
        {
            session.RefuseRoot<T>(value);
        }

        session.KeepPlan<T>();
        return (T)value!;
    }
}
