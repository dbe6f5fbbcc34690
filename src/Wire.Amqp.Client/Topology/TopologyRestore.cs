using Wire.Amqp.Client.Channels;
using Wire.Amqp.Client.Connections;
using Wire.Amqp.Client.Publishing;
using Wire.Amqp.V091;

namespace Wire.Amqp.Client.Topology;

/// <summary>The outcome of restoring a topology on a new link.</summary>
/// <param name="Renamed">The queues that the broker has named again.</param>
/// <param name="Refused">What the broker refuses, each with a text that names it; it is not tried again on this link.</param>
/// <param name="Locked">
/// The queues that the broker believes to belong to another connection still, as one does whose end it has not noticed: to be tried again
/// after a pause.
/// </param>
internal sealed record TopologyRestored(
    IReadOnlyList<(string From, string To)> Renamed, IReadOnlyList<AmqpChannelException> Refused, IReadOnlyList<string> Locked);

/// <summary>
/// Declares a topology on a link: exchanges, queues, bindings. A refusal ends the channel that it comes on, and the next one continues.
/// </summary>
internal sealed class TopologyRestore(DeclaredTopology topology, Link link)
{
    private const int Attempts = 5;

    // As of messages: see Suspects.
    private const int MostLosses = Suspects.MostLosses;

    private readonly List<(string From, string To)> _renamed = [];
    private readonly List<AmqpChannelException> _refused = [];
    private readonly List<string> _locked = [];
    private LinkChannel? _channel;

    public async Task<TopologyRestored> RunAsync(CancellationToken cancellationToken)
    {
        try
        {
            // Again where something has deleted itself meanwhile, which it does once: when the broker notices the end of the connection
            // before.
            for (int left = Attempts; await TryRunAsync(isLast: left == 1, cancellationToken).ConfigureAwait(false) && left > 1; left--)
            {
                _locked.Clear();
            }
        }
        finally
        {
            if (_channel is not null)
            {
                await _channel.CloseAsync(CancellationToken.None).ConfigureAwait(false);
            }
        }

        topology.ForgetLosses();
        return new TopologyRestored(_renamed, _refused, _locked);
    }

    // True if something must be declared again.
    private async Task<bool> TryRunAsync(bool isLast, CancellationToken cancellationToken)
    {
        foreach (TopologyExchange exchange in topology.ExchangesMissingOn(link))
        {
            AmqpChannelException? refusal = await TryAsync(
                exchange,
                channel => channel.CallAsync<ExchangeDeclare, ExchangeDeclareOk>(exchange.Method, cancellationToken),
                cancellationToken).ConfigureAwait(false);
            Report($"The exchange '{exchange.Name}'", refusal);
            if (!topology.Settle(exchange, link) && refusal is null && exchange.Options.AutoDelete)
            {
                await TryAsync(
                    exchange,
                    channel => channel.CallAsync<ExchangeDelete, ExchangeDeleteOk>(
                        new ExchangeDelete { Exchange = exchange.Name, IfUnused = true }, cancellationToken),
                    cancellationToken).ConfigureAwait(false);
            }
        }

        foreach (TopologyQueue queue in topology.QueuesMissingOn(link))
        {
            await RestoreAsync(queue, cancellationToken).ConfigureAwait(false);
        }

        bool again = false;
        foreach (TopologyBinding binding in topology.BindingsMissingOn(link))
        {
            AmqpChannelException? refusal = await TryAsync(
                binding, channel => BindAsync(channel, binding, static () => { }, cancellationToken), cancellationToken)
                .ConfigureAwait(false);
            if (refusal is { Reason.IsMissing: true } && !isLast && topology.TakeBack(binding))
            {
                again = true;
                continue;
            }

            Report(binding.ToString(), refusal);
            topology.Settle(binding, link);
        }

        return again;
    }

