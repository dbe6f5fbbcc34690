using Microsoft.Extensions.Logging;
using Wire.Amqp.V091;
using Wire.RabbitMQ.Connections;

namespace Wire.RabbitMQ.Requests;

/// <summary>Sends the replies of a consumer's handlers. Makes nothing before the first.</summary>
internal sealed class ReplySender(WireConnection connection, WireBodySerializer serializer, ILogger logger) : IAsyncDisposable
{
    // A reply is of use while somebody waits for it: it survives no restart of the broker, and where nobody waits any more it is dropped.
    private static readonly WirePublisherOptions Options = new() { Mandatory = false, Persistent = false };

    private readonly Lazy<WirePublisher> _publisher = new(
        () => new WirePublisher(_ => Task.FromResult(connection), serializer, Options, logger));

    /// <summary>Sends a reply, and waits until the broker has it.</summary>
    public Task SendAsync<T>(MessageContext request, T reply, IReadOnlyDictionary<string, object?>? headers) =>
        SendAsync(request.ReplyTo!, request.CorrelationId, reply, headers, request.CancellationToken);

    /// <summary>Tells who asked, if a reply is awaited, that no handler will give one. Where that fails, they find out by their time-out.</summary>
    public async Task RefuseAsync(BasicProperties request, Exception reason, CancellationToken cancellationToken)
    {
        if (request.ReplyTo.IsEmpty)
        {
            return;
        }

        try
        {
            await SendAsync<object?>(
                request.ReplyTo.ToString(),
                request.CorrelationId.Text(),
                null,
                ReplyHeaders.Of(reason, connection.FrameMax),
                cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            RequestLog.NotTold(logger, request.MessageId.Text(), e);
        }
    }

    public ValueTask DisposeAsync() => _publisher.IsValueCreated ? _publisher.Value.DisposeAsync() : ValueTask.CompletedTask;

    private async Task SendAsync<T>(string replyTo, string? correlationId, T reply, IReadOnlyDictionary<string, object?>? headers, CancellationToken cancellationToken)
    {
        var options = new PublishOptions { CorrelationId = correlationId, Headers = headers };
        await _publisher.Value.PublishAsync("", replyTo, reply, options, cancellationToken).ConfigureAwait(false);
    }
}
