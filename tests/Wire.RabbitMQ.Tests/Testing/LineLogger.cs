using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace Wire.RabbitMQ.Tests.Testing;

/// <summary>The log of a consumer or of connections, line by line: the number of an event, its text and its error.</summary>
internal sealed class LineLogger(ConcurrentQueue<string> lines) : ILogger<WireConsumer>, ILogger<WireConnections>
{
    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => true;

    public void Log<TState>(
        LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter) =>
        lines.Enqueue($"{eventId.Id} {formatter(state, exception)} {exception}");
}
