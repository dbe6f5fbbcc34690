using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Wire.RabbitMQ.Diagnostics;

namespace Wire.RabbitMQ.Streams.Hosting.Services;

/// <summary>The log messages of a host's streams.</summary>
internal static partial class HostingLog
{
    /// <summary>
    /// Finds the program's logger, which does not throw: in the middle of a message that would end the consumer. Null for none.
    /// </summary>
    public static ILogger? Find(IServiceProvider provider) =>
        provider.GetService<ILogger<StreamClient>>() is { } logger ? SafeLogger.Wrap(logger) : null;

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

    [LoggerMessage(4104, LogLevel.Warning, "The handler of '{Stream}' has failed, and is called again: {Reason}")]
    public static partial void TriedAgain(ILogger logger, string stream, string reason, Exception exception);

    [LoggerMessage(4105, LogLevel.Error, "{Reason} It goes to the error stream.")]
    public static partial void Moved(ILogger logger, string reason, Exception? exception);

    [LoggerMessage(4106, LogLevel.Error, "{Reason} It is left out.")]
    public static partial void Skipped(ILogger logger, string reason, Exception? exception);

    /// <summary>Returns options with which failed attempts, and what becomes of their messages, are logged.</summary>
    public static StreamConsumerOptions Logged(this StreamConsumerOptions options, ILogger logger, string stream) => options with
    {
        Retry = options.Retry with
        {
            ShouldRetry = e =>
            {
                bool isTriedAgain = options.Retry.ShouldRetry?.Invoke(e) != false;
                if (isTriedAgain)
                {
                    TriedAgain(logger, stream, e.Message, e);
                }

                return isTriedAgain;
            },
        },
        OnFailure = failure =>
        {
            StreamFailedMessage what = options.OnFailure?.Invoke(failure) ?? StreamFailedMessage.End;
            if (what == StreamFailedMessage.ErrorStream && !failure.IsChunk)
            {
                Moved(logger, failure.Message, failure.InnerException);
            }
            else if (what == StreamFailedMessage.Skip)
            {
                Skipped(logger, failure.Message, failure.InnerException);
            }

            return what;
        },
    };

    [LoggerMessage(4102, LogLevel.Warning, "{Recovery}")]
    private static partial void Recovering(ILogger logger, StreamRecovery recovery);

    [LoggerMessage(4103, LogLevel.Information, "{Recovery}")]
    private static partial void Recovered(ILogger logger, StreamRecovery recovery);
}
