using RabbitMQ.Client;

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
        if (Broker is not null)
        {
            (await RecordAsync(new Uri(Broker), name == "everything" ? RecordedSessions.EverythingAsync : RecordedSessions.LargeBodyAsync)).Save(name);
        }

        var capture = Capture.Load(name);
        Assert.Equal("AMQP\0\0\x9\x1"u8, capture.FromClient.AsSpan(0, 8));
        Assert.Equal((byte)1, capture.FromServer[0]);
    }

    private static async Task<Capture> RecordAsync(Uri broker, Func<ConnectionFactory, Task> session)
    {
        using var proxy = new RecordingProxy(broker.Host, broker.Port);
        await session(new ConnectionFactory
        {
            Uri = new UriBuilder(broker) { Host = "127.0.0.1", Port = proxy.Port }.Uri,
            AutomaticRecoveryEnabled = false,
            TopologyRecoveryEnabled = false,
            ClientProvidedName = "wire",
        });
        return await proxy.FinishAsync();
    }
}
