using System.Reflection;
using System.Security.Authentication;
using Microsoft.Extensions.Logging;
using Wire.Amqp.Client;
using Wire.RabbitMQ.Connections;
using Wire.RabbitMQ.Diagnostics;
using Wire.RabbitMQ.Hosting;
using Wire.Transport.Recovery;

namespace Wire.RabbitMQ;

/// <summary>
/// The program's two connections to a broker: one to publish and one to consume, so that a broker that holds back publishers does not
/// hold back acknowledgements. Each is made when it is first needed, and closed with the services. Thread-safe.
/// </summary>
public sealed class WireConnections : IAsyncDisposable
{
    private const string Publishing = "publish";
    private const string Consuming = "consume";
    private const int AccessRefused = 403;
    private const int NotAllowed = 530;

    // The pause between two attempts to make the first connection.
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(500);

    private readonly HostedBroker _broker;
    private readonly WireRabbitMQOptions _options;
    private readonly ILogger _logger;
    private readonly LazyConnection _publishing;
    private readonly LazyConnection _consuming;

    internal WireConnections(HostedBroker broker, ILogger? logger)
    {
        _broker = broker;
        _options = broker.Options;
        _logger = SafeLogger.Wrap(logger);
        _publishing = new LazyConnection(token => ConnectAsync(Publishing, token));
        _consuming = new LazyConnection(token => ConnectAsync(Consuming, token));
    }

    /// <summary>
    /// Gets the connection for publishing and requests. The services own it: do not dispose of it. It is made on the first call.
    /// </summary>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="AmqpConnectionException">No broker could be reached in time, or it refuses.</exception>
    /// <exception cref="ObjectDisposedException">The services have been disposed of.</exception>
    public Task<WireConnection> GetPublishingAsync(CancellationToken cancellationToken = default) =>
        _publishing.GetAsync(cancellationToken);

    /// <summary>
    /// Gets the connection for consuming and declarations. The services own it: do not dispose of it. It is made on the first call.
    /// </summary>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="AmqpConnectionException">No broker could be reached in time, or it refuses.</exception>
    /// <exception cref="ObjectDisposedException">The services have been disposed of.</exception>
    public Task<WireConnection> GetConsumingAsync(CancellationToken cancellationToken = default) => _consuming.GetAsync(cancellationToken);

    /// <summary>Gets the connections by their purpose, as far as they were asked for: null where one was not.</summary>
    internal IEnumerable<(string Purpose, Task<WireConnection>? Connection)> Made =>
        [(Consuming, _consuming.Made), (Publishing, _publishing.Made)];

    /// <summary>Closes the connections.</summary>
    public ValueTask DisposeAsync() => new(CloseAsync(CancellationToken.None));

    /// <summary>Closes the connections, within a time.</summary>
    /// <param name="cancellationToken">Ends the wait for the broker.</param>
    internal async Task CloseAsync(CancellationToken cancellationToken)
    {
        await _consuming.CloseAsync(cancellationToken).ConfigureAwait(false);
        await _publishing.CloseAsync(cancellationToken).ConfigureAwait(false);
    }

    private async Task<WireConnection> ConnectAsync(string purpose, CancellationToken cancellationToken)
    {
        string program = _options.NameOfConnections ?? Assembly.GetEntryAssembly()?.GetName().Name ?? "Wire";
        string name = $"{program}{(_broker.Name is { } broker ? $" {broker}" : "")} ({purpose})";
        string where = _options.BrokerNames;
        try
        {
            WireConnection connection = await new Reconnector(Pause, Pause, _options.ConnectTimeout).RunAsync<WireConnection>(
                async token => await _options.ConnectAsync(name, token).ConfigureAwait(false),
                static e => e is AmqpConnectionException && !IsRefused(e),
                (_, error) =>
                {
                    if (error is not null)
                    {
                        HostingLog.NotReached(_logger, where, error);
                    }
                },
                cancellationToken).ConfigureAwait(false);
            Watch(connection, name, where);
            return connection;
        }
        catch (TimeoutException e)
        {
            throw new AmqpConnectionException(
                $"No broker was reached at {where} within {_options.ConnectTimeout.TotalSeconds:0.###} s: " +
                $"{e.GetBaseException().Message.TrimEnd('.')}. Check that it is up, and the host and port.", e.InnerException ?? e);
        }
    }

    // Errors that no further attempt can change.
    private static bool IsRefused(Exception exception) => exception switch
    {
        AuthenticationException => true,
        AmqpConnectionException { Reason.ReplyCode: AccessRefused or NotAllowed } => true,
        AggregateException aggregate => aggregate.InnerExceptions.Any(IsRefused),
        _ => exception.InnerException is { } inner && IsRefused(inner),
    };

    private void Watch(WireConnection connection, string name, string where)
    {
        HostingLog.Connected(_logger, name, connection.Endpoint?.ToString() ?? where);
        connection.Watch(error => HostingLog.Lost(_logger, name, error.Message), () => HostingLog.Recovered(_logger, name));
        connection.WatchCredentials(error => HostingLog.NotRenewed(_logger, name, error.Message));
        connection.WatchBlocked(reason =>
        {
            if (reason is null)
            {
                HostingLog.Unblocked(_logger, name);
            }
            else
            {
                HostingLog.Blocked(_logger, name, reason);
            }
        });
    }
}
