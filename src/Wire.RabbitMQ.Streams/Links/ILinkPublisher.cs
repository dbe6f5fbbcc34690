namespace Wire.RabbitMQ.Streams.Links;

/// <summary>
/// A publisher on a link: the sender of the link asks it for frames when it can send. What happens to it comes on the receive loop of the
/// link, one after the other, and must not block; nothing comes after <see cref="Ended"/>.
/// </summary>
internal interface ILinkPublisher
{
    /// <summary>
    /// Takes the next frame, its size included. Called by the thread that sends; what was taken before has been sent by then.
    /// </summary>
    /// <param name="frame">Whole frames, which stay as they are until this is called again, or the link has ended and says so.</param>
    /// <returns>Whether there is one. After false, <see cref="FrameSender.Wake"/> is called when there is.</returns>
    bool TryTake(out ReadOnlyMemory<byte> frame);

    /// <summary>The broker has stored messages, or has not.</summary>
    /// <param name="ids">Their publishing ids, as they came: 8 bytes each, most significant first; one where it has not.</param>
    /// <param name="code">Ok, or why it has not.</param>
    void Settled(ReadOnlySpan<byte> ids, StreamResponseCode code);

    /// <summary>Called when it is not on this link any more: the stream has gone or moved, or the link has ended.</summary>
    void Ended(Exception reason);
}
