using Microsoft.Extensions.Logging;

namespace Wire.RabbitMQ;

/// <summary>Sends the replies of a consumer's handlers. Makes nothing before the first.</summary>
internal sealed class ReplySender(ChannelSource source, WireBodySerializer serializer, ILogger logger) : IAsyncDisposable
{
    // A reply is of use while somebody waits for it: it survives no restart of the broker, and where nobody waits any more it is dropped.
    private static readonly WirePublisherOptions Options = new() { Mandatory = false, Persistent = false };

    private readonly Lazy<WirePublisher> _publisher = new(() => new WirePublisher(source, serializer, Options, logger));

    /// <summary>Sends a reply, and waits until the broker has it.</summary>
    public async Task SendAsync<T>(MessageContext request, T reply, IReadOnlyDictionary<string, object?>? headers)
    {
        var options = new PublishOptions { CorrelationId = request.CorrelationId, Headers = headers };
        await _publisher.Value.PublishAsync("", request.ReplyTo!, reply, options, request.CancellationToken).ConfigureAwait(false);
    }

    public ValueTask DisposeAsync() => _publisher.IsValueCreated ? _publisher.Value.DisposeAsync() : ValueTask.CompletedTask;
}
