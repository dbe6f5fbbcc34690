using System.Runtime.CompilerServices;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;

namespace Wire.RabbitMQ;

/// <summary>
/// Knows whether the client is recovering a connection. It is open for a while before that has ended, and a channel that is opened meanwhile is
/// recovered like those from before: it then has another channel of the broker inside than the one that it was opened with, and two of them
/// deliver to its consumer. One for each connection.
/// </summary>
internal sealed class ConnectionWatch
{
    // What the client closes a connection with whose recovery has failed halfway, in the program's name; it then tries again.
    private const string FailedRecovery = "FailedAutoRecovery";

    private static readonly ConditionalWeakTable<IConnection, ConnectionWatch> Watches = [];

    private readonly IConnection _connection;
    private volatile bool _isRecovering;

    private ConnectionWatch(IConnection connection)
    {
        _connection = connection;
        connection.ConnectionShutdownAsync += OnShutdownAsync;
        connection.RecoverySucceededAsync += OnRecoveredAsync;
    }

    /// <summary>Whether channels can be opened.</summary>
    public bool IsReady => !_isRecovering && _connection.IsOpen;

    /// <summary>Whether the program has closed it, so that it never comes back.</summary>
    public bool IsClosedForGood => _connection.CloseReason is { Initiator: ShutdownInitiator.Application, ReplyText: not FailedRecovery };

    /// <summary>The watch of a connection.</summary>
    /// <exception cref="ObjectDisposedException">The connection has been disposed of.</exception>
    public static ConnectionWatch Of(IConnection connection) => Watches.GetValue(connection, static connection => new ConnectionWatch(connection));

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
}
