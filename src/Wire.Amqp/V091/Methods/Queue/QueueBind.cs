namespace Wire.Amqp.V091;

/// <summary>queue.bind: lets an exchange route to a queue.</summary>
public struct QueueBind : IMethod<QueueBind>
{
    /// <summary>The queue; empty for the one that was declared last on this channel.</summary>
    public AmqpString Queue;

    /// <summary>The exchange.</summary>
    public AmqpString Exchange;

    /// <summary>What the exchange routes by.</summary>
    public AmqpString RoutingKey;

    /// <summary>Whether the broker leaves out its reply.</summary>
    public bool NoWait;

    /// <summary>What the type of the exchange takes besides.</summary>
    public FieldTable Arguments;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.QueueBind;

    static void IMethod<QueueBind>.Arguments<TArguments>(ref QueueBind method, ref TArguments arguments)
    {
        ushort reserved1 = 0;
        arguments.Number(ref reserved1);
        arguments.ShortString(ref method.Queue);
        arguments.ShortString(ref method.Exchange);
        arguments.ShortString(ref method.RoutingKey);
        arguments.Bit(ref method.NoWait);
        arguments.Table(ref method.Arguments);
    }
}

/// <summary>queue.bind-ok: the queue is bound.</summary>
public struct QueueBindOk : IMethod<QueueBindOk>
{
    /// <inheritdoc/>
    public static MethodId Id => MethodId.QueueBindOk;
}
