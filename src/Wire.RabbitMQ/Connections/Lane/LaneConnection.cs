using System.Runtime.CompilerServices;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;
using RabbitMQ.Client.Exceptions;
using Wire.Amqp.Client;
using Wire.Transport;

namespace Wire.RabbitMQ.Connections.Lane;

/// <summary>A connection of the direct lane, which connects again by itself. One for each connection.</summary>
internal sealed class LaneConnection : IBrokerConnection
{
    private static readonly ConditionalWeakTable<AmqpConnection, LaneConnection> Connections = [];

    private readonly AmqpConnection _connection;
    private volatile Exception? _error;
    private AmqpTcpEndpoint? _server;
    private uint _frameMax;

    private LaneConnection(AmqpConnection connection)
    {
        _connection = connection;
        connection.Lost += error => _error = error;
        connection.RecoveryFailed += error => _error = error;
        connection.Recovered += () => _error = null;
        Look();
    }

    public bool IsReady => _connection.IsOpen;

    public bool IsClosedForGood => _connection.End is { IsByProgram: true };

    public Exception? Error => IsClosedForGood ? null : _connection.End?.Error ?? _error;

    public string Advice => $"Is the broker up, and was the connection made with {nameof(AmqpConnectionOptions)}.{nameof(AmqpConnectionOptions.Recovery)}, which is on by default?";

    public uint FrameMax
    {
        get
        {
            Look();
            return _frameMax;
        }
    }

    public AmqpTcpEndpoint? Server
    {
        get
        {
            Look();
            return _server;
        }
    }

    /// <summary>The one of a connection.</summary>
    public static LaneConnection Of(AmqpConnection connection)
    {
        ArgumentNullException.ThrowIfNull(connection);
        return Connections.GetValue(connection, static connection => new LaneConnection(connection));
    }

    public async Task<IBrokerChannel> OpenChannelAsync(ChannelUse use, CancellationToken cancellationToken)
    {
        if (_connection.Link is not { } link)
        {
            throw new AlreadyClosedException(_connection.End is { } end ? LaneReasons.Of(end) : new ShutdownEventArgs(ShutdownInitiator.Library, 0, "the connection is lost"));
        }

        try
        {
            return await LaneChannel.OpenAsync(link, _connection.Options, use, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e) when (e is IOException or AmqpChannelException or ObjectDisposedException)
        {
            throw LaneReasons.Translate(e);
        }
    }

    public IDisposable WatchBlocking(Action<string?> tell)
    {
        _connection.Blocked += tell;
        return new BlockingWatch(_connection, tell);
    }

    // While there is no link, what is known of the one before.
    private void Look()
    {
        if (_connection.Link is { } link)
        {
            _frameMax = (uint)link.FrameMax;
            BrokerEndpoint endpoint = link.Endpoint;
            if (_server is not { } server || server.HostName != endpoint.Host || server.Port != endpoint.Port)
            {
                _server = new AmqpTcpEndpoint(endpoint.Host, endpoint.Port);
            }
        }
    }

    private sealed class BlockingWatch(AmqpConnection connection, Action<string?> tell) : IDisposable
    {
        public void Dispose() => connection.Blocked -= tell;
    }
}
