using System.Buffers;
using Microsoft.Extensions.Logging;
using Wire.Amqp.Client;
using Wire.Amqp.V091;
using Wire.RabbitMQ.Diagnostics;
using Wire.RabbitMQ.Publishing;

namespace Wire.RabbitMQ;

/// <summary>
/// Publishes objects, each with a task that ends when the broker has confirmed the message. Thread-safe: make one for a connection and use
/// it everywhere. Nothing is allocated for a message once the publisher is warm.
/// </summary>
/// <remarks>
/// Await each message, or start many and await them together, which is many times as fast. Messages with the same
/// <see cref="PublishOptions.OrderingKey"/> are published in the order of the calls, others side by side. When more messages wait for the
/// broker than <see cref="WirePublisherOptions.MaxInFlight"/> allows, further ones wait their turn as small objects. After a lost
/// connection, unsent messages go out when it has recovered, and messages that were sent but not confirmed fail, because their outcome is
/// unknown.
/// </remarks>
public sealed class WirePublisher : IAsyncDisposable
{
    private readonly MessageSender _sender;
    private readonly ILogger _logger;
    private readonly TypeRoutes _routes;
    private readonly PublishHandler? _middleware;
    private readonly Lazy<Task> _disposal;

    // Fires when the close has timed out. Never disposed of: it has no timer.
    private readonly CancellationTokenSource _enough = new();
    private readonly IDisposable? _blocking;

    /// <summary>Makes a publisher. Channels are opened when the first messages need them.</summary>
    /// <param name="connection">
    /// The connection, which stays the caller's. With recovery on, the default, the publisher survives its loss.
    /// </param>
    /// <param name="serializer">What writes the bodies, and not the connection's own.</param>
    /// <param name="options">How to publish; the defaults when left out.</param>
    /// <param name="logger">Called for channels that are opened and lost; no one when left out.</param>
    public WirePublisher(
        WireConnection connection, WireBodySerializer serializer, WirePublisherOptions? options = null,
        ILogger<WirePublisher>? logger = null)
        : this(Require(connection), serializer, options ?? new WirePublisherOptions(), logger) =>
            _blocking = connection.WatchBlocked(OnBlocked);

