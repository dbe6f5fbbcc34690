using Microsoft.Extensions.Logging;
using RabbitMQ.Client;
using Wire.Amqp.Client;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Testing;

/// <summary>
/// A connection of either kind, with what tests make on it. What holds over the one holds over the other: a test that runs over both knows
/// only this.
/// </summary>
public sealed class TestConnection : IAsyncDisposable
{
    // The lane has two ways to write: everything that runs over it runs over the other one where that is asked for.
    private static readonly FrameWriting Writing =
        Repository.IsAskedFor("WIRE_TEST_INLINE") ? FrameWriting.Inline : FrameWriting.Background;

    private readonly IConnection? _client;
    private readonly AmqpConnection? _lane;

    private TestConnection(IConnection connection)
    {
        _client = connection;
        Connection = connection.ToWireConnection();
        connection.ConnectionShutdownAsync += (_, _) => Tell(Lost);
        connection.RecoverySucceededAsync += (_, _) => Tell(Recovered);
    }

    private TestConnection(AmqpConnection connection)
    {
        _lane = connection;
        Connection = connection;
        connection.Lost += _ => Lost?.Invoke();
        connection.Recovered += () => Recovered?.Invoke();
        connection.RecoveryFailed += error => RecoveryFailed?.Invoke(error);
    }

    /// <summary>The connection has been lost, or closed.</summary>
    public event Action? Lost;

    /// <summary>The connection is back.</summary>
    public event Action? Recovered;

    /// <summary>Over the lane, something is not back yet: over the client, a consumer logs that itself.</summary>
    public event Action<Exception>? RecoveryFailed;

    public WireConnection Connection { get; }

    public bool IsOpen => _client?.IsOpen ?? _lane!.IsOpen;

    public int FrameMax => Connection.FrameMax;

    /// <summary>Connects to the shared broker.</summary>
    public static Task<TestConnection> ConnectAsync(WireTransport transport) => ConnectAsync(transport, Broker.Node.Factory());

    /// <summary>Connects as a factory says: the direct lane takes over what that has.</summary>
    public static async Task<TestConnection> ConnectAsync(WireTransport transport, ConnectionFactory factory) =>
        transport == WireTransport.Client
        ? new TestConnection(await factory.CreateConnectionAsync().InTime())
        : new TestConnection(await AmqpConnection.ConnectAsync(factory.ForDirectLane() with { Writing = Writing }).InTime());

    public WirePublisher Publisher(WireBodySerializer serializer, WirePublisherOptions? options = null) =>
        new(Connection, serializer, options);

    public WireConsumer Consumer(WireBodySerializer serializer, WireConsumerOptions options, ILogger<WireConsumer>? logger = null) =>
        new(Connection, serializer, options, logger);

    public WireRequester Requester(
        WireBodySerializer serializer, WireRequesterOptions? options = null, ILogger<WireRequester>? logger = null) =>
        new(Connection, serializer, options, logger);

    /// <summary>Closes it, as a program does that may still use it by mistake.</summary>
    public Task CloseAsync() => _client?.CloseAsync() ?? _lane!.DisposeAsync().AsTask();

    public ValueTask DisposeAsync() => Connection.DisposeAsync();

    private static Task Tell(Action? listeners)
    {
        listeners?.Invoke();
        return Task.CompletedTask;
    }
}
