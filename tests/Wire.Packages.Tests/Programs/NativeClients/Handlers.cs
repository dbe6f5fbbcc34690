using System.Collections.Concurrent;
using System.Threading.Channels;
using Depot;
using Microsoft.Extensions.Logging;
using Wire.RabbitMQ;

/// <summary>What has arrived.</summary>
internal sealed class Arrivals
{
    public Channel<(Crate Crate, string By)> Crates { get; } = Channel.CreateUnbounded<(Crate, string)>();
}

/// <summary>A service of each message's scope.</summary>
internal sealed class Delivered(Arrivals arrivals)
{
    public ValueTask AddAsync(Crate crate, string by) => arrivals.Crates.Writer.WriteAsync((crate, by));
}

internal sealed class CrateHandler(Delivered delivered) : IMessageHandler<Crate>
{
    public async Task HandleAsync(Crate message, MessageContext context) =>
        await delivered.AddAsync(message, (string)context.Headers["by"]!);
}

internal sealed class Pricing(ILogger<Pricing> logger) : IRequestHandler<Quote, Price>
{
    public Task<Price> HandleAsync(Quote request, MessageContext context)
    {
        if (request.Number < 0)
        {
            throw new ArgumentException($"no number {request.Number}");
        }

        logger.LogInformation("Priced");
        return Task.FromResult(new Price(1.5m * request.Number, new Weight((int)request.Size), Stage.Arrived));
    }
}

/// <summary>Keeps what is logged.</summary>
internal sealed class LogLines : ILoggerProvider, ILogger
{
    private readonly ConcurrentQueue<string> _lines = [];

    public IEnumerable<string> Lines => _lines;

    public ILogger CreateLogger(string categoryName) => this;

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Information;

    public void Log<TState>(
        LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter) =>
        _lines.Enqueue(formatter(state, exception));

    public void Dispose()
    {
    }
}
