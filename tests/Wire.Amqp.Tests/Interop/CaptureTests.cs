using RabbitMQ.Client;
using Wire.Testing;

namespace Wire.Amqp.Tests.Interop;

public sealed class CaptureTests
{
    private static readonly string? Broker = Environment.GetEnvironmentVariable("WIRE_AMQP_CAPTURE");

    /// <summary>Records anew when WIRE_AMQP_CAPTURE names a broker: see Captures/README.md.</summary>
    [Theory]
    [InlineData("everything")]
    [InlineData("large-body")]
    public async Task A_capture_begins_as_every_connection_does(string name)
    {
        await RecordIfAskedAsync(name, (broker, port) =>
        {
            var factory = new ConnectionFactory
            {
                Uri = new UriBuilder(broker) { Host = "127.0.0.1", Port = port }.Uri,
                AutomaticRecoveryEnabled = false,
                TopologyRecoveryEnabled = false,
                ClientProvidedName = "wire",
            };
            return name == "everything" ? RecordedSessions.EverythingAsync(factory) : RecordedSessions.LargeBodyAsync(factory);
        });
        var capture = Capture.Load(name);
        Assert.Equal("AMQP\0\0\x9\x1"u8, capture.FromClient.AsSpan(0, 8));
        Assert.Equal((byte)1, capture.FromServer[0]);
    }

    /// <summary>Likewise.</summary>
    [Fact]
    public async Task A_capture_of_1_0_begins_as_every_connection_does()
    {
        await RecordIfAskedAsync("amqp10", RecordedSession10.RunAsync);
        var capture = Capture.Load("amqp10");
        Assert.Equal("AMQP\x3\x1\0\0"u8, capture.FromClient.AsSpan(0, 8));
        Assert.Equal("AMQP\x3\x1\0\0"u8, capture.FromServer.AsSpan(0, 8));
    }

    private static async Task RecordIfAskedAsync(string name, Func<Uri, int, Task> session)
    {
        if (Broker is not null)
        {
            var broker = new Uri(Broker);
            await using var proxy = new FaultProxy(broker);
            proxy.ToBroker.Record();
            proxy.ToClient.Record();
            await session(broker, proxy.Port);
            await proxy.EndedAsync();
            new Capture(proxy.ToBroker.Recorded, proxy.ToClient.Recorded).Save(name);
        }
    }
}
