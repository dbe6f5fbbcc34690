using Wire.Amqp.Client.Connections;
using Wire.Amqp.Client.Publishing;
using Wire.Amqp.V091;

namespace Wire.Amqp.Client;

/// <summary>The reason why a message is not known to have arrived.</summary>
public enum AmqpPublishFailure
{
    /// <summary>It came back: no queue is bound for it.</summary>
    Returned,

    /// <summary>A queue has not taken it.</summary>
    Nacked,

    /// <summary>It may or may not have arrived: the channel has ended before the broker confirmed it.</summary>
    Unconfirmed,

    /// <summary>
    /// The broker has closed the channel over a message to its exchange, which is not there (404) or which the user may not write to (403):
    /// published again it is refused again. Messages to the same exchange that were published before that one, and not confirmed, are told
    /// the same, and may have arrived.
    /// </summary>
    Refused,

    /// <summary>It was not sent: as many messages wait already as may (<see cref="AmqpChannelOptions.MaxWaiting"/>).</summary>
    Overflow,
}

/// <summary>A message was published, and is not known to have arrived. The other messages of its channel are not touched by it.</summary>
public sealed class AmqpPublishException : Exception
{
    /// <summary>Says what has become of a message.</summary>
    /// <param name="failure">What has become of it.</param>
    /// <param name="message">The same for people, and what to do.</param>
    /// <param name="exchange">The exchange that it was published to.</param>
    /// <param name="routingKey">The routing key that it was published with.</param>
    /// <param name="messageId">Its id; null where it has none.</param>
    /// <param name="replyCode">The broker's code for the reason; 0 where it gave none.</param>
    /// <param name="replyText">The broker's words for the reason; null where it gave none.</param>
    /// <param name="inner">Why its channel has ended; null where it has not.</param>
    public AmqpPublishException(
        AmqpPublishFailure failure,
        string message,
        string exchange,
        string routingKey,
        string? messageId,
        int replyCode = 0,
        string? replyText = null,
        Exception? inner = null)
        : base(message, inner)
    {
        Failure = failure;
        Exchange = exchange;
        RoutingKey = routingKey;
        MessageId = messageId;
        ReplyCode = replyCode;
        ReplyText = replyText;
    }

    /// <summary>Gets its outcome.</summary>
    public AmqpPublishFailure Failure { get; }

    /// <summary>The exchange that it was published to; empty for the default one.</summary>
    public string Exchange { get; }

    /// <summary>The routing key that it was published with.</summary>
    public string RoutingKey { get; }

    /// <summary>Its id; null where it has none.</summary>
    public string? MessageId { get; }

    /// <summary>
    /// The broker's code for the reason, such as 312 for a message without a route, and 404 where its channel was closed since an exchange
    /// is not there; 0 where it gave none.
    /// </summary>
    public int ReplyCode { get; }

    /// <summary>The broker's words for the reason; null where it gave none.</summary>
    public string? ReplyText { get; }

    /// <summary>Makes the error for a message that came back.</summary>
    public static AmqpPublishException Returned(string exchange, string routingKey, string? messageId, int replyCode, string replyText) =>
        new(
        AmqpPublishFailure.Returned,
        $"{Name(exchange, routingKey, messageId)} came back: {replyCode} {replyText}. No queue is bound for it: declare and bind one, or " +
        "publish it without Mandatory if it may be lost.",
        exchange,
        routingKey,
        messageId,
        replyCode,
        replyText);

    /// <summary>Makes the error for a message that the broker has refused.</summary>
    public static AmqpPublishException Nacked(string exchange, string routingKey, string? messageId) => new(
        AmqpPublishFailure.Nacked,
        $"{Name(exchange, routingKey, messageId)} was refused by the broker: a queue is full and rejects new messages (x-overflow), or " +
        "its quorum is not available. Publish it again later.",
        exchange,
        routingKey,
        messageId);

