using Bench;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;
using Wire.Benchmarks.Messaging.Lane.Publishing;
using Wire.Benchmarks.Messaging.Lane.Server;
using Wire.Benchmarks.Messaging.RabbitMQ;

namespace Wire.Benchmarks.Messaging.Lane.Consuming;

/// <summary>RabbitMQ.Client's consumer with events.</summary>
/// <param name="objects">Whether the bodies are read as objects.</param>
/// <param name="together">How many messages are acknowledged together.</param>
internal sealed class ClientConsumer(bool objects, int together, int messages, IConsumeSource source, Load load) : ConsumeRow(
    $"RabbitMQ.Client, {(objects ? "objects" : "byte[]")}, acknowledged {(together == 1 ? "each" : $"by {together}")}", messages, source, load)
{
    private IConnection? _connection;

    public override async Task OpenAsync()
    {
        await base.OpenAsync();
        _connection = await ClientSender.ConnectAsync(Source.Uri);
    }

    public override async Task RunAsync()
    {
        IChannel channel = await _connection!.CreateChannelAsync();
        await channel.BasicQosAsync(0, Prefetch, global: false);
        var consumer = new AsyncEventingBasicConsumer(channel);
        consumer.ReceivedAsync += async (_, delivery) =>
        {
            int received = objects ? Take(BrokerBench.Serializer.Read<Parcel>(delivery)) : Take(delivery.Body.Length);
            if (received % together == 0 || received == Messages)
            {
                await channel.BasicAckAsync(delivery.DeliveryTag, multiple: together > 1);
            }
        };
        await channel.BasicConsumeAsync(Source.Queue, autoAck: false, consumer);
        await All;
        await channel.CloseAsync();
        await channel.DisposeAsync();
    }

    public override async ValueTask CloseAsync()
    {
        await _connection!.CloseAsync();
        await _connection!.DisposeAsync();
        await base.CloseAsync();
    }
}