    /// <summary>
    /// Makes a publisher on a connection that is made for the first message. The callback is called when the broker blocks it.
    /// </summary>
    internal WirePublisher(
        Func<CancellationToken, Task<WireConnection>> connect, WireBodySerializer serializer, WirePublisherOptions options, ILogger? logger)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        _logger = SafeLogger.Wrap(logger);
        _sender = new MessageSender(connect, serializer, options, _logger);
        _middleware = Compose(options.Middleware);
        _routes = new TypeRoutes(this, options.Conventions ?? WireConventions.Default, connect);
        _disposal = new Lazy<Task>(DisposeOnceAsync);
        Telemetry.PublishesInFlight.Add(this, Telemetry.Everywhere, static publisher => publisher._sender.Load);
    }

    /// <summary>Publishes an object.</summary>
    /// <param name="exchange">
    /// The exchange; empty for the default one. It has to exist: otherwise the broker closes the channel, and messages in flight on it fail
    /// as unconfirmed.
    /// </param>
    /// <param name="routingKey">The routing key, at most 255 bytes; the name of a queue with the default exchange.</param>
    /// <param name="message">
    /// The object; may be null. It is read later, on this thread or another, so do not change it until the task has ended.
    /// </param>
    /// <param name="options">What it is published with; the publisher's own options where left out.</param>
    /// <param name="cancellationToken">
    /// Ends the task. A message that waits is not published then; one that has been sent may still arrive.
    /// </param>
    /// <returns>A task that ends when the broker has confirmed the message. Await it once; AsTask() makes one for Task.WhenAll.</returns>
    /// <exception cref="ArgumentException">
    /// The exchange or routing key is longer than 255 bytes or not valid UTF-16, or the headers do not fit into a frame.
    /// </exception>
    /// <exception cref="AmqpPublishException">The message was returned or refused, or its arrival is unknown.</exception>
    /// <exception cref="AmqpConnectionException">
    /// The connection has ended permanently, or did not recover in time. The message was not sent.
    /// </exception>
    /// <exception cref="InvalidOperationException">
    /// The connection has as many channels as it may have, and none of them is this publisher's. The message was not sent.
    /// </exception>
    /// <exception cref="ObjectDisposedException">
    /// The publisher has been disposed of, or the program has closed the connection. The message was not sent.
    /// </exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="ObjectGraphException">The object refers to itself, is nested too deeply or is beyond another limit.</exception>
    /// <exception cref="UnsupportedTypeException">The object contains a value of a type that the serializer does not support.</exception>
    public ValueTask PublishAsync<T>(
        string exchange, string routingKey, T message, PublishOptions? options = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(exchange);
        ArgumentNullException.ThrowIfNull(routingKey);
        if (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled(cancellationToken);
        }

        return _middleware is null
            ? _sender.SendAsync(exchange, routingKey, message, null, options, cancellationToken)
            : PublishThrough(
                _middleware, new Publication(message, exchange, routingKey, options) { Declared = typeof(T) }, cancellationToken);
    }

    /// <summary>
    /// Publishes an object to the exchange of its type: <see cref="WirePublisherOptions.Conventions"/>. That is declared before the first
    /// message of the type, and again when it was deleted. Some memory is allocated for each message.
    /// </summary>
    /// <remarks>
    /// Messages with one <see cref="PublishOptions.OrderingKey"/> are in order from when the exchanges of their types are declared: before,
    /// a message of a known type overtakes one of a new type. Await the first of a type where that matters.
    /// </remarks>
    /// <param name="message">
    /// The object, not null. It is read later, on this thread or another, so do not change it until the task has ended.
    /// </param>
    /// <param name="options">
    /// What it is published with; the publisher's own options where left out. Where it is mandatory, as by default, it fails when no
    /// consumer has bound its queue to the exchange.
    /// </param>
    /// <param name="cancellationToken">
    /// Ends the task. A message that waits is not published then; one that has been sent may still arrive.
    /// </param>
    /// <exception cref="InvalidOperationException">
    /// The broker refuses the exchange, which is there and is another; or there are no conventions.
    /// </exception>
    /// <exception cref="ArgumentNullException">The message is null, which has no type.</exception>
    /// <inheritdoc cref="PublishAsync{T}(string, string, T, PublishOptions?, CancellationToken)"/>
    public ValueTask PublishAsync<T>(T message, PublishOptions? options = null, CancellationToken cancellationToken = default)
        where T : notnull
    {
        ArgumentNullException.ThrowIfNull(message);
        return cancellationToken.IsCancellationRequested
            ? ValueTask.FromCanceled(cancellationToken)
            : AwaitedPublish.Follow(_routes.PublishAsync(message, options, cancellationToken));
    }

    /// <summary>Publishes a body of bytes.</summary>
    /// <param name="exchange">The exchange; empty for the default one.</param>
    /// <param name="routingKey">The routing key.</param>
    /// <param name="isMandatory">True if it fails when it cannot be routed.</param>
    /// <param name="body">The body, which has to stay as it is until the task has ended.</param>
    /// <param name="properties">The message's properties, used as they are; they too have to stay until then.</param>
    /// <param name="cancellationToken">Ends the task.</param>
    internal ValueTask PublishBytesAsync(
        string exchange, string routingKey, bool isMandatory, in ReadOnlySequence<byte> body, in BasicProperties properties,
        CancellationToken cancellationToken) =>
        _sender.SendBytesAsync(exchange, routingKey, isMandatory, in body, in properties, cancellationToken);

    /// <summary>
    /// Publishes what was written as a message of a type, when the exchange of that type is declared: again, where the broker misses it.
    /// </summary>
    /// <param name="type">The type of the message.</param>
    /// <param name="publish">Publishes it.</param>
    /// <param name="cancellationToken">Ends the task.</param>
    internal Task PublishAsync(Type type, Func<ValueTask> publish, CancellationToken cancellationToken) =>
        _routes.PublishAsync(type, _ => publish(), cancellationToken);

    /// <summary>
    /// Waits until the broker has confirmed all published messages, for <see cref="WirePublisherOptions.RecoveryTimeout"/> at most, and
    /// closes the channels.
    /// </summary>
    public ValueTask DisposeAsync() => new(_disposal.Value);

    /// <summary>Closes it, within a time.</summary>
    /// <param name="cancellationToken">Ends the wait: what is not confirmed then fails, and may have arrived.</param>
    public async Task CloseAsync(CancellationToken cancellationToken = default)
    {
        using CancellationTokenRegistration enough = cancellationToken.UnsafeRegister(
            static publisher => ((WirePublisher)publisher!)._enough.Cancel(), this);
        await DisposeAsync().ConfigureAwait(false);
    }

    private static Func<CancellationToken, Task<WireConnection>> Require(WireConnection connection)
    {
        ArgumentNullException.ThrowIfNull(connection);
        return _ => Task.FromResult(connection);
    }

    private static ValueTask PublishThrough(PublishHandler middleware, Publication publication, CancellationToken cancellationToken)
    {
        try
        {
            return middleware(publication, cancellationToken);
        }
        catch (Exception e)
        {
            // As any other failure of the message.
            return ValueTask.FromException(e);
        }
    }

    // The middleware, the first outermost; null where there is none.
    private PublishHandler? Compose(IReadOnlyList<IPublishMiddleware> middleware)
    {
        if (middleware.Count == 0)
        {
            return null;
        }

        PublishHandler next = (publication, cancellationToken) =>
        {
            ArgumentNullException.ThrowIfNull(publication.Exchange);
            ArgumentNullException.ThrowIfNull(publication.RoutingKey);
            return _sender.SendAsync(
                publication.Exchange, publication.RoutingKey, publication.Message, publication.Declared, publication.Options,
                cancellationToken);
        };
        foreach (IPublishMiddleware each in middleware.Reverse())
        {
            PublishHandler inner = next;
            next = (publication, cancellationToken) => each.PublishAsync(publication, inner, cancellationToken);
        }

        return next;
    }

    private async Task DisposeOnceAsync()
    {
        await _sender.CloseAsync(_enough.Token).ConfigureAwait(false);
        Telemetry.PublishesInFlight.Remove(this);
        _blocking?.Dispose();
    }

    private void OnBlocked(string? reason)
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
