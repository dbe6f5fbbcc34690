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
