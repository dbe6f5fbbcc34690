using RabbitMQ.Client;
using RabbitMQ.Client.Events;

namespace Wire.RabbitMQ;

/// <summary>Objects on channels of RabbitMQ.Client.</summary>
public static class ChannelExtensions
{
    /// <summary>Publishes an object: <see cref="IChannel.BasicPublishAsync{TProperties}(string, string, bool, TProperties, ReadOnlyMemory{byte}, CancellationToken)"/> with a body in pooled memory.</summary>
    /// <param name="channel">The channel.</param>
    /// <param name="serializer">What writes the body.</param>
    /// <param name="exchange">The exchange; empty for the default one.</param>
    /// <param name="routingKey">The routing key; the name of a queue with the default exchange.</param>
    /// <param name="message">The object; may be null.</param>
    /// <param name="properties">The message's properties, which are filled in as by <see cref="WireBodySerializer.Write{T}(T, BasicProperties)"/>.</param>
    /// <param name="mandatory">Whether the broker returns the message when it cannot be routed.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>What the channel's own method returns: how far the message has come then depends on the channel's options.</returns>
    /// <exception cref="ObjectGraphException">The object refers to itself, is nested too deeply or is beyond another limit.</exception>
    /// <exception cref="UnsupportedTypeException">The object holds something of a type that the serializer does not support.</exception>
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
        await channel.BasicPublishAsync(exchange, routingKey, mandatory, body.Properties, body.Memory, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Reads the object that a delivered message has as its body: <see cref="WireBodySerializer.Read{T}(BasicDeliverEventArgs)"/>.</summary>
    /// <param name="delivery">The delivery, during its event.</param>
    /// <param name="serializer">What reads the body.</param>
    public static T? Read<T>(this BasicDeliverEventArgs delivery, WireBodySerializer serializer)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        return serializer.Read<T>(delivery);
    }
}
