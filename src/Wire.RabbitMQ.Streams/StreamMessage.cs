using System.Buffers;
using System.Runtime.CompilerServices;
using Wire.RabbitMQ.Streams.Consuming;

namespace Wire.RabbitMQ.Streams;

/// <summary>A message of a stream, where it was received: nothing is copied, and nothing is decoded until it is asked for.</summary>
/// <remarks>
/// Valid until the handler that it was given to has ended, and with it all that was taken from it without a copy. After that its members throw an
/// <see cref="InvalidOperationException"/>. Several threads may read it until then.
/// </remarks>
public readonly struct StreamMessage
{
    private readonly MessageSource? _source;
    private readonly int _start;
    private readonly int _length;

    // How many messages of the chunk are before it.
    private readonly uint _index;
    private readonly uint _generation;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal StreamMessage(MessageSource source, uint generation, int start, int length, uint index)
    {
        _source = source;
        _generation = generation;
        _start = start;
        _length = length;
        _index = index;
    }

    /// <summary>Its number in the stream. Each message has one more than the one before.</summary>
    public ulong Offset => Source.Chunk.Header.FirstOffset + _index;

    /// <summary>When the broker wrote the chunk that it is in, to the millisecond.</summary>
    public DateTimeOffset Timestamp => Source.Chunk.Header.Timestamp;

    /// <summary>The stream that it is from; of a super stream, the partition.</summary>
    public string Stream => Source.Chunk.Stream;

    /// <summary>All of its bytes, as they were published.</summary>
    public ReadOnlyMemory<byte> Body => new(Source.Array, _start, _length);

    /// <summary>All of its bytes, as they were published.</summary>
    public ReadOnlySpan<byte> Span => new(Source.Array, _start, _length);

    /// <summary>All of its bytes, as they were published, in one segment: for what reads sequences.</summary>
    public ReadOnlySequence<byte> Sequence => new(Source.Array, _start, _length);

    /// <summary>Reads the object that it holds: as a Wire payload, alone or in the data section of an AMQP 1.0 message.</summary>
    /// <exception cref="Wire.Amqp.AmqpFormatException">
    /// It is neither of them, or an AMQP 1.0 message whose body is no data, or whose content type or content encoding is another one.
    /// </exception>
    /// <exception cref="WireFormatException">The payload is damaged, or is of another type.</exception>
    /// <exception cref="TypeRefusedException">The payload names a type that is not allowed.</exception>
    public T? Read<T>() => MessagePayload.Read<T>(this, Source.Chunk);

    private MessageSource Source
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            MessageSource? source = _source;
            if (source is null || source.Generation != _generation)
            {
                MessageSource.ThrowNotValid();
            }

            return source;
        }
    }
}
