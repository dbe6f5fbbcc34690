namespace Wire.Amqp.Client;

/// <summary>
/// Declares queues, exchanges and bindings: an <see cref="AmqpChannel"/>, and whatever else leads to a broker. Thread-safe.
/// </summary>
public interface IAmqpTopology
{
    /// <inheritdoc cref="AmqpChannel.DeclareQueueAsync"/>
    Task<AmqpQueueInfo> DeclareQueueAsync(
        string queue = "", AmqpQueueOptions? options = null, CancellationToken cancellationToken = default);

    /// <inheritdoc cref="AmqpChannel.FindQueueAsync"/>
    Task<AmqpQueueInfo?> FindQueueAsync(string queue, CancellationToken cancellationToken = default);

    /// <inheritdoc cref="AmqpChannel.DeleteQueueAsync"/>
    Task<uint> DeleteQueueAsync(string queue, bool ifUnused = false, bool ifEmpty = false, CancellationToken cancellationToken = default);

    /// <inheritdoc cref="AmqpChannel.PurgeQueueAsync"/>
    Task<uint> PurgeQueueAsync(string queue, CancellationToken cancellationToken = default);

    /// <inheritdoc cref="AmqpChannel.DeclareExchangeAsync"/>
    Task DeclareExchangeAsync(
        string exchange, string type = "direct", AmqpExchangeOptions? options = null, CancellationToken cancellationToken = default);

    /// <inheritdoc cref="AmqpChannel.FindExchangeAsync"/>
    Task<bool> FindExchangeAsync(string exchange, CancellationToken cancellationToken = default);

    /// <inheritdoc cref="AmqpChannel.DeleteExchangeAsync"/>
    Task DeleteExchangeAsync(string exchange, bool ifUnused = false, CancellationToken cancellationToken = default);

    /// <inheritdoc cref="AmqpChannel.BindQueueAsync"/>
    Task BindQueueAsync(
        string queue,
        string exchange,
        string routingKey = "",
        IReadOnlyDictionary<string, object?>? arguments = null,
        CancellationToken cancellationToken = default);

    /// <inheritdoc cref="AmqpChannel.UnbindQueueAsync"/>
    Task UnbindQueueAsync(
        string queue,
        string exchange,
        string routingKey = "",
        IReadOnlyDictionary<string, object?>? arguments = null,
        CancellationToken cancellationToken = default);

    /// <inheritdoc cref="AmqpChannel.BindExchangeAsync"/>
    Task BindExchangeAsync(
        string destination,
        string source,
        string routingKey = "",
        IReadOnlyDictionary<string, object?>? arguments = null,
        CancellationToken cancellationToken = default);

    /// <inheritdoc cref="AmqpChannel.UnbindExchangeAsync"/>
    Task UnbindExchangeAsync(
        string destination,
        string source,
        string routingKey = "",
        IReadOnlyDictionary<string, object?>? arguments = null,
        CancellationToken cancellationToken = default);
}
