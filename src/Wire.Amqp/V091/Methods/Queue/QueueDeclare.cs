namespace Wire.Amqp.V091;

/// <summary>queue.declare: makes a queue, or makes sure that it is as described.</summary>
public struct QueueDeclare : IMethod<QueueDeclare>
{
    /// <summary>Its name; empty to let the broker name it.</summary>
    public AmqpString Queue;

    /// <summary>Whether it is only looked for, and not made.</summary>
    public bool Passive;

    /// <summary>Whether it outlives a restart of the broker.</summary>
    public bool Durable;

    /// <summary>Whether it belongs to this connection and goes with it.</summary>
    public bool Exclusive;

    /// <summary>Whether it goes with its last consumer.</summary>
    public bool AutoDelete;

    /// <summary>Whether the broker leaves out its reply.</summary>
    public bool NoWait;

    /// <summary>What its type takes besides.</summary>
    public FieldTable Arguments;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.QueueDeclare;

    static void IMethod<QueueDeclare>.Arguments<TArguments>(ref QueueDeclare method, ref TArguments arguments)
    {
        ushort reserved1 = 0;
        arguments.Number(ref reserved1);
        arguments.ShortString(ref method.Queue);
        arguments.Bit(ref method.Passive);
        arguments.Bit(ref method.Durable);
        arguments.Bit(ref method.Exclusive);
        arguments.Bit(ref method.AutoDelete);
        arguments.Bit(ref method.NoWait);
        arguments.Table(ref method.Arguments);
    }
}

/// <summary>queue.declare-ok: the queue is there.</summary>
public struct QueueDeclareOk : IMethod<QueueDeclareOk>
{
    /// <summary>Its name.</summary>
    public AmqpString Queue;

    /// <summary>How many messages are ready in it.</summary>
    public uint MessageCount;

    /// <summary>How many consumers it has.</summary>
    public uint ConsumerCount;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.QueueDeclareOk;

    static void IMethod<QueueDeclareOk>.Arguments<TArguments>(ref QueueDeclareOk method, ref TArguments arguments)
    {
        arguments.ShortString(ref method.Queue);
        arguments.Number(ref method.MessageCount);
        arguments.Number(ref method.ConsumerCount);
    }
}
