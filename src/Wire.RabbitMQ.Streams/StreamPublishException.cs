namespace Wire.RabbitMQ.Streams;

/// <summary>
/// A message was not confirmed. The message says why; the broker may nevertheless have it where <see cref="MayBeStored"/> says so.
/// </summary>
public sealed class StreamPublishException : Exception
{
    internal StreamPublishException(string message, ulong? publishingId, StreamResponseCode? code, Exception? inner = null)
        : base(message, inner) => (PublishingId, Code) = (publishingId, code);

    /// <summary>Its publishing id; null if it was still waiting for room.</summary>
    public ulong? PublishingId { get; }

    /// <summary>Gets the broker's answer; null where it has said nothing.</summary>
    public StreamResponseCode? Code { get; }

    /// <summary>
    /// Gets whether the broker may have it: it was handed to a connection, and the broker has said nothing. What was not is never sent.
    /// </summary>
    public bool MayBeStored { get; internal init; }
}
