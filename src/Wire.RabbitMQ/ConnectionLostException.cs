namespace Wire.RabbitMQ;

/// <summary>There is no connection to the broker: it is closed for good, has not come back in time, or went down while something was under way.</summary>
public sealed class ConnectionLostException : Exception
{
    /// <summary>Says what happened.</summary>
    /// <param name="message">What happened, and what to do.</param>
    /// <param name="inner">What the client said; null where it said nothing.</param>
    public ConnectionLostException(string message, Exception? inner = null)
        : base(message, inner)
    {
    }
}
