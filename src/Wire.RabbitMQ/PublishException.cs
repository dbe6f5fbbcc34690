
namespace Wire.RabbitMQ;

/// <summary>A message was not published, or is not known to be. The other messages of the publisher are not touched by it.</summary>
public sealed class PublishException : Exception
{
    internal PublishException(string message, Exception? inner = null)
        : base(message, inner)
    {
    }

    /// <summary>What happened.</summary>
    public required PublishFailure Failure { get; init; }

    /// <summary>The exchange that the message was published to; empty for the default one.</summary>
    public required string Exchange { get; init; }

    /// <summary>The routing key that it was published with.</summary>
    public required string RoutingKey { get; init; }

    /// <summary>The message's id; null where it had none.</summary>
    public required string? MessageId { get; init; }

    /// <summary>The broker's code for the reason, such as 312 for a message without a route and 404 for an exchange that is not there; 0 where it gave none.</summary>
    public ushort ReplyCode { get; init; }

    /// <summary>The broker's words for the reason; null where it gave none.</summary>
    public string? ReplyText { get; init; }
}

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
