using Wire.Amqp;
using Wire.Amqp.V091;
using Wire.RabbitMQ.Connections;
using Wire.RabbitMQ.Delays;

namespace Wire.RabbitMQ.Consuming;

/// <summary>The properties of deliveries, as a consumer needs them before anything else.</summary>
internal static class DeliveryProperties
{
    /// <summary>Reads the properties of a delivery, which are read when someone asks for them.</summary>
    /// <param name="delivery">The delivery; one that has waited for the queue comes from where it was first.</param>
    /// <param name="queue">The queue.</param>
    /// <param name="id">The id of the message.</param>
    /// <param name="left">The time for which it has to wait; null for none.</param>
    /// <param name="failure">What is wrong with them.</param>
    public static bool TryRead(
        ref IDelivery delivery, string queue, out string? id, out TimeSpan? left, out Failure failure)
    {
        (id, left, failure) = (null, null, default);
        try
        {
            BasicProperties properties = delivery.Properties;
            FieldTable headers = properties.Headers;
            foreach (KeyValuePair<AmqpString, FieldValue> _ in headers)
            {
            }

            id = properties.MessageId.Text();
            if (headers.IsEmpty)
            {
                return true;
            }

            left = NotBefore.TimeLeft(headers);
            if (RetryState.Read(headers, queue) is { } state)
            {
                delivery = new ReturnedDelivery(delivery, state);
            }

            return true;
        }
        catch (AmqpFormatException e)
        {
            delivery = new BareDelivery(delivery);
            failure = new Failure(FailureReason.Undecodable, e, 0);
            return false;
        }
    }
}
