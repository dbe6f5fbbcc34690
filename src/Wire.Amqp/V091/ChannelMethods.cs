namespace Wire.Amqp.V091;

/// <summary>channel.open: the client opens the channel of this frame.</summary>
public struct ChannelOpen : IMethod<ChannelOpen>
{
    /// <inheritdoc/>
    public static MethodId Id => MethodId.ChannelOpen;

    static void IMethod<ChannelOpen>.Arguments<TArguments>(ref ChannelOpen method, ref TArguments arguments)
    {
        AmqpString reserved1 = default;
        arguments.ShortString(ref reserved1);
    }
}

/// <summary>channel.open-ok: the channel is open.</summary>
public struct ChannelOpenOk : IMethod<ChannelOpenOk>
{
    /// <inheritdoc/>
    public static MethodId Id => MethodId.ChannelOpenOk;

    static void IMethod<ChannelOpenOk>.Arguments<TArguments>(ref ChannelOpenOk method, ref TArguments arguments)
    {
        AmqpString reserved1 = default;
        arguments.LongString(ref reserved1);
    }
}

/// <summary>channel.flow: either side asks the other to stop sending messages, or to continue.</summary>
public struct ChannelFlow : IMethod<ChannelFlow>
{
    /// <summary>True if to continue.</summary>
    public bool Active;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.ChannelFlow;

    static void IMethod<ChannelFlow>.Arguments<TArguments>(ref ChannelFlow method, ref TArguments arguments)
    {
        arguments.Bit(ref method.Active);
    }
}

/// <summary>channel.flow-ok: the other side will stop, or continue.</summary>
public struct ChannelFlowOk : IMethod<ChannelFlowOk>
{
    /// <summary>True if it continues.</summary>
    public bool Active;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.ChannelFlowOk;

    static void IMethod<ChannelFlowOk>.Arguments<TArguments>(ref ChannelFlowOk method, ref TArguments arguments)
    {
        arguments.Bit(ref method.Active);
    }
}

/// <summary>channel.close: either side ends the channel, and sends nothing after it.</summary>
public struct ChannelClose : IMethod<ChannelClose>
{
    /// <summary>The reply code: 200 when nothing is wrong.</summary>
    public ushort ReplyCode;

    /// <summary>The reply text, for people.</summary>
    public AmqpString ReplyText;

    /// <summary>The class of the method that caused the error; 0 for none.</summary>
    public ushort ClassId;

    /// <summary>The method that caused the error, within its class; 0 for none.</summary>
    public ushort MethodId;

    /// <inheritdoc/>
    public static MethodId Id => V091.MethodId.ChannelClose;

    static void IMethod<ChannelClose>.Arguments<TArguments>(ref ChannelClose method, ref TArguments arguments)
    {
        arguments.Number(ref method.ReplyCode);
        arguments.ShortString(ref method.ReplyText);
        arguments.Number(ref method.ClassId);
        arguments.Number(ref method.MethodId);
    }
}

/// <summary>channel.close-ok: the channel has ended.</summary>
public struct ChannelCloseOk : IMethod<ChannelCloseOk>
{
    /// <inheritdoc/>
    public static MethodId Id => MethodId.ChannelCloseOk;
}
