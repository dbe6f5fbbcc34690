using Microsoft.Extensions.Logging;

namespace Wire.RabbitMQ.Outbox.Sending;

/// <summary>The log messages of senders.</summary>
internal static partial class SenderLog
{
    [LoggerMessage(
        5001, LogLevel.Warning,
        "Message {MessageId} of the outbox (id {Id}) was not sent, attempt {Attempt}, and is tried again in {Seconds} s. {Reason}")]
    public static partial void NotSent(ILogger logger, string messageId, long id, int attempt, double seconds, string reason);

    [LoggerMessage(
        5002, LogLevel.Warning, "No message of the outbox reaches the broker for now: they wait in the database, and are tried again.")]
    public static partial void Out(ILogger logger, Exception exception);

    [LoggerMessage(5003, LogLevel.Information, "Messages of the outbox reach the broker again.")]
    public static partial void Back(ILogger logger);

    [LoggerMessage(5004, LogLevel.Error, "The database of the outbox has failed a sender, which tries again in {Seconds} s.")]
    public static partial void DatabaseFailed(ILogger logger, double seconds, Exception exception);

    [LoggerMessage(
        5005, LogLevel.Error,
        "{Count} messages of the outbox were sent, and could not be deleted: they are sent once more when their claim is over, with the " +
        "same ids.")]
    public static partial void NotDeleted(ILogger logger, int count, Exception exception);

    [LoggerMessage(
        5006, LogLevel.Error,
        "What is old in the inbox could not be deleted. It is tried again in {Seconds} s; messages are sent meanwhile.")]
    public static partial void NotPurged(ILogger logger, double seconds, Exception exception);

    [LoggerMessage(
        5007, LogLevel.Error,
        "The database of the outbox has failed a sender that was stopping: what is due stays in the outbox for the next one.")]
    public static partial void LeftForLater(ILogger logger, Exception exception);

    [LoggerMessage(
        5008, LogLevel.Error,
        "The database of the outbox has not answered within {Seconds} s after the time for stopping: messages that were sent may be sent " +
        "once more, with the same ids.")]
    public static partial void Abandoned(ILogger logger, double seconds);
}
