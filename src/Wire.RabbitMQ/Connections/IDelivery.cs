using System.Buffers;
using Wire.Amqp;
using Wire.Amqp.V091;
using Wire.Transport.Pending;

namespace Wire.RabbitMQ.Connections;

/// <summary>
/// A message as it was delivered, whichever client has brought it. Its properties and its body lie where they were received, and are valid
/// until its handler has ended.
/// </summary>
internal interface IDelivery
{
    ulong Tag { get; }

    bool Redelivered { get; }

    string Exchange { get; }

    string RoutingKey { get; }

    BasicProperties Properties { get; }

    /// <summary>The body, in as many pieces as it came in.</summary>
    /// <exception cref="AmqpFormatException">It is larger than the connection takes, and was skipped.</exception>
    ReadOnlySequence<byte> Body { get; }

    /// <summary>Gets the number of bytes that the body has.</summary>
    long BodySize { get; }

    /// <summary>
    /// Settles the delivery. On a lost channel this does nothing: the broker delivers it again.
    /// </summary>
    void Settle(Settlement settlement);
}

