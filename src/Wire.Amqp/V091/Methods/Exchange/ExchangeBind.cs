namespace Wire.Amqp.V091;

/// <summary>exchange.bind: lets an exchange route to another one (an extension of RabbitMQ).</summary>
public struct ExchangeBind : IMethod<ExchangeBind>
{
    /// <summary>The exchange that messages are routed to.</summary>
    public AmqpString Destination;

    /// <summary>The exchange that they come from.</summary>
    public AmqpString Source;

    /// <summary>What they are routed by.</summary>
    public AmqpString RoutingKey;

    /// <summary>Whether the broker leaves out its reply.</summary>
    public bool NoWait;

    /// <summary>What the type of the source takes besides.</summary>
    public FieldTable Arguments;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.ExchangeBind;

    static void IMethod<ExchangeBind>.Arguments<TArguments>(ref ExchangeBind method, ref TArguments arguments)
    {
        ushort reserved1 = 0;
        arguments.Number(ref reserved1);
        arguments.ShortString(ref method.Destination);
        arguments.ShortString(ref method.Source);
        arguments.ShortString(ref method.RoutingKey);
        arguments.Bit(ref method.NoWait);
        arguments.Table(ref method.Arguments);
    }
}

/// <summary>exchange.bind-ok: the exchanges are bound (an extension of RabbitMQ).</summary>
public struct ExchangeBindOk : IMethod<ExchangeBindOk>
{
    /// <inheritdoc/>
    public static MethodId Id => MethodId.ExchangeBindOk;
}
