using System.Buffers;
using Microsoft.Extensions.Logging;
using RabbitMQ.Client;
using Wire.Amqp.Client;
using Wire.RabbitMQ.Connections;
using Wire.RabbitMQ.Connections.Lane;
using Wire.RabbitMQ.Diagnostics;
using Wire.RabbitMQ.Publishing;

namespace Wire.RabbitMQ;

/// <summary>
/// Publishes objects, each with a task that ends when the broker has confirmed the message. Thread-safe: make one for a connection and use it
/// everywhere. Nothing is allocated for a message but its id once the publisher is warm.
/// </summary>
/// <remarks>
/// Await each message, or start many and await them together: the second is many times as fast. Messages with the same
/// <see cref="PublishOptions.OrderingKey"/> are published in the order of the calls, others side by side. When more messages wait for the broker
/// than <see cref="WirePublisherOptions.MaxInFlight"/> allows, further ones wait their turn as small objects. A connection that is lost is waited
/// for: messages that were not sent go out when it is back, and those that were sent and not confirmed fail, since nobody knows.
/// </remarks>
public sealed class WirePublisher : IAsyncDisposable
{
    private readonly WirePublisherOptions _options;
    private readonly ILogger _logger;
    private readonly PublishLane[] _lanes;
    private readonly Lazy<Task> _disposal;
    private readonly IDisposable? _blocking;

    /// <summary>Makes a publisher. Channels are opened when the first messages need them.</summary>
    /// <param name="connection">The connection, which stays the caller's. With AutomaticRecoveryEnabled, the client's default, the publisher survives its loss.</param>
    /// <param name="serializer">What writes the bodies.</param>
    /// <param name="options">How to publish; the defaults when left out.</param>
    /// <param name="logger">Told of channels that are opened and lost; nobody when left out.</param>
    public WirePublisher(IConnection connection, WireBodySerializer serializer, WirePublisherOptions? options = null, ILogger<WirePublisher>? logger = null)
        : this(ClientConnection.Of(connection), serializer, options ?? new WirePublisherOptions(), logger)
    {
    }

    /// <summary>Makes a publisher on a connection of the direct lane: objects are serialized straight into the frames that are sent.</summary>
    /// <param name="connection">
    /// The connection, which stays the caller's. With <see cref="AmqpConnectionOptions.Recovery"/>, which is on by default, the publisher survives its loss.
    /// </param>
    /// <param name="serializer">What writes the bodies, and not the connection's own.</param>
    /// <param name="options">How to publish; the defaults when left out.</param>
    /// <param name="logger">Told of channels that are opened and lost; nobody when left out.</param>
    public WirePublisher(AmqpConnection connection, WireBodySerializer serializer, WirePublisherOptions? options = null, ILogger<WirePublisher>? logger = null)
        : this(LaneConnection.Of(connection), serializer, options ?? new WirePublisherOptions(), logger)
    {
    }

    /// <summary>The same on a connection of any kind.</summary>
    internal WirePublisher(IBrokerConnection connection, WireBodySerializer serializer, WirePublisherOptions options, ILogger? logger)
        : this(new ChannelSource(connection, options.RecoveryTimeout), serializer, options, logger) => _blocking = connection.WatchBlocking(OnBlocking);

