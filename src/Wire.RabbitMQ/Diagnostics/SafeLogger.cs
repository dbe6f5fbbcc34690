using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Wire.RabbitMQ.Diagnostics;

/// <summary>
/// A program's logger whose own failures, such as a full disk, stay its own: what is logged in the middle of a delivery or a channel's end
/// would otherwise keep the rest from being done, and a consumer would stand still for good.
/// </summary>
internal sealed class SafeLogger : ILogger
{
    private readonly ILogger _logger;

    private SafeLogger(ILogger logger) => _logger = logger;

    /// <summary>The safe one of a logger; of none, one that logs nothing.</summary>
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
