using Microsoft.Extensions.Logging;

namespace Wire.RabbitMQ.Publishing;

/// <summary>The log messages of publishers.</summary>
internal static partial class PublisherLog
{
    [LoggerMessage(1001, LogLevel.Debug, "Opened a channel to publish on.")]
    public static partial void ChannelOpened(ILogger logger);

    [LoggerMessage(1002, LogLevel.Warning,
        "A channel that was published on is gone: {Reason}. What was not confirmed on it has failed, and what waits goes out on the next.")]
    public static partial void ChannelClosed(ILogger logger, string reason);

    [LoggerMessage(1003, LogLevel.Error, "No channel could be opened to publish on; the messages that waited for one have failed.")]
    public static partial void ChannelRefused(ILogger logger, Exception exception);

    [LoggerMessage(1005, LogLevel.Warning, "The broker takes no messages for now ({Reason}): publishing waits.")]
    public static partial void Blocked(ILogger logger, string reason);

    [LoggerMessage(1006, LogLevel.Information, "The broker takes messages again.")]
    public static partial void Unblocked(ILogger logger);

    [LoggerMessage(1007, LogLevel.Warning, "The publisher was disposed of and {Count} messages were not confirmed within {Seconds} s.")]
    public static partial void Abandoned(ILogger logger, int count, double seconds);

    [LoggerMessage(1008, LogLevel.Error, "What listens to the spans or numbers of this program has failed.")]
    public static partial void ListenerFailed(ILogger logger, Exception exception);
}
