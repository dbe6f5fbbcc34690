using Microsoft.Extensions.Logging;

namespace Wire.RabbitMQ.Publishing;

/// <summary>The log messages of publishers.</summary>
internal static partial class PublisherLog
{
    [LoggerMessage(1001, LogLevel.Debug, "Opened a publish channel.")]
    public static partial void ChannelOpened(ILogger logger);

    [LoggerMessage(1002, LogLevel.Warning,
        "A publish channel was lost: {Reason}. Its unconfirmed messages have failed; waiting ones go out on the next channel.")]
    public static partial void ChannelClosed(ILogger logger, string reason);

    [LoggerMessage(1003, LogLevel.Error, "No publish channel could be opened; the messages that waited for one have failed.")]
    public static partial void ChannelRefused(ILogger logger, Exception exception);

    [LoggerMessage(
        1004, LogLevel.Information, "A publish channel could not be opened, and its messages go out on another one. {Reason}")]
    public static partial void ChannelShared(ILogger logger, string reason);

    [LoggerMessage(1005, LogLevel.Warning, "The broker accepts no messages for now ({Reason}): publishing waits.")]
    public static partial void Blocked(ILogger logger, string reason);

    [LoggerMessage(1006, LogLevel.Information, "The broker accepts messages again.")]
    public static partial void Unblocked(ILogger logger);

    [LoggerMessage(1007, LogLevel.Warning, "The publisher was disposed of and {Count} messages were not confirmed within {Seconds} s.")]
    public static partial void Abandoned(ILogger logger, int count, double seconds);

    [LoggerMessage(1008, LogLevel.Error, "A listener for this program's activities or metrics has thrown an exception.")]
    public static partial void ListenerFailed(ILogger logger, Exception exception);
}
