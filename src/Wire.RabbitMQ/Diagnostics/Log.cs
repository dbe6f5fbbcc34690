using Microsoft.Extensions.Logging;

namespace Wire.RabbitMQ;

/// <summary>
/// All that is logged. The numbers of events stay what they are: 1xx publishing, 2xx consuming, 3xx requests, 4xx the host. What a program has
/// to look into is a warning, or an error where messages wait for somebody; what comes and goes by itself is less.
/// </summary>
internal static partial class Log
{
    [LoggerMessage(300, LogLevel.Debug, "Opened a channel for requests.")]
    public static partial void RequestChannelOpened(ILogger logger);

    [LoggerMessage(301, LogLevel.Warning, "The channel for requests was lost ({Reason}); {Count} requests waited on it and have failed. The next request opens a new one.")]
    public static partial void RequestChannelLost(ILogger logger, int count, string reason);

    [LoggerMessage(302, LogLevel.Debug, "A reply came when nobody waited for it any more, or it was no reply to a request of this program: correlation id {CorrelationId}.")]
    public static partial void LateReply(ILogger logger, string correlationId);

    [LoggerMessage(303, LogLevel.Warning, "The handler of a request from queue {Queue} failed after {Attempts} attempts, and the requester has been told so.")]
    public static partial void RequestHandlerFailed(ILogger logger, string queue, int attempts, Exception exception);
}
