using System.Runtime.CompilerServices;
using Wire.Amqp.Client;
using Wire.Transport;

namespace Wire.RabbitMQ.Connections;

/// <summary>A connection of Wire.Amqp.Client.</summary>
internal sealed class DirectConnection : WireConnection
{
    private static readonly ConditionalWeakTable<AmqpConnection, DirectConnection> Connections = [];

    private readonly AmqpConnection _connection;

    private DirectConnection(AmqpConnection connection)
    {
        _connection = connection;
        AmqpConnectionOptions options = connection.Options;
        Beside = new SharedConnection(async token => Over(await AmqpConnection.ConnectAsync(
            options with { ConnectionName = BesideName(options.ConnectionName) }, token).ConfigureAwait(false)));
    }

    public override bool IsOpen => _connection.IsOpen;

    public override bool IsClosed => _connection.IsClosed;

    public override string? BlockedReason => _connection.BlockedReason;

    internal override Exception? Error => _connection.Error;

    internal override int FrameMax => _connection.FrameMax;

    internal override BrokerEndpoint? Endpoint => _connection.Endpoint;

    internal override string Advice =>
        $"Check that the broker is up, and that the connection " +
        $"has {nameof(AmqpConnectionOptions)}.{nameof(AmqpConnectionOptions.Recovery)}, which is the default.";

    internal override SharedConnection? Beside { get; }

    /// <summary>The connection, for tests.</summary>
    internal AmqpConnection Inner => _connection;

    /// <summary>The one of a connection.</summary>
    public static DirectConnection Over(AmqpConnection connection) =>
        Connections.GetValue(connection, static connection => new DirectConnection(connection));

    public override Task CloseAsync(CancellationToken cancellationToken) => _connection.CloseAsync(cancellationToken);

    internal override async Task<IMessageChannel> OpenCoreAsync(
        AmqpChannelOptions options, ChannelEvents events, CancellationToken cancellationToken) =>
        new DirectChannel(
            await _connection.OpenChannelAsync(options with { HasTelemetry = false }, cancellationToken).ConfigureAwait(false), events);

    internal override async Task<T> UseCoreAsync<T>(Func<IAmqpTopology, Task<T>> use, CancellationToken opening)
    {
        AmqpChannel channel =
            await _connection.OpenChannelAsync(new AmqpChannelOptions { Confirms = false }, opening).ConfigureAwait(false);
        await using (channel.ConfigureAwait(false))
        {
            return await use(channel.Topology).ConfigureAwait(false);
        }
    }

    internal override IDisposable WatchBlocked(Action<string?> tell)
    {
        _connection.Blocked += tell;
        return new Ending(() => _connection.Blocked -= tell);
    }

    internal override IDisposable WatchCredentials(Action<Exception> failed)
    {
        _connection.CredentialsFailed += failed;
        return new Ending(() => _connection.CredentialsFailed -= failed);
    }

    internal override IDisposable Watch(Action<Exception> lost, Action recovered)
    {
        _connection.Lost += lost;
        _connection.Recovered += recovered;
        return new Ending(() =>
        {
            _connection.Lost -= lost;
            _connection.Recovered -= recovered;
        });
    }
}
