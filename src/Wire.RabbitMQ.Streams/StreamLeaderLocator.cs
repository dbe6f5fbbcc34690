namespace Wire.RabbitMQ.Streams;

/// <summary>On which node the leader of a new stream is (<c>queue-leader-locator</c>).</summary>
public enum StreamLeaderLocator
{
    /// <summary>On the node that is asked to create it.</summary>
    ClientLocal,

    /// <summary>On a node that leads few others: the one to spread streams over a cluster. Brokers from 3.10 on.</summary>
    Balanced,
}
