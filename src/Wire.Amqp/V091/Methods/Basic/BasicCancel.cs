namespace Wire.Amqp.V091;

/// <summary>basic.cancel: ends a consumer; RabbitMQ sends it too, when the queue is gone.</summary>
public struct BasicCancel : IMethod<BasicCancel>
{
    /// <summary>Which one.</summary>
    public AmqpString ConsumerTag;

    /// <summary>Whether the other side leaves out its reply.</summary>
    public bool NoWait;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.BasicCancel;

    static void IMethod<BasicCancel>.Arguments<TArguments>(ref BasicCancel method, ref TArguments arguments)
    {
        arguments.ShortString(ref method.ConsumerTag);
        arguments.Bit(ref method.NoWait);
    }
}

/// <summary>basic.cancel-ok: the consumer has ended.</summary>
public struct BasicCancelOk : IMethod<BasicCancelOk>
{
    /// <summary>Which one.</summary>
    public AmqpString ConsumerTag;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.BasicCancelOk;

    static void IMethod<BasicCancelOk>.Arguments<TArguments>(ref BasicCancelOk method, ref TArguments arguments)
    {
        arguments.ShortString(ref method.ConsumerTag);
    }
}
