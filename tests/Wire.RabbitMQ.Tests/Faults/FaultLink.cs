using RabbitMQ.Client;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Faults;

/// <summary>A connection of a run, through a proxy that harms it.</summary>
internal sealed class FaultLink : IAsyncDisposable
{
    private readonly Lock _gate = new();
    private TaskCompletionSource _recovered = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private TaskCompletionSource _down = new(TaskCreationOptions.RunContinuationsAsynchronously);

    private FaultLink(FaultProxy proxy, TestConnection connection)
    {
        Proxy = proxy;
        Connection = connection;
        connection.Recovered += () => Signal(ref _recovered);
        connection.Lost += () => Signal(ref _down);
    }

    public FaultProxy Proxy { get; }

    public TestConnection Connection { get; }

    public static async Task<FaultLink> ConnectAsync(WireTransport transport, Func<ConnectionFactory> factories, TimeSpan? heartbeat)
    {
        var proxy = new FaultProxy(() => AddressOf(factories()));
        ConnectionFactory factory = factories();
        try
        {
            factory.NetworkRecoveryInterval = TimeSpan.FromMilliseconds(100);
            factory.RequestedHeartbeat = heartbeat ?? factory.RequestedHeartbeat;
            return new FaultLink(proxy, await TestConnection.ConnectAsync(transport, proxy.Route(factory)));
        }
        catch
        {
            await proxy.DisposeAsync();
            throw;
        }
    }

    /// <summary>Ends when the client, or the lane, has recovered the connection, after this call.</summary>
    public Task NextRecovery() => Next(ref _recovered);

    /// <summary>Ends when the client, or the lane, has noticed that the connection is lost, after this call.</summary>
    public Task NextLoss() => Next(ref _down);

    /// <summary>Does something that loses the connection, and waits until it is back.</summary>
    public async Task LoseAsync(Func<Task> lose)
    {
        Task recovered = NextRecovery();
        await lose();
        await recovered.InTime();
    }

    public async ValueTask DisposeAsync()
    {
        await Connection.DisposeAsync();
        await Proxy.DisposeAsync();
    }

    private static Uri AddressOf(ConnectionFactory factory) => new UriBuilder("amqp", factory.HostName, factory.Port).Uri;

    private Task Next(ref TaskCompletionSource source)
    {
        lock (_gate)
        {
            return source.Task;
        }
    }

    private void Signal(ref TaskCompletionSource source)
    {
        TaskCompletionSource now;
        lock (_gate)
        {
            now = source;
            source = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        }

        now.SetResult();
    }
}
