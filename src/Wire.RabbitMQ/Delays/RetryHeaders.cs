using System.Globalization;
using Wire.Amqp;
using Wire.Amqp.V091;
using Wire.RabbitMQ.Connections;
using Wire.RabbitMQ.Copies;

namespace Wire.RabbitMQ.Delays;

/// <summary>The properties of a message in a delay queue: its own, and headers with its history.</summary>
internal static class RetryHeaders
{
    /// <summary>Makes the properties of a copy. They refer to the message's own, and are valid as long as these.</summary>
    /// <param name="queue">The queue that it comes back to.</param>
    /// <param name="delivery">The message.</param>
    /// <param name="state">Its history.</param>
    /// <param name="delay">The time for which it stays there; null where it goes back at once.</param>
    public static BasicProperties Create(string queue, IDelivery delivery, RetryState state, TimeSpan? delay)
    {
        BasicProperties properties = delivery.Properties;
        var copy = new CopiedProperties(in properties, RetryState.Prefix, RetryState.Names);
        var own = new List<(AmqpString Name, FieldValue Value)>();
        state.Write(queue, own);
        BasicProperties made = copy.With(copy.Headers, own);
        made.Expiration = delay is { } time
            ? DelayLevel.InMilliseconds(time).ToString(CultureInfo.InvariantCulture)
            : properties.Expiration;
        return made;
    }
}
