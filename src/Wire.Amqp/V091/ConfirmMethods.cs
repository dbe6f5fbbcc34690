namespace Wire.Amqp.V091;

/// <summary>confirm.select: lets the broker confirm every message published on this channel (an extension of RabbitMQ).</summary>
public struct ConfirmSelect : IMethod<ConfirmSelect>
{
    /// <summary>True if the broker leaves out its reply.</summary>
    public bool NoWait;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.ConfirmSelect;

    static void IMethod<ConfirmSelect>.Arguments<TArguments>(ref ConfirmSelect method, ref TArguments arguments)
    {
        arguments.Bit(ref method.NoWait);
    }
}

/// <summary>confirm.select-ok: messages will be confirmed (an extension of RabbitMQ).</summary>
public struct ConfirmSelectOk : IMethod<ConfirmSelectOk>
{
    /// <inheritdoc/>
    public static MethodId Id => MethodId.ConfirmSelectOk;
}
