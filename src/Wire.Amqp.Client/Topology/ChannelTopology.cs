using Wire.Amqp.Client.Channels;
using Wire.Amqp.Client.Connections;
using Wire.Amqp.V091;

namespace Wire.Amqp.Client.Topology;

/// <summary>
/// Declares, looks for, deletes and binds queues and exchanges on a channel, and records those to restore on another link.
/// </summary>
internal sealed class ChannelTopology(RecoveringChannel owner, DeclaredTopology topology) : IAmqpTopology
{
    public async Task<AmqpQueueInfo> DeclareQueueAsync(
        string queue = "", AmqpQueueOptions? options = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(queue);
        string name = topology.NameOf(queue);
        options ??= name.Length == 0 ? AmqpQueueOptions.Temporary : AmqpQueueOptions.Default;
        var asked = new TopologyQueue(name, IsNamedByBroker: name.Length == 0, options, TableOf(options.AllArguments()));
        LinkChannel channel = await owner.ChannelAsync(cancellationToken).ConfigureAwait(false);
        var outcome = new Outcome();
        try
        {
            return await channel.CallAsync<QueueDeclare, QueueDeclareOk, AmqpQueueInfo>(
                asked.Method with { Queue = name },
                ok =>
                {
                    AmqpQueueInfo made = QueueOf(ok);
                    topology.Add(asked with { Name = made.Name }, channel.Link);
                    if (outcome.IsAbandonedOr(made.Name))
                    {
                        Delete(channel, made.Name);
                    }

                    return made;
                },
                cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e) when (asked.IsNamedByBroker && e is OperationCanceledException or AmqpConnectionException)
        {
            // Nobody learns its name: it would stay as long as the connection.
            if (outcome.Abandon() is { } made)
            {
                Delete(channel, made);
            }

            throw;
        }
    }

    public async Task<AmqpQueueInfo?> FindQueueAsync(string queue, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(queue);
        string name = topology.NameOf(queue);
        AmqpQueueInfo? found = await FindAsync<QueueDeclare, QueueDeclareOk, AmqpQueueInfo>(
            new QueueDeclare { Queue = name, Passive = true }, QueueOf, cancellationToken).ConfigureAwait(false);
        if (found is null)
        {
            topology.RemoveQueue(name);
        }

        return found;
    }

    public async Task<uint> DeleteQueueAsync(
        string queue, bool ifUnused = false, bool ifEmpty = false, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(queue);
        string name = topology.NameOf(queue);
        return await CallAsync<QueueDelete, QueueDeleteOk, uint>(
            new QueueDelete { Queue = name, IfUnused = ifUnused, IfEmpty = ifEmpty },
            (ok, _) =>
            {
                topology.RemoveQueue(name);
                return ok.MessageCount;
            },
            cancellationToken).ConfigureAwait(false);
    }

    public async Task<uint> PurgeQueueAsync(string queue, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(queue);
        return await CallAsync<QueuePurge, QueuePurgeOk, uint>(
            new QueuePurge { Queue = topology.NameOf(queue) }, static (ok, _) => ok.MessageCount, cancellationToken)
            .ConfigureAwait(false);
    }

    public async Task DeclareExchangeAsync(
        string exchange, string type = "direct", AmqpExchangeOptions? options = null, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(exchange);
        ArgumentException.ThrowIfNullOrEmpty(type);
        options ??= AmqpExchangeOptions.Default;
        var asked = new TopologyExchange(exchange, type, options, TableOf(options.Arguments));
        await CallAsync<ExchangeDeclare, ExchangeDeclareOk>(asked.Method, link => topology.Add(asked, link), cancellationToken)
            .ConfigureAwait(false);
    }

    public async Task<bool> FindExchangeAsync(string exchange, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(exchange);
        object? found = await FindAsync<ExchangeDeclare, ExchangeDeclareOk, object>(
            new ExchangeDeclare { Exchange = exchange, Type = "", Passive = true }, _ => exchange, cancellationToken).ConfigureAwait(false);
        if (found is null)
        {
            topology.RemoveExchange(exchange);
        }

        return found is not null;
    }

    public async Task DeleteExchangeAsync(string exchange, bool ifUnused = false, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(exchange);
        await CallAsync<ExchangeDelete, ExchangeDeleteOk>(
            new ExchangeDelete { Exchange = exchange, IfUnused = ifUnused }, _ => topology.RemoveExchange(exchange), cancellationToken)
                .ConfigureAwait(false);
    }

    public Task BindQueueAsync(
        string queue,
        string exchange,
        string routingKey = "",
        IReadOnlyDictionary<string, object?>? arguments = null,
        CancellationToken cancellationToken = default) =>
        BindAsync(BindingOf(isOfQueue: true, queue, exchange, routingKey, arguments), cancellationToken);

    public Task UnbindQueueAsync(
        string queue,
        string exchange,
        string routingKey = "",
        IReadOnlyDictionary<string, object?>? arguments = null,
        CancellationToken cancellationToken = default) =>
        UnbindAsync(BindingOf(isOfQueue: true, queue, exchange, routingKey, arguments), cancellationToken);

    public Task BindExchangeAsync(
        string destination,
        string source,
        string routingKey = "",
        IReadOnlyDictionary<string, object?>? arguments = null,
        CancellationToken cancellationToken = default) =>
        BindAsync(BindingOf(isOfQueue: false, destination, source, routingKey, arguments), cancellationToken);

    public Task UnbindExchangeAsync(
        string destination,
        string source,
        string routingKey = "",
        IReadOnlyDictionary<string, object?>? arguments = null,
        CancellationToken cancellationToken = default) =>
        UnbindAsync(BindingOf(isOfQueue: false, destination, source, routingKey, arguments), cancellationToken);

    private TopologyBinding BindingOf(
        bool isOfQueue, string destination, string source, string routingKey, IReadOnlyDictionary<string, object?>? arguments)
    {
        ArgumentException.ThrowIfNullOrEmpty(destination);
        ArgumentException.ThrowIfNullOrEmpty(source);
        ArgumentNullException.ThrowIfNull(routingKey);
        return new TopologyBinding(
            isOfQueue, isOfQueue ? topology.NameOf(destination) : destination, source, routingKey, TableOf(arguments));
    }

    private async Task BindAsync(TopologyBinding binding, CancellationToken cancellationToken)
    {
        LinkChannel channel = await owner.ChannelAsync(cancellationToken).ConfigureAwait(false);
        await TopologyRestore.BindAsync(channel, binding, () => topology.Add(binding, channel.Link), cancellationToken)
            .ConfigureAwait(false);
    }

    private Task<bool> UnbindAsync(TopologyBinding binding, CancellationToken cancellationToken) => binding.IsOfQueue
        ? CallAsync<QueueUnbind, QueueUnbindOk>(
            new QueueUnbind
            {
                Queue = binding.Destination,
                Exchange = binding.Source,
                RoutingKey = binding.RoutingKey,
                Arguments = binding.Arguments,
            },
            _ => topology.Remove(binding),
            cancellationToken)
        : CallAsync<ExchangeUnbind, ExchangeUnbindOk>(
            new ExchangeUnbind
            {
                Destination = binding.Destination,
                Source = binding.Source,
                RoutingKey = binding.RoutingKey,
                Arguments = binding.Arguments,
            },
            _ => topology.Remove(binding),
            cancellationToken);

    private void Delete(LinkChannel channel, string queue)
    {
        topology.RemoveQueue(queue);
        channel.Post(new QueueDelete { Queue = queue, NoWait = true });
    }

    private static AmqpQueueInfo QueueOf(QueueDeclareOk ok) => new(ok.Queue.ToString(), ok.MessageCount, ok.ConsumerCount);

    private static FieldTable TableOf(IReadOnlyDictionary<string, object?>? arguments) =>
        arguments is null ? default : FieldTable.Create(arguments);

    // The answer is noted on the receive loop: so before anything is known of an end that comes after it.
    private async Task<TResult> CallAsync<TMethod, TOk, TResult>(
        TMethod method, Func<TOk, Link, TResult> note, CancellationToken cancellationToken)
        where TMethod : struct, IMethod<TMethod>
        where TOk : struct, IMethod<TOk>
    {
        LinkChannel channel = await owner.ChannelAsync(cancellationToken).ConfigureAwait(false);
        return await channel.CallAsync<TMethod, TOk, TResult>(in method, ok => note(ok, channel.Link), cancellationToken)
            .ConfigureAwait(false);
    }

    private Task<bool> CallAsync<TMethod, TOk>(TMethod method, Action<Link> note, CancellationToken cancellationToken)
        where TMethod : struct, IMethod<TMethod>
        where TOk : struct, IMethod<TOk> => CallAsync<TMethod, TOk, bool>(
            method,
            (_, link) =>
            {
                note(link);
                return true;
            },
            cancellationToken);

    // On a separate channel: the broker closes the channel of a check for a missing queue or exchange.
    private async Task<TResult?> FindAsync<TMethod, TOk, TResult>(
        TMethod method, Func<TOk, TResult> read, CancellationToken cancellationToken)
        where TMethod : struct, IMethod<TMethod>
        where TOk : struct, IMethod<TOk>
        where TResult : class
    {
        Link link = (await owner.ChannelAsync(cancellationToken).ConfigureAwait(false)).Link;
        LinkChannel channel = await link.OpenChannelAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            return await channel.CallAsync<TMethod, TOk, TResult>(in method, read, cancellationToken).ConfigureAwait(false);
        }
        catch (AmqpChannelException e) when (e.Reason.IsMissing)
        {
            return null;
        }
        finally
        {
            await channel.CloseAsync(CancellationToken.None).ConfigureAwait(false);
        }
    }

    // The name of a queue, which comes on the receive loop, and the caller who waits for it: the second one of them sees the other.
    private sealed class Outcome
    {
        private static readonly string Abandoned = new('-', 1);

        private string? _name;

        public bool IsAbandonedOr(string name) => ReferenceEquals(Interlocked.Exchange(ref _name, name), Abandoned);

        /// <summary>Returns the name, if it has come.</summary>
        public string? Abandon() => Interlocked.Exchange(ref _name, Abandoned);
    }
}
