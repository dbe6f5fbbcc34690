using Microsoft.Extensions.Logging;

namespace Wire.Integrations.Buses.Tests.Wolverine;

/// <summary>The exceptions that a host logs: those with which it moves an envelope to the dead letters, among them.</summary>
internal sealed class FailureLog(Inbox<Exception> errors) : ILoggerProvider, ILogger
{
    public ILogger CreateLogger(string categoryName) => this;

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => true;

    public void Log<TState>(
        LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        if (exception is not null)
        {
            errors.Add(exception).Wait();
        }
    }

    public void Dispose()
    {
    }
}
