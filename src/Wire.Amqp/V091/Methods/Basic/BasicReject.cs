namespace Wire.Amqp.V091;

/// <summary>basic.reject: a delivery is refused.</summary>
public struct BasicReject : IMethod<BasicReject>
{
    /// <summary>Which one on this channel.</summary>
    public ulong DeliveryTag;

    /// <summary>Whether it goes back to the queue; otherwise it is dropped or dead-lettered.</summary>
    public bool Requeue;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.BasicReject;

    static void IMethod<BasicReject>.Arguments<TArguments>(ref BasicReject method, ref TArguments arguments)
    {
        arguments.Number(ref method.DeliveryTag);
        arguments.Bit(ref method.Requeue);
    }
}
