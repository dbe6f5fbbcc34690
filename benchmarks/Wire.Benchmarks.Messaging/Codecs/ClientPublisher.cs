using RabbitMQ.Client;

namespace Wire.Benchmarks.Messaging.Codecs;

/// <summary>RabbitMQ.Client. Its properties and headers are made once.</summary>
internal sealed class ClientPublisher(IConnection connection, IChannel channel) : IPublisher
{
    private readonly BasicProperties _properties = new()
    {
        ContentType = PublishedMessage.ContentType,
        DeliveryMode = (DeliveryModes)PublishedMessage.DeliveryMode,
        CorrelationId = PublishedMessage.CorrelationId,
        MessageId = PublishedMessage.MessageId,
        Timestamp = new AmqpTimestamp(PublishedMessage.Timestamp),
        Headers = TenFields.ToDictionary().ToDictionary(field => field.Key, field => field.Value switch
        {
            byte[] bytes => new BinaryTableValue(bytes),
            Amqp.V091.Timestamp time => new AmqpTimestamp(time.Seconds),
            _ => field.Value,
        }),
    };

    public static async Task<ClientPublisher> ConnectAsync(int port)
    {
        var factory = new ConnectionFactory { HostName = "127.0.0.1", Port = port, AutomaticRecoveryEnabled = false, TopologyRecoveryEnabled = false };
        IConnection connection = await factory.CreateConnectionAsync();
        return new ClientPublisher(connection, await connection.CreateChannelAsync());
    }

    public ValueTask PublishAsync() =>
        channel.BasicPublishAsync(PublishedMessage.Exchange, PublishedMessage.RoutingKey, mandatory: false, _properties, PublishedMessage.Body);

    public async ValueTask DisposeAsync()
    {
        await connection.CloseAsync();
        await connection.DisposeAsync();
    }
}
