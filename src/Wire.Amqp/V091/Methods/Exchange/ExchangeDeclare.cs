namespace Wire.Amqp.V091;

/// <summary>exchange.declare: makes an exchange, or makes sure that it is as described.</summary>
public struct ExchangeDeclare : IMethod<ExchangeDeclare>
{
    /// <summary>Its name.</summary>
    public AmqpString Exchange;

    /// <summary>Its type: direct, fanout, topic, headers, or one of a plugin.</summary>
    public AmqpString Type;

    /// <summary>Whether it is only looked for, and not made.</summary>
    public bool Passive;

    /// <summary>Whether it outlives a restart of the broker.</summary>
    public bool Durable;

    /// <summary>Whether it goes when nothing is bound to it any more (an extension of RabbitMQ).</summary>
    public bool AutoDelete;

    /// <summary>Whether only exchanges publish to it (an extension of RabbitMQ).</summary>
    public bool Internal;

    /// <summary>Whether the broker leaves out its reply.</summary>
    public bool NoWait;

    /// <summary>What its type takes besides.</summary>
    public FieldTable Arguments;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.ExchangeDeclare;

    static void IMethod<ExchangeDeclare>.Arguments<TArguments>(ref ExchangeDeclare method, ref TArguments arguments)
    {
        ushort reserved1 = 0;
        arguments.Number(ref reserved1);
        arguments.ShortString(ref method.Exchange);
        arguments.ShortString(ref method.Type);
        arguments.Bit(ref method.Passive);
        arguments.Bit(ref method.Durable);
        arguments.Bit(ref method.AutoDelete);
        arguments.Bit(ref method.Internal);
        arguments.Bit(ref method.NoWait);
        arguments.Table(ref method.Arguments);
    }
}

/// <summary>exchange.declare-ok: the exchange is there.</summary>
public struct ExchangeDeclareOk : IMethod<ExchangeDeclareOk>
{
    /// <inheritdoc/>
    public static MethodId Id => MethodId.ExchangeDeclareOk;
}