    /// <summary>Makes a binding.</summary>
    /// <param name="channel">Where.</param>
    /// <param name="binding">The binding.</param>
    /// <param name="made">Called on the receive loop when it is there.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    public static Task BindAsync(LinkChannel channel, TopologyBinding binding, Action made, CancellationToken cancellationToken)
    {
        bool Made()
        {
            made();
            return true;
        }

        return binding.IsOfQueue
            ? channel.CallAsync<QueueBind, QueueBindOk, bool>(
                new QueueBind
                {
                    Queue = binding.Destination,
                    Exchange = binding.Source,
                    RoutingKey = binding.RoutingKey,
                    Arguments = binding.Arguments,
                },
                _ => Made(),
                cancellationToken)
            : channel.CallAsync<ExchangeBind, ExchangeBindOk, bool>(
                new ExchangeBind
                {
                    Destination = binding.Destination,
                    Source = binding.Source,
                    RoutingKey = binding.RoutingKey,
                    Arguments = binding.Arguments,
                },
                _ => Made(),
                cancellationToken);
    }

    /// <summary>Deletes a queue that was declared again for a consumer which is not restored.</summary>
    public static async Task TryDeleteUnusedAsync(Link link, string queue)
    {
        try
        {
            LinkChannel own = await link.OpenChannelAsync(CancellationToken.None).ConfigureAwait(false);
            await DeleteUnusedAsync(own, queue, CancellationToken.None).ConfigureAwait(false);
            await own.CloseAsync(CancellationToken.None).ConfigureAwait(false);
        }
        catch (Exception e) when (e is IOException or AmqpChannelException or ObjectDisposedException)
        {
            // The link has ended, and the next one does not declare it; or another consumer uses the queue.
        }
    }

    // A queue that has no consumer.
    private static Task DeleteUnusedAsync(LinkChannel channel, string queue, CancellationToken cancellationToken) =>
        channel.CallAsync<QueueDelete, QueueDeleteOk>(new QueueDelete { Queue = queue, IfUnused = true }, cancellationToken);

    private async Task RestoreAsync(TopologyQueue queue, CancellationToken cancellationToken)
    {
        string name = queue.Name;
        AmqpChannelException? refusal = await TryAsync(
            queue,
            async channel => name = await channel.CallAsync<QueueDeclare, QueueDeclareOk, string>(
                queue.Method, static ok => ok.Queue.ToString(), cancellationToken).ConfigureAwait(false),
            cancellationToken).ConfigureAwait(false);
        if (refusal is { Reason.ReplyCode: ReplyCodes.ResourceLocked })
        {
            _locked.Add(queue.Name);
            return;
        }

        Report($"The queue '{queue.Name}'", refusal);
        if (!topology.Settle(queue, name, link))
        {
            if (refusal is null && queue.Options.AutoDelete)
            {
                // Its last consumer has gone meanwhile, and nothing else would delete it.
                await TryAsync(queue, channel => DeleteUnusedAsync(channel, name, cancellationToken), cancellationToken)
                    .ConfigureAwait(false);
            }
        }
        else if (name != queue.Name)
        {
            _renamed.Add((queue.Name, name));
        }
    }

    // Null, or why the broker refuses it. What it closes the connection over again and again is left out, so that the rest comes back.
    private async Task<AmqpChannelException?> TryAsync(
        object entry, Func<LinkChannel, Task> declare, CancellationToken cancellationToken)
    {
        if (topology.LossesOver(entry) is { Count: >= MostLosses, Last: { } last })
        {
            return new AmqpChannelException($"The broker has closed {MostLosses} connections over it.", last);
        }

        _channel ??= await link.OpenChannelAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            await declare(_channel).ConfigureAwait(false);
            return null;
        }
        catch (AmqpChannelException e)
        {
            _channel = null;
            return e;
        }
        catch (AmqpConnectionException e) when (e.Reason is { ReplyCode: >= ReplyCodes.LeastOfConnectionErrors } reason)
        {
            topology.CountLoss(entry, reason);
            throw;
        }
    }

    private void Report(string what, AmqpChannelException? refusal)
    {
        if (refusal is not null)
        {
            string advice = refusal.Reason.IsOfQueueThatIsDown
                ? "It is there, and is used again when the broker's node that has it is up."
                : refusal.Reason.ReplyCode >= ReplyCodes.LeastOfConnectionErrors
                ? $"The broker has closed {MostLosses} connections over it: its log says why."
                : "Declare it with the broker's arguments, or delete it there.";
            _refused.Add(
                new AmqpChannelException(
                    $"{what} could not be restored after the connection was lost: {refusal.Reason}. Everything else is restored. {advice}",
                    refusal.Reason));
        }
    }
}
