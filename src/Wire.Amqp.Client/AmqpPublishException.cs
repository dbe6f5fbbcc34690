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
    /// The broker has closed the channel over such a message: its exchange is not there (404), the user may not write to it (403), or it
    /// does not take such a size, user id or expiration (406); or, where unconfirmed messages are sent again, it has closed the connection
    /// over it three times. Published again it is refused again. Messages with the same that were published before that one, and not
    /// confirmed, are told the same, and may have arrived.
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

    /// <summary>
    /// Makes the error for a message whose channel has ended before the broker has confirmed it: that it was refused, where the broker's
    /// words name what the message has, and otherwise that it may have arrived.
    /// </summary>
    /// <param name="method">What it was published with.</param>
    /// <param name="properties">Its properties.</param>
    /// <param name="bodySize">How many bytes its body has.</param>
    /// <param name="end">Why the channel has ended.</param>
    public static AmqpPublishException Unconfirmed(
        in BasicPublish method, in BasicProperties properties, long bodySize, Exception end)
    {
        string exchange = method.Exchange.ToString(), routingKey = method.RoutingKey.ToString();
        string? messageId = properties.MessageId.IsNull ? null : properties.MessageId.ToString();
        AmqpCloseReason? reason = (end as AmqpChannelException)?.Reason ?? (end as AmqpConnectionException)?.Reason;
        string? refusal = reason is { Cause: MethodId.BasicPublish }
            ? Remedy(exchange, routingKey, in properties, bodySize, reason)
            : null;
        return refusal is null
            ? new AmqpPublishException(
                AmqpPublishFailure.Unconfirmed,
                $"{Name(exchange, routingKey, messageId)} may or may not have arrived: its channel ended before the broker confirmed it. " +
                $"{Blame(end, reason)}Publish it again, with the same message id where consumers look for duplicates. {end.Message}",
                exchange,
                routingKey,
                messageId,
                reason?.ReplyCode ?? 0,
                reason?.ReplyText,
                end)
            : new AmqpPublishException(
                AmqpPublishFailure.Refused,
                $"{Name(exchange, routingKey, messageId)} was refused by the broker: {reason!.ReplyCode} {reason.ReplyText}. {refusal}",
                exchange,
                routingKey,
                messageId,
                reason.ReplyCode,
                reason.ReplyText,
                end);
    }

    internal static AmqpPublishException? Answered(Publication publication) =>
        publication.Return is { } returned
            ? Returned(publication.Exchange.ToString(), publication.RoutingKey.ToString(), IdOf(publication), returned.Code, returned.Text)
        : publication.IsRefused ? Nacked(publication.Exchange.ToString(), publication.RoutingKey.ToString(), IdOf(publication))
        : null;

    internal static AmqpPublishException Unconfirmed(Publication publication, Exception end) =>
        Answered(publication)
        ?? (publication.Losses == Suspects.MostLosses ? Fatal(publication, end) : Unconfirmed(
            new BasicPublish { Exchange = publication.Exchange, RoutingKey = publication.RoutingKey },
            new BasicProperties
            {
                MessageId = publication.MessageId,
                UserId = publication.UserId,
                Expiration = publication.Expiration,
            },
            publication.BodySize,
            end));

    // Resent, it would be so for ever, with everything behind it.
    private static AmqpPublishException Fatal(Publication publication, Exception end)
    {
        string exchange = publication.Exchange.ToString(), routingKey = publication.RoutingKey.ToString();
        AmqpCloseReason? reason = (end as AmqpConnectionException)?.Reason;
        return new AmqpPublishException(
            AmqpPublishFailure.Refused,
            $"{Name(exchange, routingKey, IdOf(publication))} is not sent again: {Suspects.MostLosses} times the broker has closed the " +
            "connection while it was under way, at last with no other that could be the reason. Look at its headers and properties, and " +
            $"into the broker's log. {end.Message}",
            exchange,
            routingKey,
            IdOf(publication),
            reason?.ReplyCode ?? 0,
            reason?.ReplyText,
            end);
    }

    // One of the messages that were under way is why, and only its publisher can tell which: published again, that one does it again.
    private static string Blame(Exception end, AmqpCloseReason? reason) => reason switch
    {
        { Cause: MethodId.BasicPublish, ReplyCode: ReplyCodes.PreconditionFailed } =>
            "If the broker refused this message, mend the cause first. ",
        { ReplyCode: >= ReplyCodes.LeastOfConnectionErrors } when end is AmqpConnectionException =>
            "The broker closed the connection over an error, of which this message may be the reason: if that happens again with it, do " +
            "not publish it any more, and look at its headers. ",
        _ => "",
    };

    // What to do where the broker's words name what the message has; null where they do not. They name the exchange, and the routing key
    // where that is what the user may not use.
    private static string? Remedy(
        string exchange, string routingKey, in BasicProperties properties, long bodySize, AmqpCloseReason reason)
    {
        switch (reason.ReplyCode)
        {
            case ReplyCodes.NotFound or ReplyCodes.AccessRefused
                when Names(reason, exchange.Length == 0 ? "amq.default" : exchange)
                && (!reason.ReplyText.Contains(" topic '", StringComparison.Ordinal) || Names(reason, routingKey)):
                return reason.ReplyCode == ReplyCodes.NotFound
                    ? "Declare the exchange, or check its name and the virtual host of the connection."
                    : "Check the permissions of the connection's user.";
            case ReplyCodes.PreconditionFailed when Says(reason, $"message size {bodySize} "):
                return "Send smaller messages, or raise max_message_size of the broker.";
            case ReplyCodes.PreconditionFailed
                when !properties.UserId.IsNull && Says(reason, $"user_id property set to '{properties.UserId}'"):
                return "Leave the user id out, or set it to the connection's user.";
            case ReplyCodes.PreconditionFailed
                when !properties.Expiration.IsNull && Says(reason, $"expiration '{properties.Expiration}'"):
                return "Set the expiration to milliseconds in decimal digits.";
            default:
                return null;
        }
    }

    private static bool Says(AmqpCloseReason reason, string words) => reason.ReplyText.Contains(words, StringComparison.Ordinal);

    private static bool Names(AmqpCloseReason reason, string name) => Says(reason, $"'{name}'");

    private static string? IdOf(Publication publication) => publication.MessageId.IsNull ? null : publication.MessageId.ToString();

    private static string Name(string exchange, string routingKey, string? messageId) =>
        $"The message {(string.IsNullOrEmpty(messageId) ? "" : $"{messageId} ")}to the exchange '{exchange}' with the routing key " +
        $"'{routingKey}'";
}
