namespace Wire.RabbitMQ;

/// <summary>Why a message was not published, or is not known to be.</summary>
public enum PublishFailure
{
    /// <summary>It came back: there is no queue that it could be routed to.</summary>
    Returned,

    /// <summary>The broker refused it: a queue is full and rejects what does not fit, or the broker failed.</summary>
    Nacked,

    /// <summary>Its channel or connection was closed before the broker confirmed it: it may or may not have arrived.</summary>
    Unconfirmed,
}
