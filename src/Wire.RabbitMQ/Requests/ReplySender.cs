using Microsoft.Extensions.Logging;
using Wire.Amqp.V091;
using Wire.RabbitMQ.Connections;

namespace Wire.RabbitMQ.Requests;

/// <summary>Sends the replies of a consumer's handlers. Nothing is created before the first one.</summary>
internal sealed class ReplySender(PublishingConnection publishing, WireBodySerializer serializer, ILogger logger)
{
    // A reply is useful only while its requester waits: it is not persistent, and is dropped when the requester is gone.
    private static readonly WirePublisherOptions Options = new() { Mandatory = false, Persistent = false };

    private readonly Lazy<WirePublisher> _publisher = new(
        () => new WirePublisher(publishing.GetAsync, serializer, Options, logger));

    /// <summary>Sends a reply, and waits until the broker has it.</summary>
    public Task SendAsync<T>(MessageContext request, T reply) =>
        SendAsync(request.ReplyTo!, request.CorrelationId, reply, null, request.CancellationToken);

    /// <summary>Sends an error reply, and waits until the broker has it.</summary>
    public Task FailAsync(MessageContext request, Exception reason) =>
        FailAsync(request.ReplyTo!, request.CorrelationId, reason, request.CancellationToken);

    /// <summary>
    /// Sends an error reply if one is awaited. If that fails, the requester's time-out ends its wait.
    /// </summary>
    public async Task RefuseAsync(BasicProperties request, Exception reason, CancellationToken cancellationToken)
    {
        if (request.ReplyTo.IsEmpty)
        {
            return;
        }

        try
        {
            await FailAsync(request.ReplyTo.ToString(), request.CorrelationId.Text(), reason, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            RequestLog.NotTold(logger, request.MessageId.Text(), e);
        }
    }

    /// <summary>Sends no more.</summary>
    /// <param name="cancellationToken">Ends the wait for the broker.</param>
    public Task CloseAsync(CancellationToken cancellationToken) =>
        _publisher.IsValueCreated ? _publisher.Value.CloseAsync(cancellationToken) : Task.CompletedTask;

    private async Task FailAsync(string replyTo, string? correlationId, Exception reason, CancellationToken cancellationToken)
    {
        int frameMax = (await publishing.GetAsync(cancellationToken).ConfigureAwait(false)).FrameMax;
        await SendAsync<object?>(replyTo, correlationId, null, ReplyHeaders.Create(reason, frameMax), cancellationToken)
            .ConfigureAwait(false);
    }

    private async Task SendAsync<T>(
        string replyTo, string? correlationId, T reply, IReadOnlyDictionary<string, object?>? headers, CancellationToken cancellationToken)
    {
        var options = new PublishOptions { CorrelationId = correlationId, Headers = headers };
        await _publisher.Value.PublishAsync("", replyTo, reply, options, cancellationToken).ConfigureAwait(false);
    }
}
