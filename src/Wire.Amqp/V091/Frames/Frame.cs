using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Wire.Amqp.V091;

/// <summary>A frame as it lies in the input (AMQP 0-9-1 section 4.2.3): nothing has been copied.</summary>
/// <remarks>
/// A view, valid as long as the input is, and with it what is read from it: tables, and texts that have not been made strings.
/// Thread-safe as far as nobody changes those bytes.
/// </remarks>
public readonly struct Frame
{
    // The payload in one of two ways: nearly every frame lies in one segment, and a sequence is dear to make.
    private readonly ReadOnlyMemory<byte> _memory;
    private readonly ReadOnlySequence<byte> _segments;

    internal Frame(FrameType type, ushort channel, ReadOnlyMemory<byte> payload, long offset)
    {
        Type = type;
        Channel = channel;
        Offset = offset;
        _memory = payload;
    }

    internal Frame(FrameType type, ushort channel, in ReadOnlySequence<byte> payload, long offset)
    {
        Type = type;
        Channel = channel;
        Offset = offset;
        if (payload.IsSingleSegment)
        {
            _memory = payload.First;
        }
        else
        {
            _segments = payload;
        }
    }

    /// <summary>What the frame carries.</summary>
    public FrameType Type { get; }

    /// <summary>The channel; 0 is the connection itself.</summary>
    public ushort Channel { get; }

    /// <summary>Where the frame begins, in bytes from the beginning of the input.</summary>
    public long Offset { get; }

    /// <summary>How many bytes of payload there are.</summary>
    public long PayloadLength => _segments.IsEmpty ? _memory.Length : _segments.Length;

    /// <summary>What stands between the envelope's beginning and its end octet: of a body frame, the bytes of the body.</summary>
    public ReadOnlySequence<byte> Payload => _segments.IsEmpty ? new ReadOnlySequence<byte>(_memory) : _segments;

    /// <summary>Which method the frame carries; 0 when it carries none. It may be one that the protocol does not have.</summary>
    /// <exception cref="AmqpFormatException">The payload is too short for a method.</exception>
    public MethodId MethodId => Type == FrameType.Method ? (MethodId)Open().Read<uint>() : 0;

    /// <summary>Reads the method that the frame carries.</summary>
    /// <typeparam name="TMethod">The method that is expected, such as the one that <see cref="MethodId"/> names.</typeparam>
    /// <exception cref="AmqpFormatException">It carries another one or none, or its arguments do not fill the frame exactly.</exception>
    public TMethod ReadMethod<TMethod>()
        where TMethod : struct, IMethod<TMethod>
    {
        if (Type != FrameType.Method)
        {
            ThrowUnexpected(TMethod.Id.ToString());
        }

        AmqpReader reader = Open();
        uint id = reader.Read<uint>();
        if (id != (uint)TMethod.Id)
        {
            ThrowUnexpected(TMethod.Id.ToString());
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

        AmqpReader reader = Open();
        ContentHeader header = default;
        header.BodySize = ReadBodySize(ref reader);
        var properties = new ReadProperties(reader);
        BasicProperties.Properties(ref header.Properties, ref properties);
        properties.Finish();
        return header;
    }

    /// <summary>Reads of a content header how large the body is.</summary>
    internal ulong ReadBodySize()
    {
        AmqpReader reader = Open();
        return ReadBodySize(ref reader);
    }

    private static ulong ReadBodySize(ref AmqpReader reader)
    {
        ushort classId = reader.Read<ushort>();
        if (classId != ContentHeader.ClassId)
        {
            Throw.Format(AmqpFormatError.UnknownCode, reader.Offset - sizeof(ushort), $"Expected a content header of the class basic (60), found one of the class {classId}");
        }

        reader.Skip(sizeof(ushort));
        return reader.Read<ulong>();
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private AmqpReader Open() => _segments.IsEmpty
        ? new AmqpReader(_memory, Offset + FrameLayout.Header) { IsWhole = true }
        : new AmqpReader(_segments, Offset + FrameLayout.Header) { IsWhole = true };

    // Out of line: the texts are made only when they are needed.
    [DoesNotReturn]
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void ThrowUnexpected(string expected) => Throw.Format(
        AmqpFormatError.UnexpectedType,
        Offset,
        $"Expected {expected}, found {(Type == FrameType.Method ? Describe(MethodId) : $"a frame of type {Type}")} on channel {Channel}");

    private static string Describe(MethodId id) =>
        Enum.IsDefined(id) ? id.ToString() : $"the unknown method {(uint)id >> 16}.{(ushort)id}";
}
