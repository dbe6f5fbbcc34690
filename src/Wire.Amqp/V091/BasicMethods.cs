using System.Runtime.CompilerServices;
using Wire.Amqp.V091.Methods;

namespace Wire.Amqp.V091;

/// <summary>basic.qos: limits how much is delivered before it is acknowledged.</summary>
public struct BasicQos : IMethod<BasicQos>
{
    /// <summary>The number of bytes; 0 for no limit, and RabbitMQ has no other.</summary>
    public uint PrefetchSize;

    /// <summary>The number of messages; 0 for no limit.</summary>
    public ushort PrefetchCount;

    /// <summary>
    /// True if the limit is for all consumers of the channel together; otherwise it is for each new one (as RabbitMQ reads it).
    /// </summary>
    public bool Global;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.BasicQos;

    static void IMethod<BasicQos>.Arguments<TArguments>(ref BasicQos method, ref TArguments arguments)
    {
        arguments.Number(ref method.PrefetchSize);
        arguments.Number(ref method.PrefetchCount);
        arguments.Bit(ref method.Global);
    }
}

/// <summary>basic.qos-ok: the limit is in force.</summary>
public struct BasicQosOk : IMethod<BasicQosOk>
{
    /// <inheritdoc/>
    public static MethodId Id => MethodId.BasicQosOk;
}

/// <summary>basic.consume: begins to consume from a queue.</summary>
public struct BasicConsume : IMethod<BasicConsume>
{
    /// <summary>The queue; empty for the one that was declared last on this channel.</summary>
    public AmqpString Queue;

    /// <summary>The name of the consumer on this channel; empty to let the broker name it.</summary>
    public AmqpString ConsumerTag;

    /// <summary>True if messages of this connection are left out; not supported by RabbitMQ.</summary>
    public bool NoLocal;

    /// <summary>True if a message counts as acknowledged once it is sent.</summary>
    public bool NoAck;

    /// <summary>True if the consumer has exclusive access to the queue.</summary>
    public bool Exclusive;

    /// <summary>True if the broker leaves out its reply.</summary>
    public bool NoWait;

    /// <summary>Further arguments of the consumer, for the queue.</summary>
    public FieldTable Arguments;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.BasicConsume;

    static void IMethod<BasicConsume>.Arguments<TArguments>(ref BasicConsume method, ref TArguments arguments)
    {
        arguments.Ticket();
        arguments.ShortString(ref method.Queue);
        arguments.ShortString(ref method.ConsumerTag);
        arguments.Bit(ref method.NoLocal);
        arguments.Bit(ref method.NoAck);
        arguments.Bit(ref method.Exclusive);
        arguments.Bit(ref method.NoWait);
        arguments.Table(ref method.Arguments);
    }
}

/// <summary>basic.consume-ok: the consumer exists.</summary>
public struct BasicConsumeOk : IMethod<BasicConsumeOk>
{
    /// <summary>Its name.</summary>
    public AmqpString ConsumerTag;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.BasicConsumeOk;

    static void IMethod<BasicConsumeOk>.Arguments<TArguments>(ref BasicConsumeOk method, ref TArguments arguments)
    {
        arguments.ShortString(ref method.ConsumerTag);
    }
}

/// <summary>basic.cancel: ends a consumer; RabbitMQ sends it too, when the queue has been deleted.</summary>
public struct BasicCancel : IMethod<BasicCancel>
{
    /// <summary>Which one.</summary>
    public AmqpString ConsumerTag;

    /// <summary>True if the other side leaves out its reply.</summary>
    public bool NoWait;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.BasicCancel;

    static void IMethod<BasicCancel>.Arguments<TArguments>(ref BasicCancel method, ref TArguments arguments)
    {
        arguments.ShortString(ref method.ConsumerTag);
        arguments.Bit(ref method.NoWait);
    }
}

/// <summary>basic.cancel-ok: the consumer has ended.</summary>
public struct BasicCancelOk : IMethod<BasicCancelOk>
{
    /// <summary>Which one.</summary>
    public AmqpString ConsumerTag;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.BasicCancelOk;

    static void IMethod<BasicCancelOk>.Arguments<TArguments>(ref BasicCancelOk method, ref TArguments arguments)
    {
        arguments.ShortString(ref method.ConsumerTag);
    }
}

