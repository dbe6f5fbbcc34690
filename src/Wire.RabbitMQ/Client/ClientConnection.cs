using System.Runtime.CompilerServices;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;
using RabbitMQ.Client.Exceptions;
using Wire.Amqp;
using Wire.Amqp.Client;
using Wire.RabbitMQ.Connections;
using Wire.Transport;
using Wire.Transport.Pending;
using Wire.Transport.Recovery;

namespace Wire.RabbitMQ.Client;

/// <summary>
/// A connection of RabbitMQ.Client, which tracks the client's recovery: the connection is open some time before recovery has ended, and a
/// channel opened meanwhile is recovered like earlier ones. It then contains another channel of the broker than at first, and both deliver
/// to its consumer. One for each connection.
/// </summary>
internal sealed class ClientConnection : WireConnection
{
    // The time between two checks of a connection that is down.
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(50);

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    // So few bytes are in flight that the client's pooled memory is reused.
    private const int UsualBytesInFlight = 256 * 1024;

    // The close reason of a connection whose recovery has failed halfway; the client then tries again.
    private const string FailedRecovery = "FailedAutoRecovery";

    private static readonly ConditionalWeakTable<IConnection, ClientConnection> Connections = [];

    private readonly IConnection _connection;
    private volatile bool _isRecovering;

    // The reason why it is down, or why the last attempt to recover it has failed.
    private volatile Exception? _error;
    private BrokerEndpoint? _endpoint;
    private volatile string? _blocked;

    private SharedConnection? _beside;

    private ClientConnection(IConnection connection)
    {
        _connection = connection;
        try
        {
            connection.ConnectionShutdownAsync += OnShutdownAsync;
            connection.RecoverySucceededAsync += OnRecoveredAsync;
            connection.ConnectionRecoveryErrorAsync += OnRecoveryErrorAsync;
            connection.ConnectionBlockedAsync += (_, blocked) => BlockedChanged(blocked.Reason);
            connection.ConnectionUnblockedAsync += (_, _) => BlockedChanged(null);
        }
        catch (ObjectDisposedException)
        {
            // It is closed permanently, and reports so on use.
        }
    }

    private event Action<string?>? TellBlocked;

    public override bool IsOpen => !_isRecovering && _connection.IsOpen;

    public override bool IsClosed
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

    public override string? BlockedReason => _blocked;

    internal override Exception? Error => IsOpen || IsClosed ? null : _error ?? ClientErrors.From(_connection.CloseReason);

    internal override string Advice =>
        "Check that the broker is up, and that the connection has AutomaticRecoveryEnabled, which is the default.";

    internal override int FrameMax
    {
        get
        {
            try
            {
                return (int)Math.Min(_connection.FrameMax, int.MaxValue);
            }
            catch (ObjectDisposedException)
            {
                return 0;
            }
        }
    }

    internal override BrokerEndpoint? Endpoint
    {
        get
        {
            try
            {
                // Replaced when the client has connected to another one.
                AmqpTcpEndpoint found = _connection.Endpoint;
                if (_endpoint is not { } known || known.Host != found.HostName || known.Port != found.Port)
                {
                    _endpoint = new BrokerEndpoint(found.HostName, found.Port);
                }

                return _endpoint;
            }
            catch (ObjectDisposedException)
            {
                return null;
            }
        }
    }

    internal override SharedConnection? Beside => _beside;

    /// <summary>The connection of the client, for tests.</summary>
    internal IConnection Inner => _connection;

    /// <summary>The one of a connection.</summary>
    public static ClientConnection From(IConnection connection)
    {
        ArgumentNullException.ThrowIfNull(connection);
        return Connections.GetValue(connection, static connection => new ClientConnection(connection));
    }

