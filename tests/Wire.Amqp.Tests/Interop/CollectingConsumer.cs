using System.Threading.Channels;
using RabbitMQ.Client;

namespace Wire.Amqp.Tests.Interop;

/// <summary>Hands over what RabbitMQ.Client delivers, one after the other.</summary>
internal sealed class CollectingConsumer(IChannel channel) : AsyncDefaultBasicConsumer(channel)
{
    private readonly Channel<Delivery> _deliveries = System.Threading.Channels.Channel.CreateUnbounded<Delivery>();

    public async Task<Delivery> NextAsync() => await _deliveries.Reader.ReadAsync().AsTask().WaitAsync(TimeSpan.FromSeconds(10));

    public override Task HandleBasicDeliverAsync(
        string consumerTag, ulong deliveryTag, bool redelivered, string exchange, string routingKey,
            IReadOnlyBasicProperties properties, ReadOnlyMemory<byte> body, CancellationToken cancellationToken = default)
    {
        // The body is valid during this call only.
        var delivery =
            new Delivery(consumerTag, deliveryTag, redelivered, exchange, routingKey, new BasicProperties(properties), body.ToArray());
        return _deliveries.Writer.WriteAsync(delivery, cancellationToken).AsTask();
    }
}

/// <summary>A message with all that came with it.</summary>
internal sealed record Delivery(
    string ConsumerTag, ulong DeliveryTag, bool Redelivered, string Exchange, string RoutingKey, BasicProperties Properties, byte[] Body);
