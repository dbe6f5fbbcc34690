using System.Runtime.CompilerServices;

namespace Wire.Amqp.V091;

/// <summary>basic.deliver: brings a message, whose content header and body follow, to a consumer.</summary>
public struct BasicDeliver : IMethod<BasicDeliver>
{
    /// <summary>Whose message it is.</summary>
    public AmqpString ConsumerTag;

    /// <summary>What an acknowledgement names, on this channel.</summary>
    public ulong DeliveryTag;

    /// <summary>Whether it may have been delivered before.</summary>
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
