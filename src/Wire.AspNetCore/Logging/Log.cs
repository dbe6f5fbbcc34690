using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;

namespace Wire.AspNetCore.Logging;

/// <summary>All lines of the log. In one class: the code that is generated for several has no order that the sources fix.</summary>
internal static partial class Log
{
    [LoggerMessage(
        4, LogLevel.Warning, "The result of a client, a {Type}, cannot be read: the hub gets an error.", EventName = "ResultUnreadable")]
    public static partial void ResultUnreadable(ILogger logger, Type type, Exception failure);

    [LoggerMessage(
        3,
        LogLevel.Error,
        "A {Message} of SignalR cannot be written, and its receiver gets an error instead. Called method: {Target}",
        EventName = "MessageUnwritable")]
    public static partial void MessageUnwritable(ILogger logger, string message, string? target, Exception failure);

    [LoggerMessage(1, LogLevel.Information, "The body of a request to {Path} was refused: {Reason}", EventName = "BodyRefused")]
    public static partial void BodyRefused(ILogger logger, PathString path, string reason);

    [LoggerMessage(2, LogLevel.Debug, "The body of a request to {Path} was not received: {Reason}", EventName = "BodyNotReceived")]
    public static partial void BodyNotReceived(ILogger logger, PathString path, string reason);
}
