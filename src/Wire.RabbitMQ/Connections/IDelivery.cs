using System.Buffers;
using Wire.Amqp;
using Wire.Amqp.Client.Diagnostics;
using Wire.Transport.Pending;

namespace Wire.RabbitMQ.Connections;

/// <summary>
/// A delivered message, from either client. Its properties and body are views of received memory, valid until its handler has ended.
/// </summary>
internal interface IDelivery : IArrivedMessage
{
    bool Redelivered { get; }

    /// <summary>The body, in any number of pieces.</summary>
    /// <exception cref="AmqpFormatException">It is larger than the connection takes, and was skipped.</exception>
    ReadOnlySequence<byte> Body { get; }

    /// <summary>Gets a token that fires on the thread pool when its channel has ended, and the broker delivers it again.</summary>
    CancellationToken Lost { get; }

    /// <summary>
    /// Settles the delivery. On a lost channel this does nothing: the broker delivers it again.
    /// </summary>
    void Settle(Settlement settlement);

    /// <summary>Keeps its memory when the handler ends, until <see cref="Release"/>.</summary>
    void Keep();

    /// <summary>Gives its memory back that was kept. Nothing of it may be used any more.</summary>
    void Release();
}
