namespace Wire.Amqp.V091;

/// <summary>queue.unbind: undoes queue.bind.</summary>
public struct QueueUnbind : IMethod<QueueUnbind>
{
    /// <summary>The queue; empty for the one that was declared last on this channel.</summary>
    public AmqpString Queue;

    /// <summary>The exchange.</summary>
    public AmqpString Exchange;

    /// <summary>What the exchange routes by.</summary>
    public AmqpString RoutingKey;

    /// <summary>What it was bound with besides.</summary>
    public FieldTable Arguments;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.QueueUnbind;

    static void IMethod<QueueUnbind>.Arguments<TArguments>(ref QueueUnbind method, ref TArguments arguments)
    {
        ushort reserved1 = 0;
        arguments.Number(ref reserved1);
        arguments.ShortString(ref method.Queue);
        arguments.ShortString(ref method.Exchange);
        arguments.ShortString(ref method.RoutingKey);
        arguments.Table(ref method.Arguments);
    }
}

/// <summary>queue.unbind-ok: the queue is not bound any more.</summary>
public struct QueueUnbindOk : IMethod<QueueUnbindOk>
{
    /// <inheritdoc/>
    public static MethodId Id => MethodId.QueueUnbindOk;
}
