namespace Wire.RabbitMQ.Streams.Links;

/// <summary>
/// A publisher on a link: the sender of the link asks it for frames when it can send. Its events are called sequentially on the receive
/// loop of the link, and must not block; none is called after <see cref="Ended"/>.
/// </summary>
internal interface ILinkPublisher
{
    /// <summary>
    /// Takes the next frames, including their sizes. Called by the sending thread, after the previous ones have been sent.
    /// </summary>
    /// <param name="frame">Whole frames, unchanged until the next call or the reported end of the link.</param>
    /// <returns>True if there are frames. After false, <see cref="FrameSender.Wake"/> is called when there are.</returns>
    bool TryTake(out ReadOnlyMemory<byte> frame);

    /// <summary>The broker has stored messages, or has not.</summary>
    /// <param name="ids">Their publishing ids as received: 8 bytes each, most significant first; a single one for an error.</param>
    /// <param name="code">Ok, or the reason.</param>
    void Settled(ReadOnlySpan<byte> ids, StreamResponseCode code);

    /// <summary>Called when it has left this link: the stream was deleted or moved, or the link has ended.</summary>
    void Ended(Exception reason);
}
