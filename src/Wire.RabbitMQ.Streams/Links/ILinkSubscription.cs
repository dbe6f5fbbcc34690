using Wire.Transport.Segments;

namespace Wire.RabbitMQ.Streams.Links;

/// <summary>
/// A subscription on a link. Its methods are called sequentially on the receive loop of the link, and must not block; none is called after
/// <see cref="Ended"/>.
/// </summary>
internal interface ILinkSubscription
{
    /// <summary>The broker says how far the stream goes: the first offset of the last chunk that most replicas have.</summary>
    void Committed(ulong offset)
    {
    }

    /// <summary>Takes a chunk.</summary>
    /// <param name="chunk">The chunk, from its header on: it stays as it is until the segment is released.</param>
    /// <param name="offset">The offset in the bytes of the connection, for messages.</param>
    /// <param name="segment">Its segment, leased.</param>
    void Deliver(ReadOnlyMemory<byte> chunk, long offset, ReceiveSegment segment);

    /// <summary>
    /// It has become the active one of several consumers, or is no longer. It answers by <see cref="StreamLink.AnswerUpdate"/>, now or
    /// later.
    /// </summary>
    void Update(uint correlation, bool isActive);

    /// <summary>Called when it has left this link: the stream was deleted or moved, or the link has ended.</summary>
    void Ended(Exception reason);
}
