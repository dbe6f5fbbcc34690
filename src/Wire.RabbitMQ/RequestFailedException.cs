namespace Wire.RabbitMQ;

/// <summary>
/// The exception for a request whose handler failed, or replied with another type.
/// </summary>
public sealed class RequestFailedException : Exception
{
    internal RequestFailedException(string message, string? remoteType = null, string? remoteMessage = null, Exception? inner = null)
        : base(message, inner)
    {
        RemoteType = remoteType;
        RemoteMessage = remoteMessage;
    }

    /// <summary>
    /// The full name of the type of the handler's exception; null when the reply cannot be read.
    /// </summary>
    public string? RemoteType { get; }

    /// <summary>Gets the message of that exception; null when the reply cannot be read.</summary>
    public string? RemoteMessage { get; }
}
