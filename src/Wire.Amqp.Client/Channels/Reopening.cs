using Wire.Amqp.Client.Connections;
using Wire.Transport.Recovery;

namespace Wire.Amqp.Client.Channels;

/// <summary>
/// Opens a channel again on a link, beside everything else: after the broker closed it, or where a queue of its consumers was not available
/// when the connection came back. At once, and after growing pauses if that happens, or fails, repeatedly.
/// </summary>
internal sealed class Reopening
{
    private readonly RecoveringChannel _channel;
    private readonly AmqpConnection _connection;
    private readonly Reconnector _reconnector;
    private readonly Lock _gate = new();
    private Task _run = Task.CompletedTask;
    private Exception? _why;

    public Reopening(RecoveringChannel channel, AmqpConnection connection)
    {
        _channel = channel;
        _connection = connection;
        _reconnector = new Reconnector(connection.Options.Recovery);
        _reconnector.StartClock();
    }

    /// <summary>Gets the reason why the channel was closed last, or could not be opened; null where neither has happened.</summary>
    public Exception? Why => Volatile.Read(ref _why);

    /// <summary>Ends when it is not under way; on a link that has ended, it ends soon.</summary>
    public Task Ended
    {
        get
        {
            lock (_gate)
            {
                return _run;
            }
        }
    }

    /// <summary>Starts opening the channel again.</summary>
    /// <param name="link">The link.</param>
    /// <param name="end">Why the broker has closed it; null where it was not opened yet.</param>
    public void Start(Link link, LinkEnd? end)
    {
        // One run at a time: the channel may be closed again before the previous run has ended.
        lock (_gate)
        {
            _run = RunAsync(_run, link, end);
        }
    }

    /// <summary>Tells the program of something that has not come back yet.</summary>
    public void Report(Exception error)
    {
        Volatile.Write(ref _why, error);
        _connection.ReportFailure(error);
    }

    private async Task RunAsync(Task before, Link link, LinkEnd? end)
    {
        // Not on the receive loop, which has reported the end.
        await before.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
        if (end is not null)
        {
            Volatile.Write(ref _why, end.Error);
        }

        try
        {
            await _reconnector.RunAsync(
                async gone =>
                {
                    await _channel.MayRestoreAsync(gone).ConfigureAwait(false);
                    return await _channel.TryRestoreAsync(link, gone).ConfigureAwait(false);
                },
                static e => e is AmqpChannelException or AmqpConnectionException,
                (_, error) =>
                {
                    if (error is not null && link.End is null)
                    {
                        Report(error);
                    }
                },
                link.Gone).ConfigureAwait(false);
        }
        catch (Exception) when (link.End is not null)
        {
            // The connection opens the channel on its next link, or ends it.
        }
        catch (Exception e)
        {
            _channel.Close(new LinkEnd(e, IsByProgram: false));
        }
    }
}
