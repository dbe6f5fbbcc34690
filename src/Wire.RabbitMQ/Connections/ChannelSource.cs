using System.Threading.Channels;
using RabbitMQ.Client;
using RabbitMQ.Client.Exceptions;

namespace Wire.RabbitMQ;

/// <summary>
/// Channels of a connection that may be down for a while: asks for one wait until the client has recovered the connection. Channels are never
/// left to the client's own recovery: whoever has one drops it when it is closed, whatever the reason, and asks for a new one, so that there is
/// one way back and not two.
/// </summary>
internal sealed class ChannelSource(Func<CancellationToken, Task<IConnection>> connect, TimeSpan recoveryTimeout)
{
    // Between two looks at a connection that is down.
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(50);

    private IConnection? _connection;

    /// <summary>Channels of a connection that is there.</summary>
    public ChannelSource(IConnection connection, TimeSpan recoveryTimeout)
        : this(_ => Task.FromResult(connection), recoveryTimeout) => _connection = connection;

    /// <summary>The connection, which is made with the first channel where it was not there before.</summary>
    public IConnection Connection => _connection ?? throw new InvalidOperationException("No channel has been opened yet.");

    /// <summary>Opens a channel, as soon as the connection is there.</summary>
    /// <exception cref="ConnectionLostException">The connection is closed for good, or did not come back in time.</exception>
    /// <exception cref="InvalidOperationException">The connection has as many channels as it may have.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public async Task<IChannel> OpenAsync(CreateChannelOptions options, CancellationToken cancellationToken)
    {
        using var timeout = new CancellationTokenSource(recoveryTimeout);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(timeout.Token, cancellationToken);
        Exception? last = null;
        while (true)
        {
            cancellationToken.ThrowIfCancellationRequested();
            if (timeout.IsCancellationRequested)
            {
                throw new ConnectionLostException(
                    $"The connection has not come back within {recoveryTimeout.TotalSeconds:0.###} s. Is the broker up, and was the connection made with AutomaticRecoveryEnabled, which is on by default?",
                    last ?? _connection?.CloseReason?.Exception);
            }

            try
            {
                IConnection connection = _connection ??= await connect(either.Token).ConfigureAwait(false);
                var watch = ConnectionWatch.Of(connection);
                if (watch.IsReady)
                {
                    IChannel channel = await connection.CreateChannelAsync(options, either.Token).ConfigureAwait(false);
                    Telemetry.ChannelsOpened.Add(1);
                    return channel;
                }

                if (watch.IsClosedForGood)
                {
                    throw new ConnectionLostException("The connection has been closed by the program: open another, and make what uses it anew.", last);
                }
            }
            catch (Exception e) when (e is OperationInterruptedException or AlreadyClosedException or IOException or TimeoutException or OperationCanceledException or ChannelClosedException)
            {
                // The connection went down while the channel was being opened (it is the client's row of frames that is closed, where it was full), or the
                // time is up: the next look tells.
                last = e;
            }
            catch (ChannelAllocationException e)
            {
                throw new InvalidOperationException(
                    $"The connection has no channel left: {_connection?.ChannelMax} are open, and broker and client agreed on no more. Raise RequestedChannelMax of its factory, or the broker's channel_max, open fewer, or use another connection.",
                    e);
            }
            catch (ObjectDisposedException e)
            {
                throw new ConnectionLostException("The connection has been disposed of: open another, and make what uses it anew.", e);
            }

            await Task.Delay(Pause, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Takes a channel off its connection, so that the client does not recover it. Call it outside of the client's events.</summary>
    public static async Task DropAsync(IChannel channel)
    {
        try
        {
            await channel.AbortAsync().ConfigureAwait(false);
        }
        catch (Exception e) when (e is RabbitMQClientException or IOException or ObjectDisposedException or OperationCanceledException or TimeoutException)
        {
            // It is closed, which is what was asked for.
        }
        finally
        {
            await channel.DisposeAsync().ConfigureAwait(false);
        }
    }
}
