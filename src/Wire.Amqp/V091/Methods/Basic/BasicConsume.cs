namespace Wire.Amqp.V091;

/// <summary>basic.consume: begins to consume from a queue.</summary>
public struct BasicConsume : IMethod<BasicConsume>
{
    /// <summary>The queue; empty for the one that was declared last on this channel.</summary>
    public AmqpString Queue;

    /// <summary>The name of the consumer on this channel; empty to let the broker name it.</summary>
    public AmqpString ConsumerTag;

    /// <summary>Whether messages of this connection are left out; not supported by RabbitMQ.</summary>
    public bool NoLocal;

    /// <summary>Whether a message counts as acknowledged once it is sent.</summary>
    public bool NoAck;

    /// <summary>Whether nobody else may consume from the queue.</summary>
    public bool Exclusive;

    /// <summary>Whether the broker leaves out its reply.</summary>
    public bool NoWait;

    /// <summary>What the queue takes besides.</summary>
    public FieldTable Arguments;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.BasicConsume;

    static void IMethod<BasicConsume>.Arguments<TArguments>(ref BasicConsume method, ref TArguments arguments)
    {
        ushort reserved1 = 0;
        arguments.Number(ref reserved1);
        arguments.ShortString(ref method.Queue);
        arguments.ShortString(ref method.ConsumerTag);
        arguments.Bit(ref method.NoLocal);
        arguments.Bit(ref method.NoAck);
        arguments.Bit(ref method.Exclusive);
        arguments.Bit(ref method.NoWait);
        arguments.Table(ref method.Arguments);
    }
}

/// <summary>basic.consume-ok: the consumer is there.</summary>
public struct BasicConsumeOk : IMethod<BasicConsumeOk>
{
    /// <summary>Its name.</summary>
    public AmqpString ConsumerTag;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.BasicConsumeOk;

    static void IMethod<BasicConsumeOk>.Arguments<TArguments>(ref BasicConsumeOk method, ref TArguments arguments)
    {
        arguments.ShortString(ref method.ConsumerTag);
    }
}
