using RabbitMQ.Client;
using RabbitMQ.Client.Events;

namespace Wire.RabbitMQ.Publishing;

/// <summary>What is said of a message that was not published.</summary>
internal static class PublishErrors
{
    /// <summary>Of one that the broker has spoken about; null when all is well.</summary>
    public static PublishException? Answered(PublishOperation operation, bool acked)
    {
        if (operation.Return is { } returned)
        {
            return Make(
                operation,
                PublishFailure.Returned,
                $"came back: {returned.Code} {returned.Text}. No queue is bound for it: declare and bind one, or publish without Mandatory what may be lost.",
                returned.Code,
                returned.Text);
        }

        return acked ? null : Make(
            operation,
            PublishFailure.Nacked,
            "was refused by the broker: a queue is full and rejects what does not fit (x-overflow), or could not take it. Publish it again later.");
    }

    /// <summary>Of one whose channel is gone.</summary>
    public static PublishException Unconfirmed(PublishOperation operation, ShutdownEventArgs? reason, Exception? inner = null)
    {
        if (operation.Return is not null && Answered(operation, acked: true) is { } returned)
        {
            return returned;
        }

        // One of the messages on the channel is why, and only its publisher can tell which: publishing that one again closes the next channel.
        string mend = reason is { Initiator: ShutdownInitiator.Peer, ReplyCode: Constants.AccessRefused or Constants.NotFound or Constants.PreconditionFailed }
            ? " If it is this one that the broker speaks of, mend that first."
            : "";
        string said = reason is null ? "" : $" ({reason.ReplyCode} {reason.ReplyText})";
        return Make(
            operation,
            PublishFailure.Unconfirmed,
            $"may or may not have arrived: its channel was closed{said} before the broker confirmed it. Publish it again, with the same message id where consumers look for duplicates.{mend}",
            reason?.ReplyCode ?? 0,
            reason?.ReplyText,
            inner ?? reason?.Exception);
    }

    private static PublishException Make(PublishOperation operation, PublishFailure failure, string what, ushort code = 0, string? text = null, Exception? inner = null) =>
        new($"The message {operation.MessageId} to the exchange '{operation.Exchange}' with the routing key '{operation.RoutingKey}' {what}", inner)
        {
            Failure = failure,
            Exchange = operation.Exchange,
            RoutingKey = operation.RoutingKey,
            MessageId = operation.MessageId,
            ReplyCode = code,
            ReplyText = text,
        };
}
