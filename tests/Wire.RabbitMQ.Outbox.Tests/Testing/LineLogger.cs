using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace Wire.RabbitMQ.Outbox.Tests.Testing;

/// <summary>A log, line by line: the number of an event and its text.</summary>
internal sealed class LineLogger : ILogger<OutboxSender>
{
    public ConcurrentQueue<string> Lines { get; } = [];

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => true;

    public void Log<TState>(
        LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter) =>
        Lines.Enqueue($"{eventId.Id} {formatter(state, exception)}");
}
