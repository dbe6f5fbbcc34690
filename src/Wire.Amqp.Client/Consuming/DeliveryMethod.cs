using Wire.Amqp.V091;

namespace Wire.Amqp.Client.Consuming;

/// <summary>The arguments of the method before a message: deliver, get-ok or return. Absent ones are empty.</summary>
internal struct DeliveryMethod
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
    public static DeliveryMethod Parse(in Frame frame)
    {
        DeliveryMethod method = default;
        switch (frame.MethodId)
        {
            case MethodId.BasicDeliver:
                BasicDeliver deliver = frame.ReadMethod<BasicDeliver>();
                method.ConsumerTag = deliver.ConsumerTag;
                method.DeliveryTag = deliver.DeliveryTag;
                method.Redelivered = deliver.Redelivered;
                method.Exchange = deliver.Exchange;
                method.RoutingKey = deliver.RoutingKey;
                break;
            case MethodId.BasicGetOk:
                BasicGetOk got = frame.ReadMethod<BasicGetOk>();
                method.DeliveryTag = got.DeliveryTag;
                method.Redelivered = got.Redelivered;
                method.Exchange = got.Exchange;
                method.RoutingKey = got.RoutingKey;
                method.MessageCount = got.MessageCount;
                break;
            case MethodId.BasicReturn:
                BasicReturn returned = frame.ReadMethod<BasicReturn>();
                method.Exchange = returned.Exchange;
                method.RoutingKey = returned.RoutingKey;
                method.ReplyCode = returned.ReplyCode;
                method.ReplyText = returned.ReplyText;
                break;
            default:
                throw new ArgumentException(
                    $"A server sends messages by deliver, get-ok and return, and not by {frame.MethodId}.", nameof(frame));
        }

        return method;
    }
}
