using Wire.Amqp.V091;

namespace Wire.Amqp.Client.Diagnostics;

/// <summary>A message that has arrived, as a span describes it.</summary>
internal interface IArrivedMessage
{
    /// <summary>Gets the delivery tag.</summary>
    ulong Tag { get; }

    /// <summary>The exchange that it was published to; empty for the default exchange.</summary>
    string Exchange { get; }

    /// <summary>The routing key that it was published with.</summary>
    string RoutingKey { get; }

    /// <summary>The properties.</summary>
    BasicProperties Properties { get; }

    /// <summary>Gets the number of bytes of the body.</summary>
    long BodySize { get; }
}