    /// <summary>Connects as a factory says.</summary>
    /// <exception cref="AmqpConnectionException">No broker can be reached, or it refuses.</exception>
    public static async Task<ClientConnection> ConnectAsync(
        ConnectionFactory factory, string? name, IReadOnlyCollection<AmqpTcpEndpoint> endpoints, CancellationToken cancellationToken)
    {
        try
        {
            WatchedTcpClient.WatchConnectionsOf(factory);
            IConnection connection = await (endpoints.Count == 0
                ? factory.CreateConnectionAsync(name ?? factory.ClientProvidedName!, cancellationToken)
                : factory.CreateConnectionAsync(endpoints, name ?? factory.ClientProvidedName!, cancellationToken)).ConfigureAwait(false);
            try
            {
                // The client does not wait for the broker's answer about the virtual host: a refusal shows at the next request.
                await using IChannel channel = await connection.CreateChannelAsync(
                    cancellationToken: cancellationToken).ConfigureAwait(false);
                ClientConnection made = From(connection);
                made._beside = new SharedConnection(async token => await ConnectAsync(
                    factory, BesideName(name ?? factory.ClientProvidedName), endpoints, token).ConfigureAwait(false));
                return made;
            }
            catch
            {
                await connection.DisposeAsync().ConfigureAwait(false);
                throw;
            }
        }
        catch (Exception e) when (ClientErrors.IsTranslated(e))
        {
            throw ClientErrors.FromConnecting(e, endpoints.Count == 0 ? [factory.Endpoint] : endpoints, factory);
        }
    }

    public override Task CloseAsync(CancellationToken cancellationToken) => WaitToCloseAsync(CloseCoreAsync, cancellationToken);

    /// <summary>
    /// Waits for the client to close something, but not long while the broker reads nothing, because it will not answer. The client
    /// continues.
    /// </summary>
    public Task WaitToCloseAsync(Func<Task> close, CancellationToken cancellationToken)
    {
        // The client considers it closed as soon as it begins to close the connection.
        bool wasBlocked = _blocked is not null;
        return close().CameAsync(Patience, () => wasBlocked || _blocked is not null, TimeProvider.System, cancellationToken);
    }

    /// <summary>Opens a channel of the client, as soon as the connection is there.</summary>
    public async Task<RawChannel> OpenRawAsync(
        bool confirms, AmqpBody? body, IRawChannelEvents events, CancellationToken cancellationToken) =>
        new(await OpenAsync(confirms, cancellationToken).ConfigureAwait(false), this, body, events);

