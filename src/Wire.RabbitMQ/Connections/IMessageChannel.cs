using Wire.Amqp.Client;
using Wire.Amqp.V091;

namespace Wire.RabbitMQ.Connections;

/// <summary>
/// A channel of either client, for publishers, consumers and requesters. Messages arrive in the order of the calls. Thread-safe.
/// </summary>
/// <remarks>
/// A channel with <see cref="AmqpChannelOptions.Confirms"/> survives the loss of its connection, and being closed by the broker.
/// Failures are exceptions of Wire.Amqp.Client: an <see cref="AmqpChannelException"/> when the broker closes the channel instead of
/// answering, an <see cref="AmqpConnectionException"/> when the connection is lost, an <see cref="ObjectDisposedException"/> when the
/// program has closed it.
/// </remarks>
internal interface IMessageChannel : IAsyncDisposable
{
    /// <summary>Gets whether it has not ended permanently.</summary>
    bool IsOpen { get; }

    /// <summary>Gets the number of messages that wait or are not confirmed. A snapshot: it may be out of date.</summary>
    int InFlight { get; }

    /// <summary>Gets whether a message would not have to wait. A snapshot as well.</summary>
    bool HasRoom { get; }

    /// <summary>Ends when the channel has ended permanently: successfully if the program has closed it.</summary>
    Task Completion { get; }

    /// <summary>Publishes an object.</summary>
    /// <param name="method">The exchange and routing key.</param>
    /// <param name="properties">The properties. Content type, content encoding and type are filled in.</param>
    /// <param name="message">The object, which may be null; or a <see cref="RawBody"/>.</param>
    /// <param name="observer">
    /// Called with the body's size when it is written; null for none. A message that fails before this call has not been sent.
    /// </param>
    /// <param name="cancellationToken">Ends the task. A message that waits is not published then.</param>
    /// <returns>
    /// With confirms, a task that ends with the broker's confirm; otherwise one that ends when the message has been handed over.
    /// </returns>
    ValueTask PublishAsync<T>(
        in BasicPublish method, in BasicProperties properties, T message, IAmqpPublishObserver? observer,
        CancellationToken cancellationToken);

    /// <summary>Takes no further messages, waits until pending ones are confirmed or have failed, and closes the channel.</summary>
    /// <param name="patience">Ends the wait: messages that are not confirmed by then fail.</param>
    Task CloseAsync(CancellationToken patience);

    /// <summary>Consumes a queue.</summary>
    /// <param name="queue">The queue.</param>
    /// <param name="handler">
    /// Handles each delivery, as many at a time as the options say. It settles the delivery, and never throws.
    /// </param>
    /// <param name="options">How.</param>
    /// <param name="cancellationToken">Ends the wait for the broker's answer.</param>
    Task<IMessageConsumer> ConsumeAsync(
        string queue, Func<IDelivery, ValueTask> handler, AmqpConsumeOptions options, CancellationToken cancellationToken);
}

/// <summary>
/// A consumer on a channel. Disposing of it ends the consumption: unstarted deliveries return to the queue at once, and running handlers
/// are awaited.
/// </summary>
internal interface IMessageConsumer : IAsyncDisposable
{
    /// <summary>
    /// Ends when deliveries have stopped: with the reason, unless the program has ended it. Handlers may still run.
    /// </summary>
    Task Ended { get; }

    /// <summary>
    /// Gets whether the broker delivers: not while the connection is down or its queue does not answer. A snapshot: it may be out of date.
    /// </summary>
    bool IsConsuming { get; }

    /// <summary>Gets or sets how many deliveries are handled at a time.</summary>
    int Concurrency { get; set; }
}

/// <summary>Listens to the events of a channel, on threads that nothing else waits for.</summary>
/// <param name="Lost">The channel is gone with its connection, or was closed by the broker, and is coming back: the reason.</param>
/// <param name="Returned">A message came back. On the thread that receives: it must not wait.</param>
internal sealed record ChannelEvents(Action<Exception>? Lost = null, Action<ReturnedMessage>? Returned = null);

/// <summary>A returned message, which could not be routed.</summary>
internal readonly record struct ReturnedMessage(
    string Exchange, string RoutingKey, ushort ReplyCode, string ReplyText, string? MessageId, string? CorrelationId);
