using RabbitMQ.Client;
using Wire.Amqp.Client.Connections;
using Wire.Amqp.V091;
using Wire.Benchmarks.Messaging.Frames;
using Wire.Benchmarks.Messaging.Lane.Publishing;

namespace Wire.Benchmarks.Messaging.Lane;

/// <summary>A durable queue of this run at a broker, which any connection may use, and what is done with it between measurements.</summary>
internal sealed class BrokerQueue(Uri broker) : IAsyncDisposable
{
    private IConnection? _connection;
    private IChannel? _channel;

    public string Name { get; } = $"wire-lane-{Guid.NewGuid():N}";

    public Uri Broker => broker;

    public async Task DeclareAsync()
    {
        _connection = await ClientSender.ConnectAsync(broker);
        _channel = await _connection.CreateChannelAsync();
        await _channel.QueueDeclareAsync(Name, durable: true, exclusive: false, autoDelete: false);
    }

    public async Task EmptyAsync() => await _channel!.QueuePurgeAsync(Name);

    /// <summary>Puts so many messages in, and waits until the broker has them.</summary>
    public void Fill(Load load, int messages)
    {
        using var connection = new HandConnection(broker);
        connection.Call(default(ConfirmSelect), MethodId.ConfirmSelectOk);
        new ConfirmedByHand(connection, Name).Publish(load.Body, messages);
    }

    public async ValueTask DisposeAsync()
    {
        await _channel!.QueueDeleteAsync(Name);
        await _connection!.CloseAsync();
        await _connection!.DisposeAsync();
    }
}
