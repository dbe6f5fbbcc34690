using System.Runtime.CompilerServices;

namespace Wire.Amqp.V091;

/// <summary>basic.publish: hands a message, whose content header and body follow, to an exchange.</summary>
public struct BasicPublish : IMethod<BasicPublish>
{
    /// <summary>The exchange; empty for the default one, which routes to the queue named by the routing key.</summary>
    public AmqpString Exchange;

    /// <summary>What the exchange routes by.</summary>
    public AmqpString RoutingKey;

    /// <summary>Whether a message that reaches no queue comes back as basic.return.</summary>
    public bool Mandatory;

    /// <summary>Not supported by RabbitMQ: leave it false.</summary>
    public bool Immediate;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.BasicPublish;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static void IMethod<BasicPublish>.Arguments<TArguments>(ref BasicPublish method, ref TArguments arguments)
    {
        ushort reserved1 = 0;
        arguments.Number(ref reserved1);
        arguments.ShortString(ref method.Exchange);
        arguments.ShortString(ref method.RoutingKey);
        arguments.Bit(ref method.Mandatory);
        arguments.Bit(ref method.Immediate);
    }
}
