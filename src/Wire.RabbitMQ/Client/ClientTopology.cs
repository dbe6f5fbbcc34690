using RabbitMQ.Client;
using Wire.Amqp.Client;

namespace Wire.RabbitMQ.Client;

/// <summary>Declares on a channel of RabbitMQ.Client, one channel per operation: the broker closes it on a refusal.</summary>
internal sealed class ClientTopology(IChannel channel) : IAmqpTopology
{
    public async Task<AmqpQueueInfo> DeclareQueueAsync(
        string queue = "", AmqpQueueOptions? options = null, CancellationToken cancellationToken = default)
    {
        AmqpQueueOptions how = options ?? (queue.Length == 0 ? AmqpQueueOptions.Temporary : AmqpQueueOptions.Default);
        return QueueOf(await channel.QueueDeclareAsync(
            queue, how.Durable, how.Exclusive, how.AutoDelete,
            ClientProperties.Arguments(how.AllArguments()), cancellationToken: cancellationToken).ConfigureAwait(false));
    }

    public Task<AmqpQueueInfo?> FindQueueAsync(string queue, CancellationToken cancellationToken = default) => FindAsync(
        async () => QueueOf(await channel.QueueDeclarePassiveAsync(queue, cancellationToken).ConfigureAwait(false)));

    public Task<uint> DeleteQueueAsync(
        string queue, bool ifUnused = false, bool ifEmpty = false, CancellationToken cancellationToken = default) =>
        channel.QueueDeleteAsync(queue, ifUnused, ifEmpty, cancellationToken: cancellationToken);

    public Task<uint> PurgeQueueAsync(string queue, CancellationToken cancellationToken = default) =>
        channel.QueuePurgeAsync(queue, cancellationToken);

    public Task DeclareExchangeAsync(
        string exchange, string type = "direct", AmqpExchangeOptions? options = null, CancellationToken cancellationToken = default)
    {
        // As over Wire.Amqp.Client: the broker would close the connection over it.
        ArgumentException.ThrowIfNullOrEmpty(exchange);
        ArgumentException.ThrowIfNullOrEmpty(type);
        AmqpExchangeOptions how = options ?? AmqpExchangeOptions.Default;
        return how.Internal
            ? throw new NotSupportedException(
                "RabbitMQ.Client cannot declare internal exchanges: declare it on a connection of Wire.Amqp.Client.")
            : channel.ExchangeDeclareAsync(
                exchange, type, how.Durable, how.AutoDelete,
                ClientProperties.Arguments(how.Arguments), cancellationToken: cancellationToken);
    }

    public async Task<bool> FindExchangeAsync(string exchange, CancellationToken cancellationToken = default) => await FindAsync<object>(
        async () =>
        {
            await channel.ExchangeDeclarePassiveAsync(exchange, cancellationToken).ConfigureAwait(false);
            return exchange;
        }).ConfigureAwait(false) is not null;

    public Task DeleteExchangeAsync(string exchange, bool ifUnused = false, CancellationToken cancellationToken = default) =>
        channel.ExchangeDeleteAsync(exchange, ifUnused, cancellationToken: cancellationToken);

    public Task BindQueueAsync(
        string queue,
        string exchange,
        string routingKey = "",
        IReadOnlyDictionary<string, object?>? arguments = null,
        CancellationToken cancellationToken = default) =>
        channel.QueueBindAsync(queue, exchange, routingKey, ClientProperties.Arguments(arguments), cancellationToken: cancellationToken);

    public Task UnbindQueueAsync(
        string queue,
        string exchange,
        string routingKey = "",
        IReadOnlyDictionary<string, object?>? arguments = null,
        CancellationToken cancellationToken = default) =>
        channel.QueueUnbindAsync(queue, exchange, routingKey, ClientProperties.Arguments(arguments), cancellationToken);

    public Task BindExchangeAsync(
        string destination,
        string source,
        string routingKey = "",
        IReadOnlyDictionary<string, object?>? arguments = null,
        CancellationToken cancellationToken = default) =>
        channel.ExchangeBindAsync(
            destination, source, routingKey, ClientProperties.Arguments(arguments), cancellationToken: cancellationToken);

    public Task UnbindExchangeAsync(
        string destination,
        string source,
        string routingKey = "",
        IReadOnlyDictionary<string, object?>? arguments = null,
        CancellationToken cancellationToken = default) =>
        channel.ExchangeUnbindAsync(
            destination, source, routingKey, ClientProperties.Arguments(arguments), cancellationToken: cancellationToken);

    private static AmqpQueueInfo QueueOf(QueueDeclareOk declared) => new(declared.QueueName, declared.MessageCount, declared.ConsumerCount);

    // Null where there is none.
    private static async Task<T?> FindAsync<T>(Func<Task<T>> find)
        where T : class
    {
        try
        {
            return await find().ConfigureAwait(false);
        }
        catch (Exception e) when (ClientErrors.Translate(e) is AmqpChannelException { Reason.IsMissing: true })
        {
            return null;
        }
    }
}
