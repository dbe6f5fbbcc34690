namespace Wire.Amqp.V091;

/// <summary>channel.close: either side ends the channel, and sends nothing behind it.</summary>
public struct ChannelClose : IMethod<ChannelClose>
{
    /// <summary>Why, for programs: 200 when nothing is wrong.</summary>
    public ushort ReplyCode;

    /// <summary>Why, for people.</summary>
    public AmqpString ReplyText;

    /// <summary>The class of the method that was at fault; 0 when it was none.</summary>
    public ushort ClassId;

    /// <summary>The method that was at fault, within its class; 0 when it was none.</summary>
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
