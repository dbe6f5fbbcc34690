using System.Buffers;
using System.Globalization;
using System.Runtime.CompilerServices;
using Wire.Amqp;
using Wire.Amqp.V10;
using Wire.RabbitMQ.Streams.Chunks;

namespace Wire.RabbitMQ.Streams;

/// <summary>A message of a stream, where it was received: nothing is copied, and nothing is decoded until it is asked for.</summary>
/// <remarks>
/// Valid until the handler that it was given to has ended, and with it all that was taken from it without a copy. After that its members
/// throw an
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

    private StreamMessage(MessageSource source) => _source = source;

    /// <summary>
    /// Puts a message into a place of an array that had messages of the same source before, nearly always: storing a reference once more
    /// would take longer than all the rest.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void Put(ref StreamMessage place, MessageSource source, uint generation, int start, int length, uint index)
    {
        if (place._source != source)
        {
            place = new StreamMessage(source);
        }

        Unsafe.AsRef(in place._start) = start;
        Unsafe.AsRef(in place._length) = length;
        Unsafe.AsRef(in place._index) = index;
        Unsafe.AsRef(in place._generation) = generation;
    }

    /// <summary>Its number in the stream. Each message has one more than the one before.</summary>
    public ulong Offset => Source.Chunk.Header.FirstOffset + _index;

    /// <summary>Gets the number of messages of its chunk that are before it.</summary>
    internal uint Index => _index;

    /// <summary>Gets the time at which the broker wrote its chunk, to the millisecond.</summary>
    public DateTimeOffset Timestamp => Source.Chunk.Header.Timestamp;

    /// <summary>The stream that it is from; of a super stream, the partition.</summary>
    public string Stream => Source.Chunk.Stream;

    /// <summary>Gets all of its bytes, as they were published.</summary>
    public ReadOnlyMemory<byte> Body => new(Source.Array, _start, _length);

    /// <summary>Gets all of its bytes, as they were published.</summary>
    public ReadOnlySpan<byte> Span => new(Source.Array, _start, _length);

    /// <summary>Gets all of its bytes, as they were published, as a sequence of one segment.</summary>
    public ReadOnlySequence<byte> Sequence => new(Source.Array, _start, _length);

    /// <summary>
    /// Gets whether it consists of sections, as it begins like an AMQP 1.0 message does. Most clients write such messages; what this is
    /// false for is bytes of any kind, such as a Wire payload. Bytes of any kind may begin like that too, by chance.
    /// </summary>
    public bool HasSections => MessageSections.AreIn(Span);

    /// <summary>
    /// Goes through its sections, as an AMQP 1.0 message. Offsets in errors count from the beginning of the message.
    /// </summary>
    public MessageReader Sections => new(Body);

    /// <summary>
    /// Reads the object that it holds: a Wire payload, alone or as the data of an AMQP 1.0 message, which may say that it is compressed.
    /// </summary>
    /// <exception cref="AmqpFormatException">
    /// It is neither of them, or an AMQP 1.0 message whose body is not data, or whose content type or encoding is another one.
    /// </exception>
    /// <exception cref="WireFormatException">The payload is damaged, or holds what the serializer refuses.</exception>
    /// <exception cref="TypeRefusedException">The payload names a type that is not allowed.</exception>
    public T? Read<T>() => MessageObject.Read<T>(this, Source.Chunk);

    /// <summary>
    /// Gets a view of the properties of an AMQP 1.0 message, which reads the field that is asked for: for one or two of them. <see
    /// cref="ReadProperties"/> reads all at once.
    /// </summary>
    public StreamProperties Properties => new(this);

    /// <summary>
    /// Reads one of the application properties of an AMQP 1.0 message, by its key, which is text; the first one of several.
    /// </summary>
    /// <returns>Whether it has one.</returns>
    /// <exception cref="AmqpFormatException">It is no AMQP 1.0 message, or damaged.</exception>
    public bool TryGetApplicationProperty(string key, out AmqpValue value)
    {
        ArgumentNullException.ThrowIfNull(key);
        return SectionValues.TryFindProperty(this, key, out value);
    }

    /// <summary>Reads the properties of an AMQP 1.0 message; all fields are absent where it has none.</summary>
    /// <exception cref="AmqpFormatException">It is no AMQP 1.0 message, or damaged.</exception>
    public Properties ReadProperties() => MessageSections.Find(this, out Properties properties) ? properties : default;

    /// <summary>Reads the application properties of an AMQP 1.0 message; none where it has none.</summary>
    /// <exception cref="AmqpFormatException">It is no AMQP 1.0 message, or damaged.</exception>
    public AmqpMap ReadApplicationProperties() =>
        MessageSections.Find(this, out ApplicationProperties properties) ? properties.Map : default;

    /// <summary>
    /// Reads the body of an AMQP 1.0 message that is data: a view, unless it is in several sections, which are joined then.
    /// </summary>
    /// <exception cref="AmqpFormatException">It is not a valid AMQP 1.0 message, or its body is not a data section.</exception>
    public ReadOnlyMemory<byte> ReadData() => MessageSections.ReadData(this);

    /// <summary>Reads the body of an AMQP 1.0 message that is one value.</summary>
    /// <exception cref="AmqpFormatException">It is not a valid AMQP 1.0 message, or its body is not a value section.</exception>
    public AmqpValue ReadValue() => MessageSections.Find(this, out ValueSection body)
        ? body.Value
        : throw MessageSections.NewException(this, "has no value section: use ReadData() or Sections");

    /// <summary>Which message it is, for people.</summary>
    public override string ToString() => _source?.Generation == _generation
        ? string.Create(CultureInfo.InvariantCulture, $"message {Offset} of '{Stream}', {_length} bytes")
        : "a message that is not valid any more";

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
