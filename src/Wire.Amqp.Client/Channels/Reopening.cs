using Wire.Amqp.Client.Connections;
using Wire.Transport.Recovery;

namespace Wire.Amqp.Client.Channels;

/// <summary>
/// Opens a channel again after the broker closed it, on the same link: at once, and after growing pauses if that happens repeatedly.
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

    /// <summary>Starts opening the channel again, which the broker has closed.</summary>
    public void Start(Link link, LinkEnd end)
    {
        // One run at a time: the channel may be closed again before the previous run has ended.
        lock (_gate)
        {
            _run = RunAsync(_run, link, end);
        }
    }

    private async Task RunAsync(Task before, Link link, LinkEnd end)
    {
        // Not on the receive loop, which has reported the end.
        await before.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
        Volatile.Write(ref _why, end.Error);
        try
        {
            await _reconnector.RunAsync(
                _ => _channel.TryRestoreAsync(link, Task.CompletedTask, link.Gone),
                static e => e is AmqpChannelException or AmqpConnectionException,
                Report,
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

    private void Report(int number, Exception? error)
    {
        if (error is not null)
        {
            Volatile.Write(ref _why, error);
            _connection.ReportFailure(error);
        }
    }
}
