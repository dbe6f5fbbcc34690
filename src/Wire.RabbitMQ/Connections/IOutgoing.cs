namespace Wire.RabbitMQ.Connections;

/// <summary>A message that is handed to a channel to be sent.</summary>
internal interface IOutgoing
{
    string Exchange { get; }

    string RoutingKey { get; }

    /// <summary>Whether the broker sends it back when it cannot be routed.</summary>
    bool Mandatory { get; }

    /// <summary>
    /// It is complete and about to be sent. The channel calls this once at most, when nothing of the message itself can fail any more, on a channel that
    /// confirms one message at a time and in the order of their numbers, and before the broker can answer.
    /// </summary>
    /// <param name="bodySize">The size of its body in bytes, as it is sent.</param>
    /// <returns>Whether it shall be sent. Where not, its owner is through with the channel: no number is used, and the publish ends without an error.</returns>
    bool TryCommit(long bodySize);
}
