namespace Wire.RabbitMQ.Streams;

/// <summary>The broker has refused a request: the message says which and why, and <see cref="Code"/> is its answer.</summary>
public sealed class StreamException : Exception
{
    internal StreamException(StreamResponseCode code, string message, Exception? inner = null)
        : base(message, inner) => Code = code;

    /// <summary>Gets the broker's answer.</summary>
    public StreamResponseCode Code { get; }
}
