using Wire.Amqp.Client.Channels;
using Wire.Amqp.Client.Connections;
using Wire.Amqp.Client.Diagnostics;
using Wire.Amqp.Client.Topology;
using Wire.Transport;
using Wire.Transport.Pending;
using Wire.Transport.Recovery;

namespace Wire.Amqp.Client;

/// <summary>Recovers a lost connection: a new link, and everything on it again.</summary>
public sealed partial class AmqpConnection
{
    private readonly SemaphoreSlim _declaring = new(1);
    private volatile Task _declared = Task.CompletedTask;

    /// <summary>Gets a task that ends when all queues are there that were locked when the latest link came, or with that link.</summary>
    internal Task Declared => _declared;

    /// <summary>Gets the channels that are open or come back.</summary>
    internal RecoveringChannel[] Channels
    {
        get
        {
            lock (_gate)
            {
                return [.. _channels];
            }
        }
    }

    // From the first link to the end, in one place and one after the other, so that nothing races.
    private async Task WatchAsync(Link link)
    {
        RecoveryOptions recovery = Options.Recovery;
        var reconnector = new Reconnector(recovery, IsRefused);
        reconnector.StartClock();
        while (true)
        {
            LinkEnd end = await link.Ended.ConfigureAwait(false);
            Drop(link);
            _error = end.IsByProgram ? null : end.Error;
            if (!end.IsByProgram)
            {
                ClientTelemetry.Count(ClientTelemetry.ConnectionsLost, link.Endpoint, end.Error);
                if (Lost is { } listeners)
                {
                    QueueEvent(() => listeners(end.Error));
                }
            }

            if (end.IsByProgram || !Options.Recovery.IsEnabled)
            {
                Finish(end);
                return;
            }

            try
            {
                link =
                    await reconnector.RunAsync<Link>(RecoverAsync, static _ => true, ReportAttempt, _closing.Token).ConfigureAwait(false);
            }
            catch (Exception e) when (_closing.IsCancellationRequested)
            {
                Finish(new LinkEnd(new ObjectDisposedException(
                    nameof(AmqpConnection),
                    $"The connection has been closed by the program while it was being recovered: {e.Message}"), IsByProgram: true));
                return;
            }
            catch (TimeoutException e)
            {
                GiveUp(e.InnerException ?? e, $"{nameof(RecoveryOptions.GiveUpAfter)}, {recovery.GiveUpAfter.TotalSeconds:0.###} s");
                return;
            }
            catch (Exception e)
            {
                ReportAttempt(0, e);
                GiveUp(e, $"{nameof(RecoveryOptions.MaxRefusals)}, {recovery.MaxRefusals}");
                return;
            }
        }
    }

    private void GiveUp(Exception error, string limit)
    {
        string message = $"The connection was lost, and recovery was given up ({nameof(RecoveryOptions)}.{limit}): {error.Message}";
        Finish(new LinkEnd(
            error is AmqpConnectionException { Reason: { } reason }
                ? new AmqpConnectionException(message, reason, error)
                : new AmqpConnectionException(message, error),
            IsByProgram: false));
    }

    // Refused by every endpoint, which another attempt does not change. The number of connections does change: when the broker notices the
    // end of the lost one.
    private static bool IsRefused(Exception exception) => exception switch
    {
        AmqpConnectionException { Reason: { ReplyCode: ReplyCodes.AccessRefused or ReplyCodes.NotAllowed } reason } =>
            !reason.ReplyText.Contains("connection limit (", StringComparison.Ordinal),
        AmqpConnectionException { InnerException: AggregateException all } => all.InnerExceptions.All(IsRefused),
        _ => false,
    };

    private void ReportAttempt(int number, Exception? error)
    {
        ClientTelemetry.Count(ClientTelemetry.Recoveries, Endpoint, error);
        if (error is not null)
        {
            _error = error;
            ReportFailure(error);
        }
        else if (Recovered is { } listeners)
        {
            QueueEvent(listeners);
        }
    }

    // Everything that was declared and opened exists again when it returns, but for what waits for a queue; otherwise the link is not used.
    private async Task<Link?> RecoverAsync(CancellationToken cancellationToken)
    {
        Link link = await _links.ConnectAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            await RestoreAsync(link, cancellationToken).ConfigureAwait(false);
            return link;
        }
        catch
        {
            Drop(link);
            LinkEnd? end = link.End;
            link.Lose(new AmqpConnectionException("The connection was lost and could not be recovered."));
            if (end is null || cancellationToken.IsCancellationRequested)
            {
                throw;
            }

            // Errors of calls that waited for it say less.
            throw end.Error;
        }
    }

    private void Drop(Link? link)
    {
        lock (_gate)
        {
            if (_link != link)
            {
                return;
            }

            _link = null;
            if (_blockedReason is not null)
            {
                // Another connection is not blocked before it publishes.
                ReportBlocked(null);
            }
        }
    }

    // Exchanges, queues and bindings first, then the channels, all at once. What is not available yet comes back on the link while it is in
    // use.
    private async Task RestoreAsync(Link link, CancellationToken cancellationToken)
    {
        IReadOnlyList<string> locked = await DeclareAsync(link, cancellationToken).ConfigureAwait(false);
        _declared = locked.Count == 0 ? Task.CompletedTask : DeclareLockedAsync(link, locked);
        await Task.WhenAll(Use(link).Select(channel => channel.RestoreAsync(link, cancellationToken))).ConfigureAwait(false);
    }

    /// <summary>Declares what is missing on a link; the queues that are locked are to be tried again.</summary>
    internal async Task<IReadOnlyList<string>> DeclareAsync(Link link, CancellationToken cancellationToken)
    {
        // One at a time, so that a queue that the broker names is declared once.
        await _declaring.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            TopologyRestored restored = await Topology.RestoreAsync(link, cancellationToken).ConfigureAwait(false);
            foreach (AmqpChannelException refused in restored.Refused)
            {
                ReportFailure(refused);
            }

            return restored.Locked;
        }
        finally
        {
            _declaring.Release();
        }
    }

    // The broker has not yet noticed the loss of their connection: it will when heartbeats are missed.
    private async Task DeclareLockedAsync(Link link, IReadOnlyList<string> locked)
    {
        ReportFailure(new AmqpConnectionException(
            $"For the broker, the exclusive queues {string.Join(", ", locked)} still belong to the connection that was lost. " +
            "They are declared again when it has noticed the loss."));
        var reconnector = new Reconnector(Options.Recovery);
        await reconnector.PauseAsync(link.Gone).ConfigureAwait(false);
        await reconnector.RunAsync(
            async gone => (await DeclareAsync(link, gone).ConfigureAwait(false)).Count == 0,
            static _ => true,
            (_, error) =>
            {
                if (error is not null && link.End is null)
                {
                    ReportFailure(error);
                }
            },
            link.Gone).ConfigureAwait(false);
    }

    private void Finish(LinkEnd end)
    {
        RecoveringChannel[] channels;
        TaskCompletionSource<Link> next;
        lock (_gate)
        {
            _end = end;
            channels = [.. _channels];
            _channels.Clear();
            next = _next;
        }

        ClientTelemetry.Hide(this);
        next.TryFail(LinkChannel.Ended(end));
        foreach (RecoveringChannel channel in channels)
        {
            channel.Finish(end);
        }

        end.Complete(_completion);
        if (Closed is { } listeners)
        {
            QueueEvent(() => listeners(end.Reason));
        }
    }
}
