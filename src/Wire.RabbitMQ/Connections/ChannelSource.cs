using System.Threading.Channels;
using RabbitMQ.Client.Exceptions;
using Wire.RabbitMQ.Diagnostics;
using Wire.Transport.Recovery;

namespace Wire.RabbitMQ.Connections;

/// <summary>
/// Channels of a connection that may be down for a while: asks for one wait until the connection is back. A channel never comes back itself:
/// whoever has one drops it when it is closed, whatever the reason, and asks for a new one, so that there is one way back and not two.
/// </summary>
internal sealed class ChannelSource(Func<CancellationToken, Task<IBrokerConnection>> connect, TimeSpan recoveryTimeout)
{
    // Between two looks at a connection that is down.
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(50);

    private IBrokerConnection? _connection;

    /// <summary>Channels of a connection that is there.</summary>
    public ChannelSource(IBrokerConnection connection, TimeSpan recoveryTimeout)
        : this(_ => Task.FromResult(connection), recoveryTimeout) => _connection = connection;

    /// <summary>The connection, which is made with the first channel where it was not there before.</summary>
    public IBrokerConnection Connection => _connection ?? throw new InvalidOperationException("No channel has been opened yet.");

    /// <summary>Opens a channel, as soon as the connection is there.</summary>
    /// <exception cref="ConnectionLostException">The connection is closed for good, or did not come back in time.</exception>
    /// <exception cref="InvalidOperationException">The connection has as many channels as it may have.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public async Task<IBrokerChannel> OpenAsync(ChannelUse use, CancellationToken cancellationToken)
    {
        Exception? last = null;
        try
        {
            return await new Reconnector(Pause, Pause, recoveryTimeout).RunAsync(
                token => TryOpenAsync(use, last, token), IsPassing, (_, error) => last = error, cancellationToken).ConfigureAwait(false);
        }
        catch (TimeoutException e)
        {
            throw new ConnectionLostException(
                $"The connection has not come back within {recoveryTimeout.TotalSeconds:0.###} s. {_connection?.Advice ?? "Is the broker up?"}",
                e.InnerException ?? _connection?.Error);
        }
    }

    /// <summary>Opens a channel for one thing to do, as soon as the connection is there, and closes it again.</summary>
    /// <exception cref="ConnectionLostException">The connection is closed for good, or did not come back in time.</exception>
    public async Task UseAsync(Func<IBrokerChannel, Task> use, CancellationToken cancellationToken)
    {
        IBrokerChannel channel = await OpenAsync(new ChannelUse(), cancellationToken).ConfigureAwait(false);
        await using (channel.ConfigureAwait(false))
        {
            await use(channel).ConfigureAwait(false);
        }
    }

    // Null while the connection is down.
    private async Task<IBrokerChannel?> TryOpenAsync(ChannelUse use, Exception? last, CancellationToken cancellationToken)
    {
        try
        {
            IBrokerConnection connection = _connection ??= await connect(cancellationToken).ConfigureAwait(false);
            if (connection.IsReady)
            {
                IBrokerChannel channel = await connection.OpenChannelAsync(use, cancellationToken).ConfigureAwait(false);
                Telemetry.ChannelsOpened.Add(1);
                return channel;
            }

            return connection.IsClosedForGood
                ? throw new ConnectionLostException(
                    "The connection has been closed by the program, or disposed of: open another, and make what uses it anew.", last)
                : null;
        }
        catch (ObjectDisposedException e)
        {
            throw new ConnectionLostException("The connection has been disposed of: open another, and make what uses it anew.", e);
        }
    }

    // The connection went down while the channel was being opened (it is the client's row of frames that is closed, where it was full), or the time is up.
    private static bool IsPassing(Exception e) =>
        e is OperationInterruptedException or IOException or TimeoutException or OperationCanceledException or ChannelClosedException;
}
