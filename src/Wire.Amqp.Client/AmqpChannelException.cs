namespace Wire.Amqp.Client;

/// <summary>The broker has closed a channel, because of something that was done on it. The connection continues.</summary>
public sealed class AmqpChannelException : Exception
{
    /// <summary>Creates the exception.</summary>
    public AmqpChannelException(string message, AmqpCloseReason reason)
        : base(message) => Reason = reason;

    /// <summary>Gets the broker's reason.</summary>
    public AmqpCloseReason Reason { get; }
}
