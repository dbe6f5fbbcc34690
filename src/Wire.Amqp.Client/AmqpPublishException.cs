using Wire.Amqp.Client.Publishing;

namespace Wire.Amqp.Client;

/// <summary>Why a message is not known to have arrived.</summary>
public enum AmqpPublishFailure
{
    /// <summary>It came back: no queue is bound for it.</summary>
    Returned,

    /// <summary>The broker has refused it.</summary>
    Nacked,

    /// <summary>It may or may not have arrived: the channel has ended before the broker confirmed it.</summary>
    Unconfirmed,
}

/// <summary>A message was published, and is not known to have arrived.</summary>
public sealed class AmqpPublishException : Exception
{
    internal AmqpPublishException(AmqpPublishFailure failure, string message, ushort replyCode = 0, string? replyText = null, Exception? inner = null)
        : base(message, inner)
    {
        Failure = failure;
        ReplyCode = replyCode;
        ReplyText = replyText;
    }

    /// <summary>What has become of it.</summary>
    public AmqpPublishFailure Failure { get; }

    /// <summary>Why it came back, for programs: 312 when no queue is bound for it; 0 where it did not come back.</summary>
    public ushort ReplyCode { get; }

    /// <summary>Why it came back, for people; null where it did not.</summary>
    public string? ReplyText { get; }

    internal static AmqpPublishException? Answered(Publication publication) => publication.Return is { } returned
        ? new AmqpPublishException(
            AmqpPublishFailure.Returned,
            $"The message {publication.MessageId} to the exchange '{publication.Exchange}' with the routing key '{publication.RoutingKey}' came back: {returned.Code} {returned.Text}. No queue is bound for it: declare and bind one, or publish without Mandatory what may be lost.",
            returned.Code,
            returned.Text)
        : !publication.IsRefused ? null : new AmqpPublishException(
            AmqpPublishFailure.Nacked,
            "The message was refused by the broker: a queue is full and rejects what does not fit (x-overflow), or could not take it. Publish it again later.");

    internal static AmqpPublishException Unconfirmed(Publication publication, Exception end) =>
        Answered(publication) ?? new AmqpPublishException(
            AmqpPublishFailure.Unconfirmed,
            $"The message may or may not have arrived: its channel has ended before the broker confirmed it. Publish it again, with the same message id where consumers look for duplicates. {end.Message}",
            inner: end);
}
