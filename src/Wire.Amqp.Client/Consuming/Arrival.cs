using Wire.Amqp.V091;

namespace Wire.Amqp.Client.Consuming;

/// <summary>What the methods say that bring a message: deliver, get-ok and return. What one of them has not is empty.</summary>
internal struct Arrival
{
    public AmqpString ConsumerTag;
    public ulong DeliveryTag;
    public bool Redelivered;
    public AmqpString Exchange;
    public AmqpString RoutingKey;
    public uint MessageCount;
    public ushort ReplyCode;
    public AmqpString ReplyText;

    /// <summary>Reads it.</summary>
    /// <exception cref="AmqpFormatException">The method is damaged.</exception>
    public static Arrival Of(in Frame frame)
    {
        Arrival arrival = default;
        switch (frame.MethodId)
        {
            case MethodId.BasicDeliver:
                BasicDeliver deliver = frame.ReadMethod<BasicDeliver>();
                arrival.ConsumerTag = deliver.ConsumerTag;
                arrival.DeliveryTag = deliver.DeliveryTag;
                arrival.Redelivered = deliver.Redelivered;
                arrival.Exchange = deliver.Exchange;
                arrival.RoutingKey = deliver.RoutingKey;
                break;
            case MethodId.BasicGetOk:
                BasicGetOk got = frame.ReadMethod<BasicGetOk>();
                arrival.DeliveryTag = got.DeliveryTag;
                arrival.Redelivered = got.Redelivered;
                arrival.Exchange = got.Exchange;
                arrival.RoutingKey = got.RoutingKey;
                arrival.MessageCount = got.MessageCount;
                break;
            case MethodId.BasicReturn:
                BasicReturn returned = frame.ReadMethod<BasicReturn>();
                arrival.Exchange = returned.Exchange;
                arrival.RoutingKey = returned.RoutingKey;
                arrival.ReplyCode = returned.ReplyCode;
                arrival.ReplyText = returned.ReplyText;
                break;
            default:
                throw new ArgumentException(
                    $"A server brings messages by deliver, get-ok and return, and not by {frame.MethodId}.", nameof(frame));
        }

        return arrival;
    }
}