/// <summary>basic.publish: hands a message, whose content header and body follow, to an exchange.</summary>
public struct BasicPublish : IMethod<BasicPublish>
{
    /// <summary>The exchange; empty for the default one, which routes to the queue named by the routing key.</summary>
    public AmqpString Exchange;

    /// <summary>The key by which the exchange routes it.</summary>
    public AmqpString RoutingKey;

    /// <summary>True if a message that reaches no queue is returned by basic.return.</summary>
    public bool Mandatory;

    /// <summary>Not supported by RabbitMQ: leave it false.</summary>
    public bool Immediate;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.BasicPublish;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static void IMethod<BasicPublish>.Arguments<TArguments>(ref BasicPublish method, ref TArguments arguments)
    {
        arguments.Ticket();
        arguments.ShortString(ref method.Exchange);
        arguments.ShortString(ref method.RoutingKey);
        arguments.Bit(ref method.Mandatory);
        arguments.Bit(ref method.Immediate);
    }
}

/// <summary>basic.return: brings back a message, whose content header and body follow, that could not be routed.</summary>
public struct BasicReturn : IMethod<BasicReturn>
{
    /// <summary>The reason, for programs.</summary>
    public ushort ReplyCode;

    /// <summary>The reply text, for people.</summary>
    public AmqpString ReplyText;

    /// <summary>The exchange that it was published to.</summary>
    public AmqpString Exchange;

    /// <summary>The routing key that it was published with.</summary>
    public AmqpString RoutingKey;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.BasicReturn;

    static void IMethod<BasicReturn>.Arguments<TArguments>(ref BasicReturn method, ref TArguments arguments)
    {
        arguments.Number(ref method.ReplyCode);
        arguments.ShortString(ref method.ReplyText);
        arguments.ShortString(ref method.Exchange);
        arguments.ShortString(ref method.RoutingKey);
    }
}

/// <summary>basic.deliver: brings a message, whose content header and body follow, to a consumer.</summary>
public struct BasicDeliver : IMethod<BasicDeliver>
{
    /// <summary>Whose message it is.</summary>
    public AmqpString ConsumerTag;

    /// <summary>The tag that an acknowledgement names, on this channel.</summary>
    public ulong DeliveryTag;

    /// <summary>True if it may have been delivered before.</summary>
    public bool Redelivered;

    /// <summary>The exchange that it was published to.</summary>
    public AmqpString Exchange;

    /// <summary>The routing key that it was published with.</summary>
    public AmqpString RoutingKey;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.BasicDeliver;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static void IMethod<BasicDeliver>.Arguments<TArguments>(ref BasicDeliver method, ref TArguments arguments)
    {
        arguments.ShortString(ref method.ConsumerTag);
        arguments.Number(ref method.DeliveryTag);
        arguments.Bit(ref method.Redelivered);
        arguments.ShortString(ref method.Exchange);
        arguments.ShortString(ref method.RoutingKey);
    }
}

/// <summary>basic.get: asks for one message of a queue.</summary>
public struct BasicGet : IMethod<BasicGet>
{
    /// <summary>The queue; empty for the one that was declared last on this channel.</summary>
    public AmqpString Queue;

    /// <summary>True if the message counts as acknowledged once it is sent.</summary>
    public bool NoAck;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.BasicGet;

    static void IMethod<BasicGet>.Arguments<TArguments>(ref BasicGet method, ref TArguments arguments)
    {
        arguments.Ticket();
        arguments.ShortString(ref method.Queue);
        arguments.Bit(ref method.NoAck);
    }
}

/// <summary>basic.get-ok: brings the message, whose content header and body follow.</summary>
public struct BasicGetOk : IMethod<BasicGetOk>
{
    /// <summary>The tag that an acknowledgement names, on this channel.</summary>
    public ulong DeliveryTag;

    /// <summary>True if it may have been delivered before.</summary>
    public bool Redelivered;

    /// <summary>The exchange that it was published to.</summary>
    public AmqpString Exchange;

    /// <summary>The routing key that it was published with.</summary>
    public AmqpString RoutingKey;

    /// <summary>The number of messages that are left in the queue.</summary>
    public uint MessageCount;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.BasicGetOk;

