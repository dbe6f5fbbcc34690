using Wire.Amqp.Client.Tests.Testing;
using Wire.Amqp.Testing;
using Wire.Amqp.V091;
using Wire.Testing;

namespace Wire.Amqp.Client.Tests.Diagnostics;

/// <summary>While nobody listens, telemetry is free.</summary>
[Collection(nameof(RunAlone))]
public sealed class TelemetryCostTests
{
    [Fact]
    public async Task Without_listeners_a_publish_allocates_nothing()
    {
        await using var broker = new AmqpServer(discards: true);
        await using AmqpConnection connection = await broker.ConnectAsync().InTime();
        AmqpChannel channel = await connection.OpenChannelAsync(new AmqpChannelOptions { Confirms = false }).InTime();
        Assert.NotNull(channel.Engine.Telemetry);
        var method = new BasicPublish { RoutingKey = "queue" };
        byte[] body = new byte[64];
        var publish = new Gauge(() => channel.PublishBytesAsync(in method, default, body).AsTask().GetAwaiter().GetResult());

        Gauge.Settle(() => publish.BytesOfTenCalls == 0, publish);

        Assert.Equal(0, publish.BytesOfTenCalls);
    }
}
