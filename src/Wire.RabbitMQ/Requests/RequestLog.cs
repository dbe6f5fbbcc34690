using Microsoft.Extensions.Logging;

namespace Wire.RabbitMQ.Requests;

/// <summary>The log messages of requests and replies.</summary>
internal static partial class RequestLog
{
    [LoggerMessage(3001, LogLevel.Debug, "Opened a channel for requests.")]
    public static partial void ChannelOpened(ILogger logger);

    [LoggerMessage(
        3002,
        LogLevel.Warning,
        "The channel for requests was lost ({Reason}); {Count} requests waited on it and have failed. The next request opens a new one.")]
    public static partial void ChannelLost(ILogger logger, int count, string reason);

    [LoggerMessage(
        3003, LogLevel.Debug, "A reply came after its request had ended, or belongs to no request of this program: correlation id " +
            "{CorrelationId}.")]
    public static partial void LateReply(ILogger logger, string correlationId);

    [LoggerMessage(
        3004,
        LogLevel.Warning,
        "The request '{MessageId}' of the queue '{Queue}' could not be handled in {Attempts} attempts. The requester gets an error reply.")]
    public static partial void HandlerFailed(ILogger logger, string queue, string? messageId, int attempts, Exception exception);

    [LoggerMessage(
        3005,
        LogLevel.Warning,
        "The error reply to the request '{MessageId}' could not be sent; the requester's time-out ends its wait.")]
    public static partial void NotTold(ILogger logger, string? messageId, Exception exception);
}
