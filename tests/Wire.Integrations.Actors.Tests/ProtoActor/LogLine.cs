using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using Microsoft.Extensions.Logging;
using Proto;

namespace Wire.Integrations.Actors.Tests.ProtoActor;

/// <summary>A line of Proto.Actor's log, which the process has one of.</summary>
internal sealed record LogLine(LogLevel Level, Exception? Cause, string Text)
{
    private static readonly ConcurrentDictionary<TaskCompletionSource<LogLine>, Func<LogLine, bool>> Awaited = [];

    /// <summary>Takes the log, before a type of Proto.Actor has asked for its logger.</summary>
    [ModuleInitializer]
    public static void Take() => Log.SetLoggerFactory(LoggerFactory.Create(logging => logging.AddProvider(new Provider())));

    /// <summary>Gets the next line that fits.</summary>
    public static Task<LogLine> Next(Func<LogLine, bool> fits)
    {
        var found = new TaskCompletionSource<LogLine>(TaskCreationOptions.RunContinuationsAsynchronously);
        Awaited[found] = fits;
        return found.Task;
    }

    private sealed class Provider : ILoggerProvider, ILogger
    {
        public ILogger CreateLogger(string categoryName) => this;

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Warning;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            var line = new LogLine(logLevel, exception, formatter(state, exception));
            foreach ((TaskCompletionSource<LogLine> found, Func<LogLine, bool> fits) in Awaited)
            {
                if (fits(line) && found.TrySetResult(line))
                {
                    Awaited.TryRemove(found, out _);
                }
            }
        }

        public void Dispose()
        {
        }
    }
}
