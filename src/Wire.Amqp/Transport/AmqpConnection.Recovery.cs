namespace Wire.Amqp.Transport;

/// <summary>The way back after a connection was lost, which is one: a new link, and everything on it anew.</summary>
public sealed partial class AmqpConnection
{
    // From the first link to the end, in one place and one after the other, so that nothing races.
    private async Task WatchAsync(Link link)
    {
        while (true)
        {
            LinkEnd end = await link.Ended.ConfigureAwait(false);
            lock (_gate)
            {
                _link = null;
                _next = new TaskCompletionSource<Link>(TaskCreationOptions.RunContinuationsAsynchronously);
            }

            if (end.IsByProgram || !Options.Recovery.IsEnabled)
            {
                Finish(end);
                return;
            }

            if (Lost is { } listeners)
            {
                _ = Task.Run(() => listeners(end.Error));
            }

            try
            {
                link = await RecoverAsync(_closing.Token).ConfigureAwait(false);
            }
            catch (Exception e) when (_closing.IsCancellationRequested)
            {
                Finish(new LinkEnd(new ObjectDisposedException(nameof(AmqpConnection), $"The connection has been closed by the program while it was being recovered: {e.Message}"), IsByProgram: true));
                return;
            }
        }
    }

    private async Task<Link> RecoverAsync(CancellationToken cancellationToken)
    {
        TimeSpan pause = TimeSpan.Zero;
        while (true)
        {
            // Clients that have lost the same broker do not come back at the same moment.
            await Task.Delay(pause * (0.5 + (Random.Shared.NextDouble() / 2)), cancellationToken).ConfigureAwait(false);
            Link? link = null;
            try
            {
                link = await ConnectToAnyAsync(cancellationToken).ConfigureAwait(false);
                foreach (AmqpChannel channel in Use(link))
                {
                    await channel.RestoreAsync(link, cancellationToken).ConfigureAwait(false);
                }

                if (Recovered is { } listeners)
                {
                    _ = Task.Run(listeners, CancellationToken.None);
                }

                return link;
            }
            catch (Exception e) when (!cancellationToken.IsCancellationRequested)
            {
                ReportFailure(e);
                if (link is not null)
                {
                    lock (_gate)
                    {
                        if (_link == link)
                        {
                            _link = null;
                            _next = new TaskCompletionSource<Link>(TaskCreationOptions.RunContinuationsAsynchronously);
                        }
                    }
                }
            }
            finally
            {
                if (link is not null && (cancellationToken.IsCancellationRequested || Link != link))
                {
                    link.Lose(new AmqpConnectionException("The connection could not be recovered."));
                }
            }

            pause = pause == TimeSpan.Zero ? Options.Recovery.FirstPause : pause * 2 < Options.Recovery.LongestPause ? pause * 2 : Options.Recovery.LongestPause;
        }
    }

    private void Finish(LinkEnd end)
    {
        AmqpChannel[] channels;
        TaskCompletionSource<Link> next;
        lock (_gate)
        {
            _end = end;
            channels = [.. _channels];
            _channels.Clear();
            next = _next;
        }

        next.TrySetException(LinkChannel.Ended(end));

        // Nobody may be waiting for it.
        _ = next.Task.Exception;
        foreach (AmqpChannel channel in channels)
        {
            channel.Finish(end);
        }
    }
}
