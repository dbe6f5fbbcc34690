using Microsoft.Extensions.Logging;

namespace Wire.RabbitMQ.Hosting;

/// <summary>The log messages of a host's services.</summary>
internal static partial class HostingLog
{
    [LoggerMessage(4001, LogLevel.Information, "Connected '{Name}' to {Endpoint}.")]
    public static partial void Connected(ILogger logger, string name, string endpoint);

    [LoggerMessage(4002, LogLevel.Warning, "No broker was reached at {Endpoints}; it is tried again.")]
    public static partial void NotReached(ILogger logger, string endpoints, Exception exception);

    [LoggerMessage(4003, LogLevel.Warning, "The connection '{Name}' was lost: {Reason} The client connects again.")]
    public static partial void Lost(ILogger logger, string name, string reason);

    [LoggerMessage(4004, LogLevel.Information, "The connection '{Name}' is back.")]
    public static partial void Recovered(ILogger logger, string name);

    [LoggerMessage(4005, LogLevel.Warning, "The broker accepts no messages over '{Name}' for now ({Reason}): publishing waits.")]
    public static partial void Blocked(ILogger logger, string name, string reason);

    [LoggerMessage(4006, LogLevel.Information, "The broker accepts messages over '{Name}' again.")]
    public static partial void Unblocked(ILogger logger, string name);

    [LoggerMessage(4007, LogLevel.Warning, "The credentials of the connection '{Name}' were not renewed: {Reason} It is tried again.")]
    public static partial void NotRenewed(ILogger logger, string name, string reason);
}
