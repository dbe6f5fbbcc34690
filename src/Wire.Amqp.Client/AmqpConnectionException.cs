namespace Wire.Amqp.Client;

/// <summary>A connection could not be made, was lost, or was closed by the broker. The message says which, and what to look at.</summary>
public sealed class AmqpConnectionException : IOException
{
    /// <summary>Creates the exception.</summary>
    public AmqpConnectionException(string message, Exception? inner = null)
        : base(message, inner)
    {
    }

    /// <summary>Creates the exception.</summary>
    public AmqpConnectionException(string message, AmqpCloseReason reason, Exception? inner = null)
        : base(message, inner) => Reason = reason;

    /// <summary>Gets the broker's reason for closing the connection; null when it did not say anything.</summary>
    public AmqpCloseReason? Reason { get; }
}
