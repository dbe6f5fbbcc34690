using Bench;
using Wire.Amqp.Client;
using Wire.Benchmarks.Measuring;
using Wire.Benchmarks.Messaging.Lane.Publishing;
using Wire.Benchmarks.Messaging.Lane.Server;

namespace Wire.Benchmarks.Messaging.Lane.Consuming;

/// <summary>The direct lane's consumer, which acknowledges each message when its handler has ended.</summary>
/// <param name="objects">Whether the bodies are read as objects.</param>
internal sealed class LaneConsumer(bool objects, int messages, IConsumeSource source, Load load) : ConsumeRow(
    $"lane, {(objects ? "objects" : "bodies where they lie")}", messages, source, load)
{
    private AmqpConnection? _connection;

    public override async Task OpenAsync()
    {
        await base.OpenAsync();
        _connection = await AmqpConnection.ConnectAsync(LaneSender.Options(Source.Uri));
    }

    public override async Task RunAsync()
    {
        await using AmqpChannel channel = await _connection!.OpenChannelAsync(new AmqpChannelOptions { Confirms = false, Prefetch = Prefetch });
        AmqpConsumer consumer = objects
            ? await channel.ConsumeAsync<Parcel>(Source.Queue, (parcel, _) =>
            {
                Take(parcel);
                return ValueTask.CompletedTask;
            })
            : await channel.ConsumeAsync(Source.Queue, delivery =>
            {
                Take(delivery.Body.Length);
                return ValueTask.CompletedTask;
            });
        await using (consumer)
        {
            await All;
        }
    }

    public override async ValueTask CloseAsync()
    {
        await _connection!.DisposeAsync();
        await base.CloseAsync();
    }
}
