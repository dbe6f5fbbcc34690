using System.Reflection;
using System.Security.Authentication;
using Microsoft.Extensions.Logging;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;
using RabbitMQ.Client.Exceptions;
using Wire.Amqp.Client;
using Wire.Amqp.Client.Channels;
using Wire.RabbitMQ.Connections;
using Wire.RabbitMQ.Connections.Lane;
using Wire.RabbitMQ.Diagnostics;
using Wire.RabbitMQ.Hosting;
using Wire.Transport.Recovery;

namespace Wire.RabbitMQ;

/// <summary>
/// The program's two connections: one to publish and one to consume, so that a broker that holds back publishers does not hold back
/// acknowledgements. Each is made when it is first needed, and closed with the services. Thread-safe.
/// </summary>
public sealed class WireConnections : IAsyncDisposable
{
    // Between two attempts to make a connection for the first time.
    private static readonly TimeSpan LongestPause = TimeSpan.FromMilliseconds(500);

    private readonly WireRabbitMQOptions _options;
    private readonly ILogger _logger;
    private readonly LazyConnection<IConnection> _publishing;
    private readonly LazyConnection<IConnection> _consuming;
    private readonly LazyConnection<AmqpConnection> _publishingLane;
    private readonly LazyConnection<AmqpConnection> _consumingLane;

    private AmqpTcpEndpoint[] Endpoints => _options.Endpoints.Count != 0 ? [.. _options.Endpoints] : [_options.ConnectionFactory.Endpoint];

    internal WireConnections(WireRabbitMQOptions options, ILogger? logger)
    {
        _options = options;
        _options.ConnectionFactory.NoticeLostConnections();
        _logger = SafeLogger.Of(logger);
        _publishing = new LazyConnection<IConnection>(token => ConnectAsync("publish", OpenAsync, Watch, token));
        _consuming = new LazyConnection<IConnection>(token => ConnectAsync("consume", OpenAsync, Watch, token));
        _publishingLane = new LazyConnection<AmqpConnection>(token => ConnectAsync("publish", OpenLaneAsync, Watch, token));
        _consumingLane = new LazyConnection<AmqpConnection>(token => ConnectAsync("consume", OpenLaneAsync, Watch, token));
    }

    /// <summary>
    /// A connection of RabbitMQ.Client to publish and make requests on, which is the services': do not dispose of it. Where <see cref="WireRabbitMQOptions.Transport"/>
    /// is the direct lane, publisher and requester do not use it, and it is made when this is first called.
    /// </summary>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="ConnectionLostException">No broker could be reached in time, or it refuses.</exception>
    /// <exception cref="ObjectDisposedException">The services have been disposed of.</exception>
    public Task<IConnection> GetPublishingAsync(CancellationToken cancellationToken = default) => _publishing.GetAsync(cancellationToken);

    /// <summary>
    /// A connection of RabbitMQ.Client to consume and declare on, which is the services': do not dispose of it. Where <see cref="WireRabbitMQOptions.Transport"/>
    /// is the direct lane, consumers do not use it, and it is made when something is declared or this is first called.
    /// </summary>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="ConnectionLostException">No broker could be reached in time, or it refuses.</exception>
    /// <exception cref="ObjectDisposedException">The services have been disposed of.</exception>
    public Task<IConnection> GetConsumingAsync(CancellationToken cancellationToken = default) => _consuming.GetAsync(cancellationToken);

    /// <summary>The connection to publish and make requests on, as publishers and requesters know connections.</summary>
    internal Task<IBrokerConnection> OpenPublishingAsync(CancellationToken cancellationToken) => OpenAsync(_publishing, _publishingLane, cancellationToken);

    /// <summary>The connection to consume on, as consumers know connections.</summary>
    internal Task<IBrokerConnection> OpenConsumingAsync(CancellationToken cancellationToken) => OpenAsync(_consuming, _consumingLane, cancellationToken);

    /// <summary>Closes the connections.</summary>
    public async ValueTask DisposeAsync()
    {
        await _consumingLane.DisposeAsync().ConfigureAwait(false);
        await _publishingLane.DisposeAsync().ConfigureAwait(false);
        await _consuming.DisposeAsync().ConfigureAwait(false);
        await _publishing.DisposeAsync().ConfigureAwait(false);
    }

    private async Task<IBrokerConnection> OpenAsync(LazyConnection<IConnection> client, LazyConnection<AmqpConnection> lane, CancellationToken cancellationToken) =>
        _options.Transport == WireTransport.DirectLane
            ? LaneConnection.Of(await lane.GetAsync(cancellationToken).ConfigureAwait(false))
            : ClientConnection.Of(await client.GetAsync(cancellationToken).ConfigureAwait(false));