    internal override async Task<IMessageChannel> OpenCoreAsync(
        AmqpChannelOptions options, ChannelEvents events, CancellationToken cancellationToken)
    {
        if (options.Confirms)
        {
            var publisher = new ClientPublisher(
                this, options.MaxBytesInFlight == long.MaxValue ? options with { MaxBytesInFlight = UsualBytesInFlight } : options, events);
            try
            {
                await publisher.OpenAsync().WaitAsync(cancellationToken).ConfigureAwait(false);
                return publisher;
            }
            catch
            {
                await publisher.DisposeAsync().ConfigureAwait(false);
                throw;
            }
        }

        var channel = new ClientChannel(options, events);
        try
        {
            await channel.OpenAsync(this, cancellationToken).ConfigureAwait(false);
            return channel;
        }
        catch
        {
            await channel.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    internal override async Task<T> UseCoreAsync<T>(Func<IAmqpTopology, Task<T>> use, CancellationToken opening)
    {
        IChannel channel = await OpenAsync(confirms: false, opening).ConfigureAwait(false);
        await using (channel.ConfigureAwait(false))
        {
            try
            {
                return await use(new ClientTopology(channel)).ConfigureAwait(false);
            }
            catch (Exception e) when (ClientErrors.IsTranslated(e))
            {
                throw ClientErrors.Translate(e);
            }
        }
    }

    internal override IDisposable WatchBlocked(Action<string?> tell)
    {
        TellBlocked += tell;
        return new Ending(() => TellBlocked -= tell);
    }

    internal override IDisposable Watch(Action<Exception> lost, Action recovered)
    {
        AsyncEventHandler<ShutdownEventArgs> shutdown = (_, reason) =>
            reason.Initiator == ShutdownInitiator.Application ? Task.CompletedTask : Done(() => lost(ClientErrors.From(reason)));
        AsyncEventHandler<AsyncEventArgs> succeeded = (_, _) => Done(recovered);
        _connection.ConnectionShutdownAsync += shutdown;
        _connection.RecoverySucceededAsync += succeeded;
        return Ends(() =>
        {
            _connection.ConnectionShutdownAsync -= shutdown;
            _connection.RecoverySucceededAsync -= succeeded;
        });
    }

    private static Task Done(Action told)
    {
        told();
        return Task.CompletedTask;
    }

    private static Ending Ends(Action end) => new(() =>
    {
        try
        {
            end();
        }
        catch (ObjectDisposedException)
        {
            // The connection was disposed of first, and raises no more events.
        }
    });

    private async Task CloseCoreAsync()
    {
        try
        {
            await _connection.DisposeAsync().ConfigureAwait(false);
        }
        catch (Exception e) when (ClientErrors.IsTranslated(e))
        {
            // It is closed, as requested.
        }
    }

    private async Task<IChannel> OpenAsync(bool confirms, CancellationToken cancellationToken) =>
        await new Reconnector(Pause, Pause).RunAsync(
            token => TryOpenAsync(confirms, token), IsPassing, null, cancellationToken).ConfigureAwait(false);

    // Null while the connection is down.
    private async Task<IChannel?> TryOpenAsync(bool confirms, CancellationToken cancellationToken)
    {
        if (IsClosed)
        {
            throw new ObjectDisposedException(
                nameof(
                    WireConnection), "The connection has been closed by the program: open another, and create its publishers, consumers " +
                        "and requesters again.");
        }

        if (!IsOpen)
        {
            return null;
        }

        // The client only numbers messages, and they are tracked here: its own tracking costs a task, a header and an exception per
        // message.
        var options = new CreateChannelOptions(confirms, publisherConfirmationTrackingEnabled: false, consumerDispatchConcurrency: 1);
        try
        {
            return await _connection.CreateChannelAsync(options, cancellationToken).ConfigureAwait(false);
        }
        catch (ChannelAllocationException e)
        {
            throw new InvalidOperationException(
                $"The connection has no channel left: {_connection.ChannelMax} are open, which is the limit that broker and client " +
                "agreed on. Raise RequestedChannelMax of its factory, or the broker's channel_max, open fewer, or use another connection.",
                e);
        }
    }

    // The connection was lost while the channel was being opened (the exception is of the client's queue of frames, if that was full).
    private static bool IsPassing(Exception e) =>
        e is OperationInterruptedException or IOException or TimeoutException or System.Threading.Channels.ChannelClosedException;

    private Task OnShutdownAsync(object sender, ShutdownEventArgs reason)
    {
        if (reason.Initiator != ShutdownInitiator.Application)
        {
            _error = ClientErrors.From(reason);
        }

        _isRecovering = true;
        return _blocked is null ? Task.CompletedTask : BlockedChanged(null);
    }

    // The client does not undo it when the connection is lost.
    private Task BlockedChanged(string? reason)
    {
        _blocked = reason;
        TellBlocked?.Invoke(reason);
        return Task.CompletedTask;
    }

    private Task OnRecoveryErrorAsync(object sender, ConnectionRecoveryErrorEventArgs failed)
    {
        _error = ClientErrors.IsTranslated(failed.Exception) ? ClientErrors.Translate(failed.Exception) : failed.Exception;
        return Task.CompletedTask;
    }

    private Task OnRecoveredAsync(object sender, AsyncEventArgs recovered)
    {
        // A connection that was down at that time has notified this channel at once, and has not registered it.
        _connection.ConnectionShutdownAsync -= OnShutdownAsync;
        _connection.ConnectionShutdownAsync += OnShutdownAsync;

        // In this order: it may be lost just now, and the notification comes on another thread.
        (_isRecovering, _error) = (false, null);
        if (!_connection.IsOpen)
        {
            _isRecovering = true;
        }

        return Task.CompletedTask;
    }
}
