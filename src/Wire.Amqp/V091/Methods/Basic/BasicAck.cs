using System.Runtime.CompilerServices;

namespace Wire.Amqp.V091;

/// <summary>basic.ack: a delivery, or with publisher confirms a published message, has been taken care of.</summary>
public struct BasicAck : IMethod<BasicAck>
{
    /// <summary>Which one on this channel.</summary>
    public ulong DeliveryTag;

    /// <summary>Whether all before it are meant, too.</summary>
    public bool Multiple;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.BasicAck;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static void IMethod<BasicAck>.Arguments<TArguments>(ref BasicAck method, ref TArguments arguments)
    {
        arguments.Number(ref method.DeliveryTag);
        arguments.Bit(ref method.Multiple);
    }
}
