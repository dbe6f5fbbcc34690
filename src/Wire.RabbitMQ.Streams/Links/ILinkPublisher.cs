namespace Wire.RabbitMQ.Streams.Links;

/// <summary>
/// A publisher on a link. What happens to it comes on the receive loop of the link, one after the other, and must not block; nothing comes after
/// <see cref="Ended"/>.
/// </summary>
internal interface ILinkPublisher : IFrameSource
{
    /// <summary>The broker has stored messages.</summary>
    /// <param name="ids">Their publishing ids, as they came: 8 bytes each, most significant first.</param>
    void Confirmed(ReadOnlySpan<byte> ids);

    /// <summary>The broker has not stored a message.</summary>
    void Failed(ulong publishingId, StreamResponseCode code);

    /// <summary>It is no more on this link: the stream has gone or moved, or the link has ended.</summary>
    void Ended(Exception reason);
}
