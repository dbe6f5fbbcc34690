namespace Wire.Amqp.V091;

/// <summary>basic.recover: asks for everything to be delivered again that is not acknowledged on this channel.</summary>
public struct BasicRecover : IMethod<BasicRecover>
{
    /// <summary>Whether it may go to another consumer; RabbitMQ supports nothing else.</summary>
    public bool Requeue;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.BasicRecover;

    static void IMethod<BasicRecover>.Arguments<TArguments>(ref BasicRecover method, ref TArguments arguments)
    {
        arguments.Bit(ref method.Requeue);
    }
}

/// <summary>basic.recover-ok: it will be delivered again.</summary>
public struct BasicRecoverOk : IMethod<BasicRecoverOk>
{
    /// <inheritdoc/>
    public static MethodId Id => MethodId.BasicRecoverOk;
}

/// <summary>basic.recover-async: as basic.recover, without a reply; deprecated by the protocol.</summary>
public struct BasicRecoverAsync : IMethod<BasicRecoverAsync>
{
    /// <summary>Whether it may go to another consumer; RabbitMQ supports nothing else.</summary>
    public bool Requeue;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.BasicRecoverAsync;

    static void IMethod<BasicRecoverAsync>.Arguments<TArguments>(ref BasicRecoverAsync method, ref TArguments arguments)
    {
        arguments.Bit(ref method.Requeue);
    }
}
