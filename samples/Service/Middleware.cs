using System.Diagnostics;
using Microsoft.Extensions.Logging;
using Wire.RabbitMQ;

namespace Bookshop;

/// <summary>For whom messages are published: what comes in with a message goes out with those of its handler.</summary>
/// <param name="Tenant">The tenant.</param>
/// <param name="CorrelationId">What all messages have that follow from one.</param>
internal sealed record Caller(string Tenant, string CorrelationId)
{
    private static readonly AsyncLocal<Caller?> Ambient = new();

    public static Caller Current
    {
        get => Ambient.Value ?? new Caller("nobody", Guid.NewGuid().ToString());
        set => Ambient.Value = value;
    }

    /// <summary>Returns the options with the header and the id.</summary>
    public PublishOptions AddTo(PublishOptions options) => options with
    {
        CorrelationId = options.CorrelationId ?? CorrelationId,
        Headers = new Dictionary<string, object?>(options.Headers ?? new Dictionary<string, object?>()) { ["tenant"] = Tenant },
    };
}

#region header
/// <summary>Adds a header to each message, and what it follows from.</summary>
internal sealed class TenantHeader : IPublishMiddleware
{
    public ValueTask PublishAsync(Publication publication, PublishHandler next, CancellationToken cancellationToken) =>
        next(publication with { Options = Caller.Current.AddTo(publication.Options ?? new PublishOptions()) }, cancellationToken);
}
#endregion

/// <summary>Stands around all handlers: knows the caller, and logs how long it took.</summary>
internal sealed class Handling(ILogger<Handling> logger) : IConsumeMiddleware
{
    public async Task HandleAsync(object message, MessageContext context, MessageHandler next)
    {
        var caller = new Caller(
            context.Headers.TryGetValue("tenant", out object? tenant) ? $"{tenant}" : "nobody",
            context.CorrelationId ?? context.MessageId ?? Guid.NewGuid().ToString());
        Caller.Current = caller; // for what is published from here on, and no further
        long begun = Stopwatch.GetTimestamp();
        string outcome = "failed";
        try
        {
            await next(message, context);
            outcome = context.Outcome.ToString();
        }
        finally
        {
            string type = message.GetType().Name;
            double time = Stopwatch.GetElapsedTime(begun).TotalMilliseconds;
            Log.Handled(logger, type, caller.Tenant, time, context.Attempt, context.DelayedRetries, outcome);
        }
    }
}
