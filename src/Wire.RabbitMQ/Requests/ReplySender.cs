using Microsoft.Extensions.Logging;
using Wire.Amqp.V091;
using Wire.RabbitMQ.Connections;
using Wire.RabbitMQ.Consuming;

namespace Wire.RabbitMQ.Requests;

/// <summary>Sends the replies of a consumer's handlers. Nothing is created before the first one.</summary>
internal sealed class ReplySender(PublishingConnection publishing, WireBodySerializer serializer, ILogger logger)
{
    // A reply is useful only while its requester waits: it is not persistent, and is dropped when the requester is gone.
    private static readonly WirePublisherOptions Options = new() { Mandatory = false, Persistent = false };

    private readonly Lazy<WirePublisher> _publisher = new(
        () => new WirePublisher(publishing.GetAsync, serializer, Options, logger));

    /// <summary>Has a handler reply to a request, or sends an error reply when it has failed for the last time.</summary>
    /// <param name="handle">The handler.</param>
    /// <param name="request">The request.</param>
    /// <param name="options">Decide on its failures.</param>
    public async Task ReplyAsync<T>(Func<Task<T>> handle, MessageContext request, WireConsumerOptions options)
    {
        if (string.IsNullOrEmpty(request.ReplyTo))
        {
            throw new InvalidOperationException(
                $"The message is not a request, because it has no ReplyTo address, and its handler replies. Send it " +
                $"with {nameof(WireRequester)}, or handle it with Handle<T>.");
        }

        try
        {
            T reply = await handle().ConfigureAwait(false);
            if (request.Outcome.Kind == OutcomeKind.Ack)
            {
                await SendAsync(request, reply).ConfigureAwait(false);
            }
        }
        catch (Exception e) when (!request.CancellationToken.IsCancellationRequested)
        {
            // One whose handler is cancelled by the end of the consumer returns to the queue.
            Exception error = e;
            if (request.Fail(options, ref error).Kind != OutcomeKind.LastFailure)
            {
                throw;
            }

            // This includes a reply that cannot be serialized. If the broker accepts no replies, this one fails too, and so does the
            // request.
            RequestLog.HandlerFailed(logger, options.Queue, request.MessageId, request.Attempt, error);
            try
            {
                await FailAsync(request, error).ConfigureAwait(false);
            }
            catch (Exception unsent)
            {
                throw new AggregateException(error, unsent);
            }

            request.Outcome = MessageOutcome.Ack;
        }
    }

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

    private Task SendAsync<T>(MessageContext request, T reply) =>
        SendAsync(request.ReplyTo!, request.CorrelationId, reply, null, request.CancellationToken);

    private Task FailAsync(MessageContext request, Exception reason) =>
        FailAsync(request.ReplyTo!, request.CorrelationId, reason, request.CancellationToken);

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