    /// <summary>Makes the error for a message for which there is no room among those that wait.</summary>
    /// <param name="exchange">The exchange that it was to be published to.</param>
    /// <param name="routingKey">Its routing key.</param>
    /// <param name="messageId">Its id; null where it has none.</param>
    /// <param name="maxWaiting">How many may wait.</param>
    public static AmqpPublishException Overflow(string exchange, string routingKey, string? messageId, int maxWaiting) => new(
        AmqpPublishFailure.Overflow,
        $"{Name(exchange, routingKey, messageId)} was not sent: {maxWaiting:N0} messages already wait for the connection or for " +
        "confirms. Await earlier publishes, or raise MaxWaiting.",
        exchange,
        routingKey,
        messageId);

    /// <summary>Makes the error for a message whose channel has ended before the broker has confirmed it.</summary>
    /// <param name="exchange">The exchange that it was published to.</param>
    /// <param name="routingKey">The routing key that it was published with.</param>
    /// <param name="messageId">Its id; null where it has none.</param>
    /// <param name="end">Why the channel has ended.</param>
    public static AmqpPublishException Unconfirmed(string exchange, string routingKey, string? messageId, Exception end)
    {
        AmqpCloseReason? reason = (end as AmqpChannelException)?.Reason ?? (end as AmqpConnectionException)?.Reason;
        if (reason is not null && IsRefused(exchange, routingKey, reason))
        {
            return new AmqpPublishException(
                AmqpPublishFailure.Refused,
                $"{Name(exchange, routingKey, messageId)} was refused by the broker: {reason.ReplyCode} {reason.ReplyText}. " +
                (reason.ReplyCode == ReplyCodes.NotFound
                    ? "Declare the exchange, or check its name and the virtual host of the connection."
                    : "Check the permissions of the connection's user."),
                exchange,
                routingKey,
                messageId,
                reason.ReplyCode,
                reason.ReplyText,
                end);
        }

        // One of the messages on the channel is why, and only its publisher can tell which: publishing that one again closes the next
        // channel.
        string mend = reason is { Cause: MethodId.BasicPublish, ReplyCode: ReplyCodes.PreconditionFailed }
            ? " If the broker refused this message, mend the cause first."
            : "";
        return new AmqpPublishException(
            AmqpPublishFailure.Unconfirmed,
            $"{Name(exchange, routingKey, messageId)} may or may not have arrived: its channel ended before the broker confirmed it. " +
            $"Publish it again, with the same message id where consumers look for duplicates.{mend} {end.Message}",
            exchange,
            routingKey,
            messageId,
            reason?.ReplyCode ?? 0,
            reason?.ReplyText,
            end);
    }

    internal static AmqpPublishException? Answered(Publication publication) =>
        publication.Return is { } returned
            ? Returned(publication.Exchange.ToString(), publication.RoutingKey.ToString(), IdOf(publication), returned.Code, returned.Text)
        : publication.IsRefused ? Nacked(publication.Exchange.ToString(), publication.RoutingKey.ToString(), IdOf(publication))
        : null;

    internal static AmqpPublishException Unconfirmed(Publication publication, Exception end) =>
        Answered(publication) ?? Unconfirmed(publication.Exchange.ToString(), publication.RoutingKey.ToString(), IdOf(publication), end);

    // The broker's words name the exchange, and the routing key where that is what the user may not use.
    private static bool IsRefused(string exchange, string routingKey, AmqpCloseReason reason) =>
        reason is { Cause: MethodId.BasicPublish, ReplyCode: ReplyCodes.NotFound or ReplyCodes.AccessRefused }
        && Names(reason, exchange.Length == 0 ? "amq.default" : exchange)
        && (!reason.ReplyText.Contains(" topic '", StringComparison.Ordinal) || Names(reason, routingKey));

    private static bool Names(AmqpCloseReason reason, string name) => reason.ReplyText.Contains($"'{name}'", StringComparison.Ordinal);

    private static string? IdOf(Publication publication) => publication.MessageId.IsNull ? null : publication.MessageId.ToString();

    private static string Name(string exchange, string routingKey, string? messageId) =>
        $"The message {(string.IsNullOrEmpty(messageId) ? "" : $"{messageId} ")}to the exchange '{exchange}' with the routing key " +
        $"'{routingKey}'";
}
