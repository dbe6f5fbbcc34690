using System.Runtime.CompilerServices;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;
using RabbitMQ.Client.Exceptions;

namespace Wire.RabbitMQ.Connections;

/// <summary>
/// A connection of RabbitMQ.Client. Knows whether the client is recovering it: it is open for a while before that has ended, and a channel that is
/// opened meanwhile is recovered like those from before: it then has another channel of the broker inside than the one that it was opened with, and
/// two of them deliver to its consumer. One for each connection.
/// </summary>
internal sealed class ClientConnection : IBrokerConnection
{
    // What the client closes a connection with whose recovery has failed halfway, in the program's name; it then tries again.
    private const string FailedRecovery = "FailedAutoRecovery";

    private static readonly ConditionalWeakTable<IConnection, ClientConnection> Connections = [];

    private readonly IConnection _connection;
    private volatile bool _isRecovering;

    private ClientConnection(IConnection connection)
    {
        _connection = connection;
        try
        {
            connection.ConnectionShutdownAsync += OnShutdownAsync;
            connection.RecoverySucceededAsync += OnRecoveredAsync;
        }
        catch (ObjectDisposedException)
        {
            // It is closed for good, and says so when it is asked.
        }
    }

    public bool IsReady => !_isRecovering && _connection.IsOpen;

    public bool IsClosedForGood
    {
        get
        {
            try
            {
                return _connection.CloseReason is { Initiator: ShutdownInitiator.Application, ReplyText: not FailedRecovery };
            }
            catch (ObjectDisposedException)
            {
                return true;
            }
        }
    }

    public Exception? Error => IsClosedForGood ? null : _connection.CloseReason?.Exception;

    public string Advice => "Is the broker up, and was the connection made with AutomaticRecoveryEnabled, which is on by default?";

    public uint FrameMax => _connection.FrameMax;

    public AmqpTcpEndpoint? Server
    {
        get
        {
            try
            {
                return _connection.Endpoint;
            }
            catch (ObjectDisposedException)
            {
                return null;
            }
        }
    }

    /// <summary>The one of a connection.</summary>
    public static ClientConnection Of(IConnection connection)
    {
        ArgumentNullException.ThrowIfNull(connection);
        return Connections.GetValue(connection, static connection => new ClientConnection(connection));
    }

    public async Task<IBrokerChannel> OpenChannelAsync(ChannelUse use, CancellationToken cancellationToken)
    {
        // The client counts what is published, and we keep track: its own tracking costs a task, a header and an exception per message.
        var options = new CreateChannelOptions(use.Confirms, publisherConfirmationTrackingEnabled: false, consumerDispatchConcurrency: use.Concurrency);
        try
        {
            return new ClientChannel(await _connection.CreateChannelAsync(options, cancellationToken).ConfigureAwait(false), this);
        }
        catch (ChannelAllocationException e)
        {
            throw new InvalidOperationException(
                $"The connection has no channel left: {_connection.ChannelMax} are open, and broker and client agreed on no more. Raise RequestedChannelMax of its factory, or the broker's channel_max, open fewer, or use another connection.",
                e);
        }
    }

    public IDisposable WatchBlocking(Action<string?> tell) => new BlockingWatch(_connection, tell);

    private Task OnShutdownAsync(object sender, ShutdownEventArgs reason)
    {
        _isRecovering = true;
        return Task.CompletedTask;
    }

    private Task OnRecoveredAsync(object sender, AsyncEventArgs recovered)
    {
        // A connection that was down when this was made has told it so, and has not kept it.
        _connection.ConnectionShutdownAsync -= OnShutdownAsync;
        _connection.ConnectionShutdownAsync += OnShutdownAsync;

        // In this order: it may go down just now, and is told so on another thread.
        _isRecovering = false;
        if (!_connection.IsOpen)
        {
            _isRecovering = true;
        }

        return Task.CompletedTask;
    }

    private sealed class BlockingWatch : IDisposable
    {
        private readonly IConnection _connection;
        private readonly Action<string?> _tell;

        public BlockingWatch(IConnection connection, Action<string?> tell)
        {
            _connection = connection;
            _tell = tell;
            connection.ConnectionBlockedAsync += OnBlockedAsync;
            connection.ConnectionUnblockedAsync += OnUnblockedAsync;
        }

        public void Dispose()
        {
            try
            {
                _connection.ConnectionBlockedAsync -= OnBlockedAsync;
                _connection.ConnectionUnblockedAsync -= OnUnblockedAsync;
            }
            catch (ObjectDisposedException)
            {
                // The connection was disposed of first, and tells nobody anything any more.
            }
        }

        private Task OnBlockedAsync(object sender, ConnectionBlockedEventArgs blocked)
        {
            _tell(blocked.Reason);
            return Task.CompletedTask;
        }

        private Task OnUnblockedAsync(object sender, AsyncEventArgs unblocked)
        {
            _tell(null);
            return Task.CompletedTask;
        }
    }
}
