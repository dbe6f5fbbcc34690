namespace Wire.RabbitMQ.Streams.Links;

/// <summary>Whoever has frames to send, such as a producer. The sender of the link asks it when it can send.</summary>
internal interface IFrameSource
{
    /// <summary>Takes the next frame, its size included. Called by one thread at a time; what was taken before has been sent by then.</summary>
    /// <param name="frame">Whole frames, which stay as they are until this is called again, or the link has ended and says so.</param>
    /// <returns>Whether there is one. After false, <see cref="FrameSender.Wake"/> is called when there is.</returns>
    bool TryTake(out ReadOnlyMemory<byte> frame);
}
