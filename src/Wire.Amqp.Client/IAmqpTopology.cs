namespace Wire.Amqp.Client;

/// <summary>
/// Declares queues, exchanges and bindings, and looks for them: that of an <see cref="AmqpChannel"/>, and of whatever else leads to a
/// broker. Thread-safe.
/// </summary>
public interface IAmqpTopology
{
    /// <summary>Declares a queue: creates it, or checks that it exists as described.</summary>
    /// <param name="queue">
    /// Its name, at most 255 bytes; empty to let the broker name it, in which case it has another name after each loss of the connection:
    /// <see cref="AmqpQueueInfo.Name"/> continues to mean it on this connection.
    /// </param>
    /// <param name="options">
    /// Its options; <see cref="AmqpQueueOptions.Default"/> when left out, and <see cref="AmqpQueueOptions.Temporary"/> where the broker
    /// names it.
    /// </param>
    /// <param name="cancellationToken">Ends the wait; the queue may be made all the same.</param>
    /// <exception cref="AmqpChannelException">
    /// It exists with other options (406), belongs to another connection (405), or may not be declared (403). The channel has ended.
    /// </exception>
    /// <exception cref="AmqpConnectionException">
    /// The connection was lost before the broker answered, or is lost permanently. While it recovers, the call waits.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The channel or the connection has been closed by the program.</exception>
    Task<AmqpQueueInfo> DeclareQueueAsync(
        string queue = "", AmqpQueueOptions? options = null, CancellationToken cancellationToken = default);

    /// <summary>Finds a queue.</summary>
    /// <param name="queue">Its name.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The queue; null when there is none. The channel continues either way.</returns>
    /// <exception cref="AmqpChannelException">
    /// It belongs to another connection (405), may not be looked for (403), or its node is down (404). This channel continues.
    /// </exception>
    /// <inheritdoc cref="DeclareQueueAsync"/>
    Task<AmqpQueueInfo?> FindQueueAsync(string queue, CancellationToken cancellationToken = default);

    /// <summary>Deletes a queue, and with it its bindings.</summary>
    /// <param name="queue">Its name. It need not exist.</param>
    /// <param name="ifUnused">True if it stays when it has consumers, which is an error with code 406.</param>
    /// <param name="ifEmpty">True if it stays when it has messages, which is an error with code 406.</param>
    /// <param name="cancellationToken">Ends the wait; it may be deleted all the same.</param>
    /// <returns>How many messages were deleted with it.</returns>
    /// <exception cref="AmqpChannelException">
    /// It stays (406), belongs to another connection (405), or may not be deleted (403). The channel has ended.
    /// </exception>
    /// <inheritdoc cref="DeclareQueueAsync"/>
    Task<uint> DeleteQueueAsync(
        string queue, bool ifUnused = false, bool ifEmpty = false, CancellationToken cancellationToken = default);

    /// <summary>Deletes the messages of a queue that are ready; not those that were delivered and are not acknowledged.</summary>
    /// <param name="queue">Its name.</param>
    /// <param name="cancellationToken">Ends the wait; it may be purged all the same.</param>
    /// <returns>How many messages were deleted.</returns>
    /// <exception cref="AmqpChannelException">
    /// There is no such queue (404), it belongs to another connection (405), or may not be read (403). The channel has ended.
    /// </exception>
    /// <inheritdoc cref="DeclareQueueAsync"/>
    Task<uint> PurgeQueueAsync(string queue, CancellationToken cancellationToken = default);

