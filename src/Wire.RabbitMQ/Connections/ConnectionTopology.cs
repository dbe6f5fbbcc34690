using Wire.Amqp.Client;

namespace Wire.RabbitMQ.Connections;

/// <summary>Declares on a connection: each time on a channel that is opened for it.</summary>
internal sealed class ConnectionTopology(WireConnection connection) : IAmqpTopology
{
    // The time that a declaration waits for a connection that is down.
    private static readonly TimeSpan RecoveryTimeout = TimeSpan.FromSeconds(30);

    public Task<AmqpQueueInfo> DeclareQueueAsync(
        string queue = "", AmqpQueueOptions? options = null, CancellationToken cancellationToken = default) =>
        UseAsync(topology => topology.DeclareQueueAsync(queue, options, cancellationToken), cancellationToken);

    public Task<AmqpQueueInfo?> FindQueueAsync(string queue, CancellationToken cancellationToken = default) =>
        UseAsync(topology => topology.FindQueueAsync(queue, cancellationToken), cancellationToken);

    public Task<uint> DeleteQueueAsync(
        string queue, bool ifUnused = false, bool ifEmpty = false, CancellationToken cancellationToken = default) =>
        UseAsync(topology => topology.DeleteQueueAsync(queue, ifUnused, ifEmpty, cancellationToken), cancellationToken);

    public Task<uint> PurgeQueueAsync(string queue, CancellationToken cancellationToken = default) =>
        UseAsync(topology => topology.PurgeQueueAsync(queue, cancellationToken), cancellationToken);

    public Task DeclareExchangeAsync(
        string exchange, string type = "direct", AmqpExchangeOptions? options = null, CancellationToken cancellationToken = default) =>
        UseAsync(topology => topology.DeclareExchangeAsync(exchange, type, options, cancellationToken), cancellationToken);

    public Task<bool> FindExchangeAsync(string exchange, CancellationToken cancellationToken = default) =>
        UseAsync(topology => topology.FindExchangeAsync(exchange, cancellationToken), cancellationToken);

    public Task DeleteExchangeAsync(string exchange, bool ifUnused = false, CancellationToken cancellationToken = default) =>
        UseAsync(topology => topology.DeleteExchangeAsync(exchange, ifUnused, cancellationToken), cancellationToken);

    public Task BindQueueAsync(
        string queue,
        string exchange,
        string routingKey = "",
        IReadOnlyDictionary<string, object?>? arguments = null,
        CancellationToken cancellationToken = default) =>
        UseAsync(topology => topology.BindQueueAsync(queue, exchange, routingKey, arguments, cancellationToken), cancellationToken);

    public Task UnbindQueueAsync(
        string queue,
        string exchange,
        string routingKey = "",
        IReadOnlyDictionary<string, object?>? arguments = null,
        CancellationToken cancellationToken = default) =>
        UseAsync(topology => topology.UnbindQueueAsync(queue, exchange, routingKey, arguments, cancellationToken), cancellationToken);

    public Task BindExchangeAsync(
        string destination,
        string source,
        string routingKey = "",
        IReadOnlyDictionary<string, object?>? arguments = null,
        CancellationToken cancellationToken = default) =>
        UseAsync(topology => topology.BindExchangeAsync(destination, source, routingKey, arguments, cancellationToken), cancellationToken);

    public Task UnbindExchangeAsync(
        string destination,
        string source,
        string routingKey = "",
        IReadOnlyDictionary<string, object?>? arguments = null,
        CancellationToken cancellationToken = default) =>
        UseAsync(
            topology => topology.UnbindExchangeAsync(destination, source, routingKey, arguments, cancellationToken), cancellationToken);

    // The wait for a connection is bounded; the operations themselves use the caller's token.
    private async Task<T> UseAsync<T>(Func<IAmqpTopology, Task<T>> use, CancellationToken cancellationToken)
    {
        using var timeout = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        timeout.CancelAfter(RecoveryTimeout);
        try
        {
            return await connection.UseCoreAsync(use, timeout.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (timeout.IsCancellationRequested && !cancellationToken.IsCancellationRequested)
        {
            throw connection.NotBack(RecoveryTimeout);
        }
    }

    private Task<bool> UseAsync(Func<IAmqpTopology, Task> use, CancellationToken cancellationToken) => UseAsync(
        async topology =>
        {
            await use(topology).ConfigureAwait(false);
            return true;
        },
        cancellationToken);
}