    /// <summary>The same on a connection that is made when the first message needs it. Who makes it hears when the broker blocks it.</summary>
    internal WirePublisher(ChannelSource source, WireBodySerializer serializer, WirePublisherOptions options, ILogger? logger)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        _options = options;
        _logger = SafeLogger.Of(logger);
        _lanes = [.. Enumerable.Range(0, _options.MaxChannels).Select(_ => new PublishLane(source, serializer, _options, _logger))];
        _disposal = new Lazy<Task>(DisposeOnceAsync);
        Telemetry.PublishesInFlight.Add(this, static publisher => publisher._lanes.Sum(static lane => lane.Load));
    }

    /// <summary>Publishes an object.</summary>
    /// <param name="exchange">The exchange; empty for the default one. It has to exist: otherwise the broker closes the channel, and messages in flight on it fail as unconfirmed.</param>
    /// <param name="routingKey">The routing key, at most 255 bytes; the name of a queue with the default exchange.</param>
    /// <param name="message">The object; may be null. It is read when its turn has come, on this thread or another, so leave it as it is until the task has ended.</param>
    /// <param name="options">What it is published with; the publisher's own options where left out.</param>
    /// <param name="cancellationToken">
    /// Ends the task. A message that waits is not published then; one that has been sent may still arrive.
    /// </param>
    /// <returns>A task that ends when the broker has confirmed the message. Await it once; AsTask() makes one for Task.WhenAll.</returns>
    /// <exception cref="ArgumentException">The exchange or routing key is longer than 255 bytes or not to be written in UTF-8, or the headers do not fit into a frame.</exception>
    /// <exception cref="PublishException">The message came back, was refused, or is not known to have arrived.</exception>
    /// <exception cref="ConnectionLostException">The connection is closed for good, or did not come back in time. The message was not sent.</exception>
    /// <exception cref="InvalidOperationException">The connection has as many channels as it may have. The message was not sent.</exception>
    /// <exception cref="ObjectDisposedException">The publisher has been disposed of. The message was not sent.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="ObjectGraphException">The object refers to itself, is nested too deeply or is beyond another limit.</exception>
    /// <exception cref="UnsupportedTypeException">The object holds something of a type that the serializer does not support.</exception>
    public ValueTask PublishAsync<T>(string exchange, string routingKey, T message, PublishOptions? options = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(exchange);
        ArgumentNullException.ThrowIfNull(routingKey);
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled(cancellationToken);
        }

        return Refuse(exchange, routingKey) is { } refusal
            ? ValueTask.FromException(refusal)
            : Post(
                ObjectPublish<T>.Take(message, options, _options.Persistent),
                exchange,
                routingKey,
                options?.Mandatory ?? _options.Mandatory,
                options?.OrderingKey,
                cancellationToken);
    }

    /// <summary>Waits until the broker has confirmed what has been published, for <see cref="WirePublisherOptions.RecoveryTimeout"/> at most, and closes the channels.</summary>
    public ValueTask DisposeAsync() => new(_disposal.Value);

    /// <summary>Publishes a body that is there already; it comes back and fails when it cannot be routed.</summary>
    /// <param name="exchange">The exchange; empty for the default one.</param>
    /// <param name="routingKey">The routing key.</param>
    /// <param name="body">The body, which has to stay as it is until the task has ended.</param>
    /// <param name="properties">The message's properties, used as they are; they too have to stay until then.</param>
    /// <param name="cancellationToken">Ends the task while the message waits; once it has been sent, its confirmation is waited for.</param>
    internal ValueTask PublishRawAsync(string exchange, string routingKey, ReadOnlySequence<byte> body, BasicProperties properties, CancellationToken cancellationToken) =>
        Refuse(exchange, routingKey) is { } refusal
            ? ValueTask.FromException(refusal)
            : Post(new RawPublish(body, properties), exchange, routingKey, mandatory: true, orderingKey: null, cancellationToken);

    private static ArgumentException? Refuse(string exchange, string routingKey) =>
        ShortText.Check(exchange, nameof(exchange)) ?? ShortText.Check(routingKey, nameof(routingKey));

    private ValueTask Post(PublishOperation operation, string exchange, string routingKey, bool mandatory, string? orderingKey, CancellationToken cancellationToken)
    {
        ValueTask task = operation.Begin(exchange, routingKey, mandatory, cancellationToken);
        if (!Lane(orderingKey).TryPost(operation))
        {
            operation.Finish(PublishLane.Disposed());
        }

        return task;
    }

    private PublishLane Lane(string? orderingKey)
    {
        if (orderingKey is not null)
        {
            return _lanes[(uint)orderingKey.GetHashCode(StringComparison.Ordinal) % (uint)_lanes.Length];
        }

        // The first that is not busy: so the later ones are used, and opened, only when those before are.
        PublishLane least = _lanes[0];
        foreach (PublishLane lane in _lanes)
        {
            if (!lane.IsBusy)
            {
                return lane;
            }

            least = lane.Load < least.Load ? lane : least;
        }

        return least;
    }

    private async Task DisposeOnceAsync()
    {
        await Task.WhenAll(_lanes.Select(lane => lane.DisposeAsync().AsTask())).ConfigureAwait(false);
        Telemetry.PublishesInFlight.Remove(this);
        _blocking?.Dispose();
    }

    private void OnBlocking(string? reason)
    {
        if (reason is null)
        {
            PublisherLog.Unblocked(_logger);
        }
        else
        {
            PublisherLog.Blocked(_logger, reason);
        }
    }
}
