using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace Wire.AspNetCore.Tests.Testing;

/// <summary>Keeps what is logged.</summary>
internal sealed class LogLines : ILoggerProvider
{
    private readonly ConcurrentQueue<(LogLevel Level, string Text)> _lines = new();

    public string[] All => [.. _lines.Select(line => line.Text)];

    /// <summary>Gets what somebody is to look at.</summary>
    public string[] Errors => [.. _lines.Where(line => line.Level >= LogLevel.Warning).Select(line => line.Text)];

    public ILogger CreateLogger(string categoryName) => new Logger(categoryName, _lines);

    public void Dispose()
    {
    }

    private sealed class Logger(string category, ConcurrentQueue<(LogLevel Level, string Text)> lines) : ILogger
    {
        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Information;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter) =>
            lines.Enqueue((logLevel, $"{category}: {formatter(state, exception)} {exception?.GetType().Name} {exception?.Message}"));
    }
}
