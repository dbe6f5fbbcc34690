using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Wire.RabbitMQ.Diagnostics;

/// <summary>
/// A wrapper that swallows failures of the program's logger, such as a full disk: an exception in the middle of a delivery or a channel's
/// end would otherwise stop the consumer for ever.
/// </summary>
internal sealed class SafeLogger : ILogger
{
    private readonly ILogger _logger;

    private SafeLogger(ILogger logger) => _logger = logger;

    /// <summary>Wraps a logger; null gives one that logs nothing.</summary>
    public static ILogger Wrap(ILogger? logger) => logger switch
    {
        null => NullLogger.Instance,
        SafeLogger => logger,
        _ => new SafeLogger(logger),
    };

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => _logger.BeginScope(state);

    public bool IsEnabled(LogLevel logLevel)
    {
        try
        {
            return _logger.IsEnabled(logLevel);
        }
        catch (Exception)
        {
            return false;
        }
    }

    public void Log<TState>(
        LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        try
        {
            _logger.Log(logLevel, eventId, state, exception, formatter);
        }
        catch (Exception)
        {
            // The logger itself has failed, so there is nothing to log to.
        }
    }
}
