using Microsoft.Extensions.Logging;

namespace Bookshop;

/// <summary>What the service logs.</summary>
internal static partial class Log
{
    [LoggerMessage(
        Level = LogLevel.Information,
        Message = "{Type} of {Tenant} in {Time:F1} ms, attempt {Attempt}, {Retries} retries, {Outcome}")]
    public static partial void Handled(
        ILogger logger, string type, string tenant, double time, int attempt, int retries, string outcome);

    [LoggerMessage(Level = LogLevel.Information, Message = "{Event}, as {ContentType}")]
    public static partial void WrittenDown(ILogger logger, ShopEvent @event, string? contentType);

    [LoggerMessage(Level = LogLevel.Information, Message = "an invoice over {Total} for {Tenant}")]
    public static partial void Invoiced(ILogger logger, decimal total, string tenant);

    [LoggerMessage(Level = LogLevel.Information, Message = "{Invoices} invoices and {Events} events: all is handled.")]
    public static partial void AllHandled(ILogger logger, int invoices, int events);

    [LoggerMessage(Level = LogLevel.Information, Message = "The service stops before all is handled; what is left stays in its queues.")]
    public static partial void Stopped(ILogger logger);
}
