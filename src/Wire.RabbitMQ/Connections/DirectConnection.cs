using Wire.Amqp.Client;
using Wire.Transport;

namespace Wire.RabbitMQ.Connections;

/// <summary>A connection of Wire.Amqp.Client.</summary>
internal sealed class DirectConnection(AmqpConnection connection) : WireConnection
{
    public override bool IsOpen => connection.IsOpen;

    public override bool IsClosed => connection.IsClosed;

    internal override Exception? Error => connection.Error;

    internal override int FrameMax => connection.FrameMax;

    internal override BrokerEndpoint? Endpoint => connection.Endpoint;

    internal override string Advice =>
        $"Is the broker up, and was the connection made with " +
        $"{nameof(AmqpConnectionOptions)}.{nameof(AmqpConnectionOptions.Recovery)}, which is on by default?";

    /// <summary>The connection, for tests.</summary>
    internal AmqpConnection Inner => connection;

    public override ValueTask DisposeAsync() => connection.DisposeAsync();

    internal override async Task<IMessageChannel> OpenCoreAsync(
        AmqpChannelOptions options, ChannelEvents events, CancellationToken cancellationToken) =>
        new DirectChannel(await connection.OpenChannelAsync(options, cancellationToken).ConfigureAwait(false), events);

    internal override async Task<T> UseCoreAsync<T>(Func<IAmqpTopology, Task<T>> use, CancellationToken opening)
    {
        AmqpChannel channel = await connection.OpenChannelAsync(new AmqpChannelOptions { Confirms = false }, opening).ConfigureAwait(false);
        await using (channel.ConfigureAwait(false))
        {
            return await use(channel).ConfigureAwait(false);
        }
    }

    internal override IDisposable WatchBlocked(Action<string?> tell)
    {
        connection.Blocked += tell;
        return new Ending(() => connection.Blocked -= tell);
    }

    internal override IDisposable Watch(Action<Exception> lost, Action recovered)
    {
        connection.Lost += lost;
        connection.Recovered += recovered;
        return new Ending(() =>
        {
            connection.Lost -= lost;
            connection.Recovered -= recovered;
        });
    }
}
