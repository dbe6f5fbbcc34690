using System.Buffers;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;
using Wire.Amqp;
using Wire.RabbitMQ.Client;
using Wire.RabbitMQ.Connections;

namespace Wire.RabbitMQ;

/// <summary>Objects on channels of RabbitMQ.Client.</summary>
public static class ChannelExtensions
{
    /// <summary>
    /// Publishes an object: <see cref="IChannel.BasicPublishAsync{TProperties}(string, string, bool, TProperties, ReadOnlyMemory{byte},
    /// CancellationToken)"/> with a body in pooled memory.
    /// </summary>
    /// <param name="channel">The channel.</param>
    /// <param name="serializer">The serializer of the body.</param>
    /// <param name="exchange">The exchange; empty for the default one.</param>
    /// <param name="routingKey">The routing key; the name of a queue with the default exchange.</param>
    /// <param name="message">The object; may be null.</param>
    /// <param name="properties">The message's properties, which are filled in as by <see cref="Write"/>.</param>
    /// <param name="mandatory">True if the broker returns the message when it cannot be routed.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The task of the channel's own method: when it ends depends on the channel's options.</returns>
    /// <exception cref="ArgumentException">The properties have a content type, and it is that of other bodies.</exception>
    /// <exception cref="ObjectGraphException">The object refers to itself, is nested too deeply or is beyond another limit.</exception>
    /// <exception cref="UnsupportedTypeException">The object contains a value of a type that the serializer does not support.</exception>
    public static async ValueTask PublishAsync<T>(
        this IChannel channel,
        WireBodySerializer serializer,
        string exchange,
        string routingKey,
        T message,
        BasicProperties? properties = null,
        bool mandatory = false,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(channel);
        ArgumentNullException.ThrowIfNull(serializer);
        using WireBody body = serializer.Write(message, properties);
        await channel.BasicPublishAsync(exchange, routingKey, mandatory, body.Properties, body.Memory, cancellationToken)
            .ConfigureAwait(false);
    }

    /// <summary>
    /// Reads the object that a delivered message has as its body: <see cref="Read{T}(WireBodySerializer, IReadOnlyBasicProperties,
    /// ReadOnlyMemory{byte})"/>.
    /// </summary>
    /// <param name="delivery">The delivery, during its event.</param>
    /// <param name="serializer">The serializer of the body.</param>
    public static T? Read<T>(this BasicDeliverEventArgs delivery, WireBodySerializer serializer)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        return serializer.Read<T>(delivery);
    }

    /// <summary>Writes an object as a body, with the properties that describe it.</summary>
    /// <param name="serializer">The serializer of the body.</param>
    /// <param name="value">The object; may be null.</param>
    /// <param name="properties">
    /// The message's properties, which are completed and used; new ones when left out. Content type and content encoding are always set;
    /// type, message id and timestamp if absent.
    /// </param>
    /// <returns>The body in pooled memory, to be disposed of when the message has been published, and not before.</returns>
    /// <exception cref="ArgumentException">The content type is set, and is that of other bodies.</exception>
    /// <exception cref="ObjectGraphException">The object refers to itself, is nested too deeply or is beyond another limit.</exception>
    /// <exception cref="UnsupportedTypeException">The object contains a value of a type that the serializer does not support.</exception>
    public static WireBody Write<T>(this WireBodySerializer serializer, T value, BasicProperties? properties = null)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        properties ??= new BasicProperties();
        if (serializer.HasFormats)
        {
            Amqp.V091.BasicProperties own = ClientProperties.From(properties);
            if (serializer.WriteOther(value, ref own) is { } other)
            {
                (properties.ContentType, properties.ContentEncoding, properties.Type) = (own.ContentType.Text(), null, own.Type.Text());
                return Complete(other, properties);
            }
        }

        if (!string.IsNullOrEmpty(properties.ContentType) && !AmqpBody.IsContentType(properties.ContentType))
        {
            throw new ArgumentException(
                $"The content type of the message is '{properties.ContentType}', and its body is a Wire payload, which readers would " +
                $"refuse: leave the content type out, which is '{AmqpBody.ContentType}' then, or publish bytes of your own.",
                nameof(properties));
        }

        BodyBuffer buffer = WireBody.TakeBuffer();
        try
        {
            properties.ContentEncoding = serializer.Body.Write(buffer, value);
        }
        catch
        {
            WireBody.PutBack(buffer);
            throw;
        }

        properties.ContentType = AmqpBody.ContentType;
        properties.Type ??= AmqpBody.TypeName(value?.GetType() ?? typeof(T));
        return Complete(buffer, properties);
    }

    /// <summary>Reads the object that a delivered message has as its body, where it lies: nothing is copied.</summary>
    /// <param name="serializer">The serializer of the body.</param>
    /// <param name="delivery">The delivery, during its event.</param>
    /// <inheritdoc cref="Read{T}(WireBodySerializer, IReadOnlyBasicProperties, ReadOnlyMemory{byte})"/>
    public static T? Read<T>(this WireBodySerializer serializer, BasicDeliverEventArgs delivery)
    {
        ArgumentNullException.ThrowIfNull(delivery);
        return serializer.Read<T>(delivery.BasicProperties, delivery.Body);
    }

    /// <summary>Reads the object that a message fetched with basic.get has as its body.</summary>
    /// <param name="serializer">The serializer of the body.</param>
    /// <param name="message">The message.</param>
    /// <inheritdoc cref="Read{T}(WireBodySerializer, IReadOnlyBasicProperties, ReadOnlyMemory{byte})"/>
    public static T? Read<T>(this WireBodySerializer serializer, BasicGetResult message)
    {
        ArgumentNullException.ThrowIfNull(message);
        return serializer.Read<T>(message.BasicProperties, message.Body);
    }

    /// <summary>Reads an object from a body.</summary>
    /// <param name="serializer">The serializer of the body.</param>
    /// <param name="properties">The properties that came with it.</param>
    /// <param name="body">The body.</param>
    /// <exception cref="AmqpFormatException">
    /// The content type is another one, the content encoding is unknown, or the compressed body is damaged or too large.
    /// </exception>
    /// <exception cref="WireFormatException">The body is not a Wire payload, or contains a refused type or value.</exception>
    public static T? Read<T>(this WireBodySerializer serializer, IReadOnlyBasicProperties properties, ReadOnlyMemory<byte> body)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        ArgumentNullException.ThrowIfNull(properties);
        Amqp.V091.BasicProperties own = serializer.HasReaders
            ? ClientProperties.From(properties)
            : new()
            {
                ContentType = properties.ContentType,
                ContentEncoding = properties.ContentEncoding,
                Type = properties.Type,
            };
        return serializer.Read<T>(in own, new ReadOnlySequence<byte>(body));
    }

    private static WireBody Complete(BodyBuffer buffer, BasicProperties properties)
    {
        properties.MessageId ??= AmqpMessageId.Next().ToString();
        if (!properties.IsTimestampPresent())
        {
            properties.Timestamp = new AmqpTimestamp(DateTimeOffset.UtcNow.ToUnixTimeSeconds());
        }

        return new WireBody(buffer, properties);
    }
}
