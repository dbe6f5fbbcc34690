namespace Wire.Amqp.V091;

/// <summary>channel.flow: either side asks the other to stop sending messages, or to go on.</summary>
public struct ChannelFlow : IMethod<ChannelFlow>
{
    /// <summary>Whether to go on.</summary>
    public bool Active;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.ChannelFlow;

    static void IMethod<ChannelFlow>.Arguments<TArguments>(ref ChannelFlow method, ref TArguments arguments)
    {
        arguments.Bit(ref method.Active);
    }
}

/// <summary>channel.flow-ok: the other side will stop, or go on.</summary>
public struct ChannelFlowOk : IMethod<ChannelFlowOk>
{
    /// <summary>Whether it goes on.</summary>
    public bool Active;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.ChannelFlowOk;

    static void IMethod<ChannelFlowOk>.Arguments<TArguments>(ref ChannelFlowOk method, ref TArguments arguments)
    {
        arguments.Bit(ref method.Active);
    }
}
