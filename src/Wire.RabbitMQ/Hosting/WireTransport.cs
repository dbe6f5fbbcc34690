namespace Wire.RabbitMQ;

/// <summary>What carries messages between a program and the broker.</summary>
public enum WireTransport
{
    /// <summary>RabbitMQ.Client.</summary>
    Client,

    /// <summary>The direct lane of Wire.Amqp: objects are serialized straight into the frames that are sent, and read where they were received.</summary>
    DirectLane,
}
