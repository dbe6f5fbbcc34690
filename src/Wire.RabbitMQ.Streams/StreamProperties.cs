using Wire.Amqp;
using Wire.Amqp.V10;
using Wire.RabbitMQ.Streams.Chunks;

namespace Wire.RabbitMQ.Streams;

/// <summary>
/// The properties of a message as a view (AMQP 1.0 part 3 section 3.2.4): each field is read from the bytes when it is asked for, and
/// nothing else. A field that is absent is null, as are all of a message without properties.
/// </summary>
/// <remarks>
/// Valid as long as the message. Fields that hold text are views too. Each field throws an <see cref="AmqpFormatException"/> where the
/// message is no AMQP 1.0 message, is damaged up to there, or has the field with another type.
/// </remarks>
public readonly struct StreamProperties
{
    private readonly StreamMessage _message;

    internal StreamProperties(in StreamMessage message) => _message = message;

    /// <inheritdoc cref="Properties.MessageId"/>
    public AmqpValue MessageId => SectionValues.ReadField(_message, 0);

    /// <inheritdoc cref="Properties.UserId"/>
    public ReadOnlyMemory<byte>? UserId => Read<ReadOnlyMemory<byte>>(1);

    /// <inheritdoc cref="Properties.To"/>
    public AmqpString To => ReadText(2);

    /// <inheritdoc cref="Properties.Subject"/>
    public AmqpString Subject => ReadText(3);

    /// <inheritdoc cref="Properties.ReplyTo"/>
    public AmqpString ReplyTo => ReadText(4);

    /// <inheritdoc cref="Properties.CorrelationId"/>
    public AmqpValue CorrelationId => SectionValues.ReadField(_message, 5);

    /// <inheritdoc cref="Properties.ContentType"/>
    public AmqpSymbol ContentType => Read<AmqpSymbol>(6) ?? default;

    /// <inheritdoc cref="Properties.ContentEncoding"/>
    public AmqpSymbol ContentEncoding => Read<AmqpSymbol>(7) ?? default;

    /// <inheritdoc cref="Properties.AbsoluteExpiryTime"/>
    public Timestamp? AbsoluteExpiryTime => Read<Timestamp>(8);

    /// <inheritdoc cref="Properties.CreationTime"/>
    public Timestamp? CreationTime => Read<Timestamp>(9);

    /// <inheritdoc cref="Properties.GroupId"/>
    public AmqpString GroupId => ReadText(10);

    /// <inheritdoc cref="Properties.GroupSequence"/>
    public uint? GroupSequence => Read<uint>(11);

    /// <inheritdoc cref="Properties.ReplyToGroupId"/>
    public AmqpString ReplyToGroupId => ReadText(12);

    private AmqpString ReadText(int number) => Read<AmqpString>(number) ?? default;

    private T? Read<T>(int number)
        where T : struct
    {
        AmqpValue value = SectionValues.ReadField(_message, number);
        return value.IsNull ? null : value.As<T>();
    }
}
