using Wire.Amqp.Client.Tests.Consuming;
using Wire.Amqp.Client.Tests.Publishing;
using Wire.Amqp.Client.Tests.Testing;
using Wire.Amqp.Testing;
using Wire.Amqp.V091;
using Wire.Testing;

namespace Wire.Amqp.Client.Tests.Diagnostics;

/// <summary>
/// While nobody listens, telemetry is free. That of confirmed publishes and of handlers is in <see cref="ChannelLimitsTests"/> and <see
/// cref="ConsumingTests"/>, which measure all that a message allocates.
/// </summary>
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

    [Fact]
    public async Task Without_listeners_a_fetch_allocates_what_it_does_without_telemetry()
    {
        await using TestChannel test = await TestChannel.OpenAsync();
        AmqpChannel without = await test.Connection.OpenChannelAsync(new AmqpChannelOptions { HasTelemetry = false }).InTime();
        Assert.Null(without.Engine.Telemetry);
        string queue = await test.QueueAsync();
        Gauge with = Fetching(test.Channel);
        Gauge bare = Fetching(without);

        Gauge.Settle(() => with.BytesOfTenCalls == bare.BytesOfTenCalls, with, bare);

        Assert.Equal(bare.BytesOfTenCalls, with.BytesOfTenCalls);

        Gauge Fetching(AmqpChannel channel) => new(() => channel.GetAsync(queue).GetAwaiter().GetResult());
    }
}
