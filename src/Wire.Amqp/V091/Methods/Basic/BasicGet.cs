namespace Wire.Amqp.V091;

/// <summary>basic.get: asks for one message of a queue.</summary>
public struct BasicGet : IMethod<BasicGet>
{
    /// <summary>The queue; empty for the one that was declared last on this channel.</summary>
    public AmqpString Queue;

    /// <summary>Whether the message counts as acknowledged once it is sent.</summary>
    public bool NoAck;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.BasicGet;

    static void IMethod<BasicGet>.Arguments<TArguments>(ref BasicGet method, ref TArguments arguments)
    {
        ushort reserved1 = 0;
        arguments.Number(ref reserved1);
        arguments.ShortString(ref method.Queue);
        arguments.Bit(ref method.NoAck);
    }
}

/// <summary>basic.get-ok: brings the message, whose content header and body follow.</summary>
public struct BasicGetOk : IMethod<BasicGetOk>
{
    /// <summary>What an acknowledgement names, on this channel.</summary>
    public ulong DeliveryTag;

    /// <summary>Whether it may have been delivered before.</summary>
    public bool Redelivered;

    /// <summary>The exchange that it was published to.</summary>
    public AmqpString Exchange;

    /// <summary>The routing key that it was published with.</summary>
    public AmqpString RoutingKey;

    /// <summary>How many messages are left in the queue.</summary>
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
