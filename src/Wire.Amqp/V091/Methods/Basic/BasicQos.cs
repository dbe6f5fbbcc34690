namespace Wire.Amqp.V091;

/// <summary>basic.qos: limits how much is delivered before it is acknowledged.</summary>
public struct BasicQos : IMethod<BasicQos>
{
    /// <summary>How many bytes; 0 for no limit, and RabbitMQ has no other.</summary>
    public uint PrefetchSize;

    /// <summary>How many messages; 0 for no limit.</summary>
    public ushort PrefetchCount;

    /// <summary>Whether the limit is for all consumers of the channel together; otherwise it is for each new one (as RabbitMQ reads it).</summary>
    public bool Global;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.BasicQos;

    static void IMethod<BasicQos>.Arguments<TArguments>(ref BasicQos method, ref TArguments arguments)
    {
        arguments.Number(ref method.PrefetchSize);
        arguments.Number(ref method.PrefetchCount);
        arguments.Bit(ref method.Global);
    }
}

/// <summary>basic.qos-ok: the limit is in force.</summary>
public struct BasicQosOk : IMethod<BasicQosOk>
{
    /// <inheritdoc/>
    public static MethodId Id => MethodId.BasicQosOk;
}
