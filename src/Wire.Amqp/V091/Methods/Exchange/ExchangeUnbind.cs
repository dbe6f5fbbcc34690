namespace Wire.Amqp.V091;

/// <summary>exchange.unbind: undoes exchange.bind (an extension of RabbitMQ).</summary>
public struct ExchangeUnbind : IMethod<ExchangeUnbind>
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
    public static MethodId Id => MethodId.ExchangeUnbind;

    static void IMethod<ExchangeUnbind>.Arguments<TArguments>(ref ExchangeUnbind method, ref TArguments arguments)
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

/// <summary>exchange.unbind-ok: the exchanges are not bound any more (an extension of RabbitMQ, which has given it the number 51).</summary>
public struct ExchangeUnbindOk : IMethod<ExchangeUnbindOk>
{
    /// <inheritdoc/>
    public static MethodId Id => MethodId.ExchangeUnbindOk;
}
