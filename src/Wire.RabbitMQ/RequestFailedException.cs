namespace Wire.RabbitMQ;

/// <summary>
/// A request has been answered, but not with the reply that was asked for: what handled it failed, or replied with something else.
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
    /// The full name of the type of the exception that the handler of the request failed with; null where it is the reply that cannot be
    /// read.
    /// </summary>
    public string? RemoteType { get; }

    /// <summary>Gets the message of that exception; null where it is the reply that cannot be read.</summary>
    public string? RemoteMessage { get; }
}
