using Wire.RabbitMQ.Connections;
using Wire.RabbitMQ.Connections.Lane;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Testing;

/// <summary>What the library itself sees of it.</summary>
public sealed partial class TestConnection
{
    public uint FrameMax => Broker.FrameMax;

    internal IBrokerConnection Broker => _client is not null ? ClientConnection.Of(_client) : LaneConnection.Of(_lane!);

    /// <summary>Connects to the shared broker.</summary>
    public static Task<TestConnection> ConnectAsync(WireTransport transport) => ConnectAsync(transport, Wire.Testing.Broker.Node.Factory());
}