    private async Task<T> ConnectAsync<T>(string purpose, Func<string, CancellationToken, Task<T>> open, Action<T, string> watch, CancellationToken cancellationToken)
        where T : class
    {
        string name = $"{_options.ConnectionName ?? _options.ConnectionFactory.ClientProvidedName ?? Assembly.GetEntryAssembly()?.GetName().Name ?? "Wire"} ({purpose})";
        string where = string.Join(", ", Endpoints.Select(endpoint => endpoint.ToString()));
        try
        {
            T connection = await new Reconnector(LongestPause, LongestPause, _options.ConnectTimeout).RunAsync<T>(
                async token => await open(name, token).ConfigureAwait(false),
                static e => Refusal(e) is null && IsUnreachable(e),
                (_, error) =>
                {
                    if (error is not null)
                    {
                        HostingLog.NotReached(_logger, where, error);
                    }
                },
                cancellationToken).ConfigureAwait(false);
            watch(connection, name);
            return connection;
        }
        catch (Exception e) when (Refusal(e) is { } refusal)
        {
            throw new ConnectionLostException($"The broker at {where} cannot be used: {refusal.Message.TrimEnd('.')}. Look at the user, the password, the virtual host and the certificates of the ConnectionFactory.", e);
        }
        catch (TimeoutException e)
        {
            throw new ConnectionLostException($"No broker was reached at {where} within {_options.ConnectTimeout.TotalSeconds:0.###} s: {e.GetBaseException().Message.TrimEnd('.')}. Is it up, and are host and port right?", e.InnerException ?? e);
        }
    }

    private async Task<IConnection> OpenAsync(string name, CancellationToken cancellationToken)
    {
        IConnection connection = await _options.ConnectionFactory.CreateConnectionAsync(Endpoints, name, cancellationToken).ConfigureAwait(false);
        try
        {
            // The client does not wait for the broker's answer about the virtual host: that it refuses shows when something is asked of it.
            await using IChannel channel = await connection.CreateChannelAsync(cancellationToken: cancellationToken).ConfigureAwait(false);
            return connection;
        }
        catch
        {
            await connection.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    private Task<AmqpConnection> OpenLaneAsync(string name, CancellationToken cancellationToken) => AmqpConnection.ConnectAsync(_options.LaneFor(name), cancellationToken);

    private static bool IsUnreachable(Exception exception) => exception is BrokerUnreachableException or OperationInterruptedException or IOException;

    // What no further attempt changes.
    private static Exception? Refusal(Exception exception) => exception switch
    {
        PossibleAuthenticationFailureException or AuthenticationException => exception,
        OperationInterruptedException { ShutdownReason.ReplyCode: Constants.AccessRefused or Constants.NotAllowed } => exception,
        AmqpConnectionException { Reason.ReplyCode: Constants.AccessRefused or Constants.NotAllowed } => exception,
        AggregateException aggregate => aggregate.InnerExceptions.Select(Refusal).FirstOrDefault(found => found is not null),
        _ => exception.InnerException is { } inner ? Refusal(inner) : null,
    };

    private void Watch(IConnection connection, string name)
    {
        HostingLog.Connected(_logger, name, connection.Endpoint.ToString());
        connection.ConnectionShutdownAsync += (_, reason) =>
        {
            if (reason.Initiator != ShutdownInitiator.Application)
            {
                HostingLog.Lost(_logger, name, reason.ReplyCode, reason.ReplyText);
            }

            return Task.CompletedTask;
        };
        connection.RecoverySucceededAsync += (_, _) =>
        {
            HostingLog.Recovered(_logger, name);
            return Task.CompletedTask;
        };
        connection.ConnectionBlockedAsync += (_, blocked) =>
        {
            HostingLog.Blocked(_logger, name, blocked.Reason);
            return Task.CompletedTask;
        };
        connection.ConnectionUnblockedAsync += (_, _) =>
        {
            HostingLog.Unblocked(_logger, name);
            return Task.CompletedTask;
        };
    }

    private void Watch(AmqpConnection connection, string name)
    {
        HostingLog.Connected(_logger, name, connection.Link?.Endpoint.ToString() ?? string.Join(", ", connection.Options.Endpoints));
        connection.Lost += error =>
        {
            ShutdownEventArgs reason = LaneReasons.Of(new LinkEnd(error, IsByProgram: false));
            HostingLog.Lost(_logger, name, reason.ReplyCode, reason.ReplyText);
        };
        connection.Recovered += () => HostingLog.Recovered(_logger, name);
        connection.Blocked += reason =>
        {
            if (reason is null)
            {
                HostingLog.Unblocked(_logger, name);
            }
            else
            {
                HostingLog.Blocked(_logger, name, reason);
            }
        };
    }
}
