namespace Wire.Amqp.V091;

/// <summary>basic.return: brings back a message, whose content header and body follow, that could not be routed.</summary>
public struct BasicReturn : IMethod<BasicReturn>
{
    /// <summary>Why, for programs.</summary>
    public ushort ReplyCode;

    /// <summary>Why, for people.</summary>
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
