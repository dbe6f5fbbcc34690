namespace Wire.RabbitMQ.Streams;

/// <summary>
/// A message was not confirmed. The message says why; if <see cref="Code"/> is null, the broker may nevertheless have it.
/// </summary>
public sealed class StreamPublishException : Exception
{
    internal StreamPublishException(string message, ulong? publishingId, StreamResponseCode? code, Exception? inner = null)
        : base(message, inner) => (PublishingId, Code) = (publishingId, code);

    /// <summary>Its publishing id; null if it was still waiting to be sent.</summary>
    public ulong? PublishingId { get; }

    /// <summary>Gets the broker's answer; null where it has said nothing.</summary>
    public StreamResponseCode? Code { get; }
}
