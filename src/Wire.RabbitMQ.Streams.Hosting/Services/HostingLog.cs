using Microsoft.Extensions.Logging;

namespace Wire.RabbitMQ.Streams.Hosting.Services;

/// <summary>The log messages of a host's streams.</summary>
internal static partial class HostingLog
{
    /// <summary>Logs an event in the recovery of a producer or consumer.</summary>
    public static void Recovery(ILogger logger, StreamRecovery recovery)
    {
        if (recovery.IsBack)
        {
            Recovered(logger, recovery);
        }
        else
        {
            Recovering(logger, recovery);
        }
    }

    [LoggerMessage(4101, LogLevel.Error, "The consumer of '{Stream}' has ended: {Reason}")]
    public static partial void Ended(ILogger logger, string stream, string reason, Exception exception);

    [LoggerMessage(4102, LogLevel.Warning, "{Recovery}")]
    private static partial void Recovering(ILogger logger, StreamRecovery recovery);

    [LoggerMessage(4103, LogLevel.Information, "{Recovery}")]
    private static partial void Recovered(ILogger logger, StreamRecovery recovery);
}
