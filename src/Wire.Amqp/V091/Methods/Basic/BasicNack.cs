using System.Runtime.CompilerServices;

namespace Wire.Amqp.V091;

/// <summary>basic.nack: a delivery, or with publisher confirms a published message, has not been taken care of (an extension of RabbitMQ).</summary>
public struct BasicNack : IMethod<BasicNack>
{
    /// <summary>Which one on this channel.</summary>
    public ulong DeliveryTag;

    /// <summary>Whether all before it are meant, too.</summary>
    public bool Multiple;

    /// <summary>Whether it goes back to the queue; otherwise it is dropped or dead-lettered.</summary>
    public bool Requeue;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.BasicNack;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static void IMethod<BasicNack>.Arguments<TArguments>(ref BasicNack method, ref TArguments arguments)
    {
        arguments.Number(ref method.DeliveryTag);
        arguments.Bit(ref method.Multiple);
        arguments.Bit(ref method.Requeue);
    }
}
