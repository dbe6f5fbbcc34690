using Wire.Amqp.Client.Channels;
using Wire.Amqp.Client.Connections;
using Wire.Amqp.Client.Topology;
using Wire.Amqp.V091;

namespace Wire.Amqp.Client;

/// <summary>
/// Queues, exchanges and bindings. What is declared here is there again after the connection was lost and came back; what is deleted here is not.
/// What the broker refuses ends the channel, except for the Find methods.
/// </summary>
public sealed partial class AmqpChannel
{
    // Ends when there is a life again, or there will be none.
    private TaskCompletionSource? _nextLife;

    private DeclaredTopology Topology => _connection.Topology;

    /// <summary>Makes a queue, or makes sure that it is as described.</summary>
    /// <param name="queue">Its name, at most 255 bytes; empty to let the broker name it, in which case it has another name after each loss of the connection: <see cref="AmqpQueueInfo.Name"/> goes on to mean it on this connection.</param>
    /// <param name="options">What it is like; <see cref="AmqpQueueOptions.Default"/> when left out, and <see cref="AmqpQueueOptions.Temporary"/> where the broker names it.</param>
    /// <param name="cancellationToken">Ends the wait; the queue may be made all the same.</param>
    /// <exception cref="AmqpChannelException">It is there and otherwise (406), belongs to another connection (405), or may not be declared (403). The channel has ended.</exception>
    /// <exception cref="AmqpConnectionException">The connection was lost before the broker has answered, or is lost for good. As long as it is being recovered, the call waits.</exception>
    /// <exception cref="ObjectDisposedException">The channel or the connection has been closed by the program.</exception>
    public async Task<AmqpQueueInfo> DeclareQueueAsync(string queue = "", AmqpQueueOptions? options = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(queue);
        string name = Topology.NameOf(queue);
        options ??= name.Length == 0 ? AmqpQueueOptions.Temporary : AmqpQueueOptions.Default;
        FieldTable arguments = TableOf(options.Arguments);
        var asked = new TopologyQueue(name, IsNamedByBroker: name.Length == 0, options, arguments);
        LinkChannel channel = await ChannelAsync(cancellationToken).ConfigureAwait(false);

        // Noted on the receive loop: so before anything is known of an end that comes after it.
        return await channel.CallAsync<QueueDeclare, QueueDeclareOk, AmqpQueueInfo>(
            asked.Method with { Queue = name },
            ok =>
            {
                AmqpQueueInfo made = QueueOf(ok);
                Topology.Add(asked with { Name = made.Name }, channel.Link);
                return made;
            },
            cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Looks for a queue.</summary>
    /// <param name="queue">Its name.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The queue; null when there is none. The channel goes on either way.</returns>
    /// <exception cref="AmqpChannelException">It belongs to another connection (405), or may not be looked for (403). This channel goes on.</exception>
    /// <inheritdoc cref="DeclareQueueAsync"/>
    public async Task<AmqpQueueInfo?> FindQueueAsync(string queue, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(queue);
        string name = Topology.NameOf(queue);
        return await FindAsync(
            channel => channel.CallAsync<QueueDeclare, QueueDeclareOk, AmqpQueueInfo>(new QueueDeclare { Queue = name, Passive = true }, static ok => QueueOf(ok), cancellationToken),
            cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Deletes a queue, and with it its bindings.</summary>
    /// <param name="queue">Its name. There need not be one.</param>
    /// <param name="ifUnused">Whether it stays when it has consumers, which the broker says with 406.</param>
    /// <param name="ifEmpty">Whether it stays when it has messages, which the broker says with 406.</param>
    /// <param name="cancellationToken">Ends the wait; it may be deleted all the same.</param>
    /// <returns>How many messages were deleted with it.</returns>
    /// <exception cref="AmqpChannelException">It stays (406), belongs to another connection (405), or may not be deleted (403). The channel has ended.</exception>
    /// <inheritdoc cref="DeclareQueueAsync"/>
    public async Task<uint> DeleteQueueAsync(string queue, bool ifUnused = false, bool ifEmpty = false, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(queue);
        string name = Topology.NameOf(queue);
        LinkChannel channel = await ChannelAsync(cancellationToken).ConfigureAwait(false);
        return await channel.CallAsync<QueueDelete, QueueDeleteOk, uint>(
            new QueueDelete { Queue = name, IfUnused = ifUnused, IfEmpty = ifEmpty },
            ok =>
            {
                Topology.RemoveQueue(name);
                return ok.MessageCount;
            },
            cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Deletes the messages of a queue that are ready; not those that were delivered and are not acknowledged.</summary>
    /// <param name="queue">Its name.</param>
    /// <param name="cancellationToken">Ends the wait; it may be purged all the same.</param>
    /// <returns>How many messages were deleted.</returns>
    /// <exception cref="AmqpChannelException">There is no such queue (404), it belongs to another connection (405), or may not be read (403). The channel has ended.</exception>
    /// <inheritdoc cref="DeclareQueueAsync"/>
    public async Task<uint> PurgeQueueAsync(string queue, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(queue);
        string name = Topology.NameOf(queue);
        LinkChannel channel = await ChannelAsync(cancellationToken).ConfigureAwait(false);
        return await channel.CallAsync<QueuePurge, QueuePurgeOk, uint>(new QueuePurge { Queue = name }, static ok => ok.MessageCount, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Makes an exchange, or makes sure that it is as described.</summary>
    /// <param name="exchange">Its name, at most 255 bytes.</param>
    /// <param name="type">Its type: direct, fanout, topic, headers, or one that a plugin brings.</param>
    /// <param name="options">What else it is like; <see cref="AmqpExchangeOptions.Default"/> when left out.</param>
    /// <param name="cancellationToken">Ends the wait; the exchange may be made all the same.</param>
    /// <exception cref="AmqpChannelException">It is there and otherwise (406), or may not be declared (403). The channel has ended.</exception>
    /// <exception cref="AmqpConnectionException">The connection was lost before the broker has answered, is lost for good, or was closed by the broker, as it does where it does not know the type (503).</exception>
    /// <exception cref="ObjectDisposedException">The channel or the connection has been closed by the program.</exception>
    public async Task DeclareExchangeAsync(string exchange, string type = "direct", AmqpExchangeOptions? options = null, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(exchange);
        ArgumentException.ThrowIfNullOrEmpty(type);
        options ??= AmqpExchangeOptions.Default;
        var asked = new TopologyExchange(exchange, type, options, TableOf(options.Arguments));
        LinkChannel channel = await ChannelAsync(cancellationToken).ConfigureAwait(false);
        await channel.CallAsync<ExchangeDeclare, ExchangeDeclareOk, bool>(
            asked.Method,
            _ =>
            {
                Topology.Add(asked, channel.Link);
                return true;
            },
            cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Looks for an exchange.</summary>
    /// <param name="exchange">Its name.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>Whether there is one. The channel goes on either way.</returns>
    /// <exception cref="AmqpChannelException">It may not be looked for (403). This channel goes on.</exception>
    /// <inheritdoc cref="DeclareQueueAsync"/>
    public async Task<bool> FindExchangeAsync(string exchange, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(exchange);
        return await FindAsync(
            channel => channel.CallAsync<ExchangeDeclare, ExchangeDeclareOk, object>(new ExchangeDeclare { Exchange = exchange, Type = "", Passive = true }, _ => exchange, cancellationToken),
            cancellationToken).ConfigureAwait(false) is not null;
    }

    /// <summary>Deletes an exchange, and with it its bindings.</summary>
    /// <param name="exchange">Its name. There need not be one.</param>
    /// <param name="ifUnused">Whether it stays when something is bound to it, which the broker says with 406.</param>
    /// <param name="cancellationToken">Ends the wait; it may be deleted all the same.</param>
    /// <exception cref="AmqpChannelException">It stays (406), or may not be deleted (403). The channel has ended.</exception>
    /// <inheritdoc cref="DeclareQueueAsync"/>
    public async Task DeleteExchangeAsync(string exchange, bool ifUnused = false, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(exchange);
        LinkChannel channel = await ChannelAsync(cancellationToken).ConfigureAwait(false);
        await channel.CallAsync<ExchangeDelete, ExchangeDeleteOk, bool>(
            new ExchangeDelete { Exchange = exchange, IfUnused = ifUnused },
            _ =>
            {
                Topology.RemoveExchange(exchange);
                return true;
            },
            cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Has an exchange route to a queue.</summary>
    /// <param name="queue">The queue.</param>
    /// <param name="exchange">The exchange.</param>
    /// <param name="routingKey">Which messages: what that means depends on the type of the exchange.</param>
    /// <param name="arguments">What the type of the exchange takes besides; values are of types that a field of a table can have.</param>
    /// <param name="cancellationToken">Ends the wait; it may be bound all the same.</param>
    /// <exception cref="AmqpChannelException">There is no such queue or exchange (404), or it may not be bound (403). The channel has ended.</exception>
    /// <inheritdoc cref="DeclareQueueAsync"/>
    public Task BindQueueAsync(string queue, string exchange, string routingKey = "", IReadOnlyDictionary<string, object?>? arguments = null, CancellationToken cancellationToken = default) =>
        BindAsync(BindingOf(isOfQueue: true, queue, exchange, routingKey, arguments), cancellationToken);

    /// <summary>Takes back what <see cref="BindQueueAsync"/> did with the same arguments. There need not be such a binding.</summary>
    /// <inheritdoc cref="BindQueueAsync"/>
    public Task UnbindQueueAsync(string queue, string exchange, string routingKey = "", IReadOnlyDictionary<string, object?>? arguments = null, CancellationToken cancellationToken = default) =>
        UnbindAsync(BindingOf(isOfQueue: true, queue, exchange, routingKey, arguments), cancellationToken);

    /// <summary>Has an exchange route to another.</summary>
    /// <param name="destination">The exchange that it routes to.</param>
    /// <param name="source">The exchange that routes.</param>
    /// <param name="routingKey">Which messages: what that means depends on the type of the source.</param>
    /// <param name="arguments">What the type of the source takes besides; values are of types that a field of a table can have.</param>
    /// <param name="cancellationToken">Ends the wait; it may be bound all the same.</param>
    /// <inheritdoc cref="BindQueueAsync"/>
    public Task BindExchangeAsync(string destination, string source, string routingKey = "", IReadOnlyDictionary<string, object?>? arguments = null, CancellationToken cancellationToken = default) =>
        BindAsync(BindingOf(isOfQueue: false, destination, source, routingKey, arguments), cancellationToken);

    /// <summary>Takes back what <see cref="BindExchangeAsync"/> did with the same arguments. There need not be such a binding.</summary>
    /// <inheritdoc cref="BindExchangeAsync"/>
    public Task UnbindExchangeAsync(string destination, string source, string routingKey = "", IReadOnlyDictionary<string, object?>? arguments = null, CancellationToken cancellationToken = default) =>
        UnbindAsync(BindingOf(isOfQueue: false, destination, source, routingKey, arguments), cancellationToken);

    private static AmqpQueueInfo QueueOf(QueueDeclareOk ok) => new(ok.Queue.ToString(), ok.MessageCount, ok.ConsumerCount);

    private static FieldTable TableOf(IReadOnlyDictionary<string, object?>? arguments) => arguments is null ? default : FieldTable.Create(arguments);

    private TopologyBinding BindingOf(bool isOfQueue, string destination, string source, string routingKey, IReadOnlyDictionary<string, object?>? arguments)
    {
        ArgumentException.ThrowIfNullOrEmpty(destination);
        ArgumentException.ThrowIfNullOrEmpty(source);
        ArgumentNullException.ThrowIfNull(routingKey);
        return new TopologyBinding(isOfQueue, isOfQueue ? Topology.NameOf(destination) : destination, source, routingKey, TableOf(arguments));
    }

    private async Task BindAsync(TopologyBinding binding, CancellationToken cancellationToken)
    {
        LinkChannel channel = await ChannelAsync(cancellationToken).ConfigureAwait(false);
        await TopologyRestore.BindAsync(channel, binding, () => Topology.Add(binding, channel.Link), cancellationToken).ConfigureAwait(false);
    }

    private async Task UnbindAsync(TopologyBinding binding, CancellationToken cancellationToken)
    {
        LinkChannel channel = await ChannelAsync(cancellationToken).ConfigureAwait(false);
        bool Removed()
        {
            Topology.Remove(binding);
            return true;
        }

        await (binding.IsOfQueue
            ? channel.CallAsync<QueueUnbind, QueueUnbindOk, bool>(
                new QueueUnbind { Queue = binding.Destination, Exchange = binding.Source, RoutingKey = binding.RoutingKey, Arguments = binding.Arguments },
                _ => Removed(),
                cancellationToken)
            : channel.CallAsync<ExchangeUnbind, ExchangeUnbindOk, bool>(
                new ExchangeUnbind { Destination = binding.Destination, Source = binding.Source, RoutingKey = binding.RoutingKey, Arguments = binding.Arguments },
                _ => Removed(),
                cancellationToken)).ConfigureAwait(false);
    }

    // On a channel of its own: the broker ends the one on which it is asked for what there is not.
    private async Task<T?> FindAsync<T>(Func<LinkChannel, Task<T>> find, CancellationToken cancellationToken)
        where T : class
    {
        Link link = (await ChannelAsync(cancellationToken).ConfigureAwait(false)).Link;
        LinkChannel channel = await link.OpenChannelAsync(new Lock(), DeafChannel.Instance, cancellationToken).ConfigureAwait(false);
        try
        {
            return await find(channel).ConfigureAwait(false);
        }
        catch (AmqpChannelException e) when (e.Reason.ReplyCode == ReplyCodes.NotFound)
        {
            return null;
        }
        finally
        {
            await channel.CloseAsync(CancellationToken.None).ConfigureAwait(false);
        }
    }

    // The channel of the link that there is now.
    private async ValueTask<LinkChannel> ChannelAsync(CancellationToken cancellationToken) => (await LifeAsync(cancellationToken).ConfigureAwait(false)).Channel;

    // As soon as there is one: calls wait for the connection to come back, as publishes do.
    private async ValueTask<ChannelLife> LifeAsync(CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        while (true)
        {
            Task next;
            lock (_gate)
            {
                ThrowIfClosed();
                if (_life is { } life)
                {
                    return life;
                }

                next = (_nextLife ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).Task;
            }

            await next.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    private void LifeMayHaveCome()
    {
        TaskCompletionSource? next;
        lock (_gate)
        {
            (next, _nextLife) = (_nextLife, null);
        }

        next?.TrySetResult();
    }
}