    /// <summary>Declares an exchange: creates it, or checks that it exists as described.</summary>
    /// <param name="exchange">Its name, at most 255 bytes.</param>
    /// <param name="type">
    /// Its type: direct, fanout, topic, headers, or one that a plugin brings. Over one that it does not know the broker closes the whole
    /// connection, not this channel alone.
    /// </param>
    /// <param name="options">Its other options; <see cref="AmqpExchangeOptions.Default"/> when left out.</param>
    /// <param name="cancellationToken">Ends the wait; the exchange may be made all the same.</param>
    /// <exception cref="AmqpChannelException">
    /// It exists with other options (406), or may not be declared (403). The channel has ended.
    /// </exception>
    /// <exception cref="AmqpConnectionException">
    /// The connection was lost before the broker has answered, is lost permanently, or was closed by the broker, as it does where it does
    /// not know the type (503), which the message names. The connection then recovers as after any loss.
    /// </exception>
    /// <exception cref="ArgumentException">The name or the type is empty.</exception>
    /// <exception cref="ObjectDisposedException">The channel or the connection has been closed by the program.</exception>
    Task DeclareExchangeAsync(
        string exchange, string type = "direct", AmqpExchangeOptions? options = null, CancellationToken cancellationToken = default);

    /// <summary>Finds an exchange.</summary>
    /// <param name="exchange">Its name.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>Whether there is one. The channel continues either way.</returns>
    /// <exception cref="AmqpChannelException">It may not be looked for (403). This channel continues.</exception>
    /// <inheritdoc cref="DeclareQueueAsync"/>
    Task<bool> FindExchangeAsync(string exchange, CancellationToken cancellationToken = default);

    /// <summary>Deletes an exchange, and with it its bindings.</summary>
    /// <param name="exchange">Its name. It need not exist.</param>
    /// <param name="ifUnused">True if it stays when something is bound to it, which is an error with code 406.</param>
    /// <param name="cancellationToken">Ends the wait; it may be deleted all the same.</param>
    /// <exception cref="AmqpChannelException">It stays (406), or may not be deleted (403). The channel has ended.</exception>
    /// <inheritdoc cref="DeclareQueueAsync"/>
    Task DeleteExchangeAsync(string exchange, bool ifUnused = false, CancellationToken cancellationToken = default);

    /// <summary>Binds a queue to an exchange.</summary>
    /// <param name="queue">The queue.</param>
    /// <param name="exchange">The exchange.</param>
    /// <param name="routingKey">Selects messages; its meaning depends on the type of the exchange.</param>
    /// <param name="arguments">What the type of the exchange takes besides; values are of types that a field of a table can have.</param>
    /// <param name="cancellationToken">Ends the wait; it may be bound all the same.</param>
    /// <exception cref="AmqpChannelException">
    /// There is no such queue or exchange (404), or it may not be bound (403). The channel has ended.
    /// </exception>
    /// <inheritdoc cref="DeclareQueueAsync"/>
    Task BindQueueAsync(
        string queue,
        string exchange,
        string routingKey = "",
        IReadOnlyDictionary<string, object?>? arguments = null,
        CancellationToken cancellationToken = default);

    /// <summary>Removes a binding that <see cref="BindQueueAsync"/> made with the same arguments. The binding need not exist.</summary>
    /// <inheritdoc cref="BindQueueAsync"/>
    Task UnbindQueueAsync(
        string queue,
        string exchange,
        string routingKey = "",
        IReadOnlyDictionary<string, object?>? arguments = null,
        CancellationToken cancellationToken = default);

    /// <summary>Binds an exchange to another.</summary>
    /// <param name="destination">The exchange that it routes to.</param>
    /// <param name="source">The exchange that routes.</param>
    /// <param name="routingKey">Selects messages; its meaning depends on the type of the source.</param>
    /// <param name="arguments">What the type of the source takes besides; values are of types that a field of a table can have.</param>
    /// <param name="cancellationToken">Ends the wait; it may be bound all the same.</param>
    /// <inheritdoc cref="BindQueueAsync"/>
    Task BindExchangeAsync(
        string destination,
        string source,
        string routingKey = "",
        IReadOnlyDictionary<string, object?>? arguments = null,
        CancellationToken cancellationToken = default);

    /// <summary>Removes a binding that <see cref="BindExchangeAsync"/> made with the same arguments. The binding need not exist.</summary>
    /// <inheritdoc cref="BindExchangeAsync"/>
    Task UnbindExchangeAsync(
        string destination,
        string source,
        string routingKey = "",
        IReadOnlyDictionary<string, object?>? arguments = null,
        CancellationToken cancellationToken = default);
}
