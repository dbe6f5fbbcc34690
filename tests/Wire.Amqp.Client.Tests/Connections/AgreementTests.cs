using Wire.Amqp.Client.Tests.Testing;
using Wire.Amqp.Testing;
using Wire.Amqp.V091;
using Wire.Testing;

namespace Wire.Amqp.Client.Tests.Connections;

/// <summary>What both sides have agreed on, for the program to look at.</summary>
public sealed class AgreementTests
{
    [Fact]
    public async Task A_connection_tells_what_was_agreed_on_and_what_the_broker_says_it_is()
    {
        await using LoopbackServer server = AmqpServers.Scripted(async (peer, number) =>
        {
            await peer.StartAsync(new ConnectionStart
            {
                VersionMinor = 9,
                Mechanisms = "PLAIN",
                Locales = "en_US",
                ServerProperties = number > 0 ? default : FieldTable.Create(new Dictionary<string, object?>
                {
                    ["product"] = "Scripted",
                    ["version"] = "1.2.3",
                    ["capabilities"] = new Dictionary<string, object?> { ["basic.nack"] = true },
                }),
            });
            await peer.SendAsync(0, new ConnectionTune { ChannelMax = 12, FrameMax = 10_000, Heartbeat = (ushort)(7 + number) });
            await peer.ReadAsync<ConnectionTuneOk>();
            await peer.ReadAsync<ConnectionOpen>();
            await peer.SendAsync(0, default(ConnectionOpenOk));
            await peer.CloseAsync();
        });
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(server.Options()).InTime();
        Assert.Equal((12, 10_000, TimeSpan.FromSeconds(7)), (connection.ChannelMax, connection.FrameMax, connection.Heartbeat));
        Assert.Equal(("Scripted", "1.2.3"), (connection.ServerProduct, connection.ServerVersion));
        var capabilities = Assert.IsAssignableFrom<IReadOnlyDictionary<string, object?>>(connection.ServerProperties["capabilities"]);
        Assert.Equal(true, capabilities["basic.nack"]);

        await using AmqpConnection silent = await AmqpConnection.ConnectAsync(server.Options()).InTime();
        Assert.Equal((null, null, 8), (silent.ServerProduct, silent.ServerVersion, silent.Heartbeat.Seconds));
        Assert.Empty(silent.ServerProperties);
    }

    [Fact]
    public async Task A_broker_says_its_version()
    {
        await using AmqpConnection connection =
            await AmqpConnection.ConnectAsync(TestChannel.Options with { RequestedChannelMax = 100 }).InTime();
        Assert.Equal("RabbitMQ", connection.ServerProduct);
        Assert.Equal(Broker.Node.Version, Version.Parse(connection.ServerVersion!.Split('-', '+')[0]));
        Assert.Equal(100, connection.ChannelMax);
        Assert.Equal(TimeSpan.FromSeconds(60), connection.Heartbeat);
        Assert.Contains("cluster_name", connection.ServerProperties);
    }
}
