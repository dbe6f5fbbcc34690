namespace Wire.Amqp.V091;

/// <summary>connection.tune: the server proposes limits.</summary>
public struct ConnectionTune : IMethod<ConnectionTune>
{
    /// <summary>The highest number of a channel; 0 for no limit but that of the type.</summary>
    public ushort ChannelMax;

    /// <summary>The largest frame in bytes, its envelope included; 0 for no limit.</summary>
    public uint FrameMax;

    /// <summary>After how many seconds a side may take a silent one for dead; 0 for no heartbeats.</summary>
    public ushort Heartbeat;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.ConnectionTune;

    static void IMethod<ConnectionTune>.Arguments<TArguments>(ref ConnectionTune method, ref TArguments arguments)
    {
        arguments.Number(ref method.ChannelMax);
        arguments.Number(ref method.FrameMax);
        arguments.Number(ref method.Heartbeat);
    }
}

/// <summary>connection.tune-ok: the client settles the limits: none above what the server proposed.</summary>
public struct ConnectionTuneOk : IMethod<ConnectionTuneOk>
{
    /// <summary>The highest number of a channel; 0 for no limit but that of the type.</summary>
    public ushort ChannelMax;

    /// <summary>The largest frame in bytes, its envelope included; 0 for no limit.</summary>
    public uint FrameMax;

    /// <summary>After how many seconds a side may take a silent one for dead; 0 for no heartbeats.</summary>
    public ushort Heartbeat;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.ConnectionTuneOk;

    static void IMethod<ConnectionTuneOk>.Arguments<TArguments>(ref ConnectionTuneOk method, ref TArguments arguments)
    {
        arguments.Number(ref method.ChannelMax);
        arguments.Number(ref method.FrameMax);
        arguments.Number(ref method.Heartbeat);
    }
}
