using Wire.RabbitMQ.Streams.Links;

namespace Wire.RabbitMQ.Streams.Producing;

/// <summary>A producer's publisher on one link. When the link ends, the producer begins another session.</summary>
internal sealed class ProducerSession(ProducerLinks links, Publisher publisher, StreamLink link) : ILinkPublisher
{
    private readonly TaskCompletionSource _idle = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private Exception? _reason;

    /// <summary>The link.</summary>
    public StreamLink Link => link;

    /// <summary>Its number on the link.</summary>
    public byte Number { get; set; }

    /// <summary>Gets or sets whether the sender is sending its frames. Under the publisher's gate.</summary>
    public bool IsSending { get; set; }

    /// <summary>Gets the reason why it has ended; null while it has not. Under the publisher's gate.</summary>
    public Exception? Reason
    {
        get => _reason;
        set => Volatile.Write(ref _reason, value);
    }

    /// <summary>Gets whether it has left its link: its number may then belong to another publisher.</summary>
    public bool HasEnded => Volatile.Read(ref _reason) is not null || link.HasEnded;

    /// <summary>Wakes the sender of the link.</summary>
    public void Wake() => link.Wake(this);

    /// <summary>Called when the sender has no more of its frames.</summary>
    public void SetIdle() => _idle.TrySetResult();

    /// <summary>Ends when it has ended and none of its frames are being sent.</summary>
    public Task WaitForIdleAsync() => Task.WhenAny(_idle.Task, link.Ended);

    bool ILinkPublisher.TryTake(out ReadOnlyMemory<byte> frame) => publisher.TryTake(this, out frame);

    void ILinkPublisher.Settled(ReadOnlySpan<byte> ids, StreamResponseCode code) => publisher.Settle(this, ids, code);

    void ILinkPublisher.Ended(Exception reason) => links.Ended(this, reason);
}