    static void IMethod<BasicGetOk>.Arguments<TArguments>(ref BasicGetOk method, ref TArguments arguments)
    {
        arguments.Number(ref method.DeliveryTag);
        arguments.Bit(ref method.Redelivered);
        arguments.ShortString(ref method.Exchange);
        arguments.ShortString(ref method.RoutingKey);
        arguments.Number(ref method.MessageCount);
    }
}

/// <summary>basic.get-empty: the queue has no message.</summary>
public struct BasicGetEmpty : IMethod<BasicGetEmpty>
{
    /// <inheritdoc/>
    public static MethodId Id => MethodId.BasicGetEmpty;

    static void IMethod<BasicGetEmpty>.Arguments<TArguments>(ref BasicGetEmpty method, ref TArguments arguments)
    {
        AmqpString reserved1 = default;
        arguments.ShortString(ref reserved1);
    }
}

/// <summary>basic.ack: a delivery, or with publisher confirms a published message, is acknowledged.</summary>
public struct BasicAck : IMethod<BasicAck>
{
    /// <summary>Which one on this channel.</summary>
    public ulong DeliveryTag;

    /// <summary>True if it applies to all earlier ones too.</summary>
    public bool Multiple;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.BasicAck;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static void IMethod<BasicAck>.Arguments<TArguments>(ref BasicAck method, ref TArguments arguments)
    {
        arguments.Number(ref method.DeliveryTag);
        arguments.Bit(ref method.Multiple);
    }
}

/// <summary>basic.reject: a delivery is refused.</summary>
public struct BasicReject : IMethod<BasicReject>
{
    /// <summary>Which one on this channel.</summary>
    public ulong DeliveryTag;

    /// <summary>True if it returns to the queue; otherwise it is dropped or dead-lettered.</summary>
    public bool Requeue;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.BasicReject;

    static void IMethod<BasicReject>.Arguments<TArguments>(ref BasicReject method, ref TArguments arguments)
    {
        arguments.Number(ref method.DeliveryTag);
        arguments.Bit(ref method.Requeue);
    }
}

/// <summary>basic.recover: asks for redelivery of all unacknowledged messages of this channel.</summary>
public struct BasicRecover : IMethod<BasicRecover>
{
    /// <summary>True if it may go to another consumer; RabbitMQ supports nothing else.</summary>
    public bool Requeue;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.BasicRecover;

    static void IMethod<BasicRecover>.Arguments<TArguments>(ref BasicRecover method, ref TArguments arguments)
    {
        arguments.Bit(ref method.Requeue);
    }
}

/// <summary>basic.recover-ok: it will be delivered again.</summary>
public struct BasicRecoverOk : IMethod<BasicRecoverOk>
{
    /// <inheritdoc/>
    public static MethodId Id => MethodId.BasicRecoverOk;
}

/// <summary>basic.recover-async: as basic.recover, without a reply; deprecated by the protocol.</summary>
public struct BasicRecoverAsync : IMethod<BasicRecoverAsync>
{
    /// <summary>True if it may go to another consumer; RabbitMQ supports nothing else.</summary>
    public bool Requeue;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.BasicRecoverAsync;

    static void IMethod<BasicRecoverAsync>.Arguments<TArguments>(ref BasicRecoverAsync method, ref TArguments arguments)
    {
        arguments.Bit(ref method.Requeue);
    }
}

/// <summary>
/// basic.nack: a delivery, or with publisher confirms a published message, was not accepted (an extension of RabbitMQ).
/// </summary>
public struct BasicNack : IMethod<BasicNack>
{
    /// <summary>Which one on this channel.</summary>
    public ulong DeliveryTag;

    /// <summary>True if it applies to all earlier ones too.</summary>
    public bool Multiple;

    /// <summary>True if it returns to the queue; otherwise it is dropped or dead-lettered.</summary>
    public bool Requeue;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.BasicNack;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static void IMethod<BasicNack>.Arguments<TArguments>(ref BasicNack method, ref TArguments arguments)
    {
        arguments.Number(ref method.DeliveryTag);
        arguments.Bit(ref method.Multiple);
        arguments.Bit(ref method.Requeue);
    }
}
