using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Wire.Amqp.Errors;
using Wire.Amqp.Primitives;
using Wire.Amqp.V091.Content;
using Wire.Amqp.V091.Frames;
using Wire.Amqp.V091.Methods;

namespace Wire.Amqp.V091;

/// <summary>A frame in the input (AMQP 0-9-1 section 4.2.3), without a copy.</summary>
/// <remarks>
/// A view, valid as long as the input, like everything read from it: tables, and texts that have not been converted to strings. Thread-safe
/// while the bytes are not modified.
/// </remarks>
public readonly struct Frame
{
    // The payload in one of two forms: nearly every frame is contiguous, and a sequence is expensive to make.
    private readonly byte[]? _array;
    private readonly int _start;
    private readonly int _length;
    private readonly ReadOnlySequence<byte> _segments;

    internal Frame(FrameType type, ushort channel, byte[] array, int start, int length, long offset)
    {
        Type = type;
        Channel = channel;
        Offset = offset;
        _array = array;
        _start = start;
        _length = length;
    }

    internal Frame(FrameType type, ushort channel, in ReadOnlySequence<byte> payload, long offset)
    {
        Type = type;
        Channel = channel;
        Offset = offset;
        if (payload.IsSingleSegment && MemoryMarshal.TryGetArray(payload.First, out ArraySegment<byte> segment))
        {
            (_array, _start, _length) = (segment.Array, segment.Offset, segment.Count);
        }
        else
        {
            _segments = payload;
        }
    }

    /// <summary>Gets the kind of the frame.</summary>
    public FrameType Type { get; }

    /// <summary>The channel; 0 is the connection itself.</summary>
    public ushort Channel { get; }

    /// <summary>Gets the position of the frame, in bytes from the beginning of the input.</summary>
    public long Offset { get; }

    /// <summary>Gets the number of bytes of payload.</summary>
    public long PayloadLength => _array is null ? _segments.Length : _length;

    /// <summary>Gets the bytes between the frame's header and its end octet: of a body frame, the bytes of the body.</summary>
    public ReadOnlySequence<byte> Payload => _array is null ? _segments : new ReadOnlySequence<byte>(_array, _start, _length);

    /// <summary>The method in the frame; 0 if there is none. It may be one that the protocol does not define.</summary>
    /// <exception cref="AmqpFormatException">The payload is too short for a method.</exception>
    public MethodId MethodId => Type == FrameType.Method ? (MethodId)ReadId() : 0;

    /// <summary>Reads the method that the frame carries.</summary>
    /// <typeparam name="TMethod">The method that is expected, such as the one that <see cref="MethodId"/> names.</typeparam>
    /// <exception cref="AmqpFormatException">It carries another one or none, or its arguments do not fill the frame exactly.</exception>
    public TMethod ReadMethod<TMethod>()
        where TMethod : struct, IMethod<TMethod>
    {
        if (Type != FrameType.Method)
        {
            ThrowUnexpected(TMethod.Id);
        }

        ArrayReader reader = Open();
        uint id = reader.Read<uint>();
        if (id != (uint)TMethod.Id)
        {
            ThrowUnexpected(TMethod.Id);
        }

        var arguments = new ReadArguments(reader);
        TMethod method = default;
        TMethod.Arguments(ref method, ref arguments);
        arguments.Finish();
        return method;
    }

    /// <summary>Reads the content header that the frame carries.</summary>
    /// <exception cref="AmqpFormatException">It carries none, or the properties do not fill the frame exactly.</exception>
    public ContentHeader ReadContentHeader()
    {
        if (Type != FrameType.Header)
        {
            ThrowUnexpected("a content header");
        }

        ArrayReader reader = Open();
        ContentHeader header = default;
        header.BodySize = ReadBodySize(ref reader);
        var properties = new ReadProperties(reader);
        BasicProperties.Properties(ref header.Properties, ref properties);
        properties.Finish();
        return header;
    }

    /// <summary>Reads the size of the body from a content header.</summary>
    internal ulong ReadBodySize()
    {
        ArrayReader reader = Open();
        return ReadBodySize(ref reader);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong ReadBodySize(ref ArrayReader reader)
    {
        ushort classId = reader.Read<ushort>();
        if (classId != ContentHeader.ClassId)
        {
            ThrowOtherClass(reader.Offset - sizeof(ushort), classId);
        }

        reader.Read<ushort>();
        return reader.Read<ulong>();
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ArrayReader Open() =>
        _array is null ? OpenSegments() : new ArrayReader(_array, _start, _length, Offset + FrameLayout.Header);

    // Without a copy of the payload, even across segments.
    private uint ReadId() => _array is null
        ? new AmqpReader(_segments, Offset + FrameLayout.Header) { IsWhole = true }.Read<uint>()
        : Open().Read<uint>();

    // Out of line: few frames span segments. The parts of such a frame that can be kept are copied at once.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private ArrayReader OpenSegments()
    {
        if (_segments.Length > Array.MaxLength)
        {
            ThrowHelper.Format(
                AmqpFormatError.Frame, Offset, $"Expected a frame that memory can hold, found one of {_segments.Length} bytes");
        }

        byte[] payload = _segments.ToArray();
        return new ArrayReader(payload, 0, payload.Length, Offset + FrameLayout.Header);
    }

    // Out of line: the texts are made only when they are needed.
    [DoesNotReturn]
    private static void ThrowOtherClass(long offset, ushort classId) => throw new AmqpFormatException(
        AmqpFormatError.UnknownCode,
        offset,
        $"Expected a content header of the class basic (60), found one of the class {classId}");

    [DoesNotReturn]
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void ThrowUnexpected(MethodId expected) => ThrowUnexpected(expected.ToString());

    [DoesNotReturn]
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void ThrowUnexpected(string expected) => ThrowHelper.Format(
        AmqpFormatError.UnexpectedType,
        Offset,
        $"Expected {expected}, found {(Type == FrameType.Method ? Describe(MethodId) : $"a frame of type {Type}")} on channel {Channel}");

    private static string Describe(MethodId id) =>
        Enum.IsDefined(id) ? id.ToString() : $"the unknown method {(uint)id >> 16}.{(ushort)id}";
}

/// <summary>The kind of a frame (AMQP 0-9-1 section 4.2.3).</summary>
public enum FrameType : byte
{
    /// <summary>A method with its arguments.</summary>
    Method = 1,

    /// <summary>The content header of a message: the size of its body, and its properties.</summary>
    Header = 2,

    /// <summary>The body of a message or a part of it.</summary>
    Body = 3,

    /// <summary>No payload: a sign of life, on channel 0.</summary>
    Heartbeat = 8,
}
