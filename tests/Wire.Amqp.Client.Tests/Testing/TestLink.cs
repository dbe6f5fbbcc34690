using System.Net;
using Wire.Testing;
using Wire.Transport;

namespace Wire.Amqp.Client.Tests.Testing;

/// <summary>A connection of a client through a proxy that harms it.</summary>
internal sealed class TestLink : IAsyncDisposable
{
    private readonly Lock _gate = new();
    private TaskCompletionSource<Exception> _lost = New<Exception>();
    private TaskCompletionSource<bool> _recovered = New<bool>();

    private TestLink(FaultProxy proxy, AmqpConnection connection)
    {
        Proxy = proxy;
        Connection = connection;
        connection.Lost += error => Signal(ref _lost, error);
        connection.Recovered += () => Signal(ref _recovered, true);
    }

    public FaultProxy Proxy { get; }

    public AmqpConnection Connection { get; }

    /// <summary>Connects to the shared broker, or to another.</summary>
    public static async Task<TestLink> ConnectAsync(Func<AmqpConnectionOptions, AmqpConnectionOptions>? change = null, Uri? broker = null)
    {
        var proxy = new FaultProxy(broker ?? Broker.Node.Uri);
        AmqpConnectionOptions options = TestChannel.Options with
        {
            Endpoints = [new BrokerEndpoint(IPAddress.Loopback.ToString(), proxy.Port)],
            Recovery = Soon,
        };
        try
        {
            return new TestLink(proxy, await AmqpConnection.ConnectAsync(change?.Invoke(options) ?? options).InTime());
        }
        catch
        {
            await proxy.DisposeAsync();
            throw;
        }
    }

    /// <summary>Comes back soon.</summary>
    public static RecoveryOptions Soon { get; } =
        new() { FirstPause = TimeSpan.FromMilliseconds(20), LongestPause = TimeSpan.FromMilliseconds(200) };

    /// <summary>Ends when the connection has been lost, after this call, with the reason.</summary>
    public Task<Exception> NextLoss() => Next(ref _lost);

    /// <summary>Ends when the connection has been recovered, after this call.</summary>
    public Task NextRecovery() => Next(ref _recovered);

    /// <summary>Cuts the connection, and waits until it is back.</summary>
    public Task LoseAsync(Cut how = Cut.Reset) => LoseAsync(() =>
    {
        Proxy.CutAll(how);
        return Task.CompletedTask;
    });

    /// <summary>Does something that loses the connection, and waits until it is back.</summary>
    public async Task LoseAsync(Func<Task> lose)
    {
        Task recovered = NextRecovery();
        await lose();
        await recovered.InTime();
    }

    /// <summary>Cuts the connection, and has it stay lost until it is let in again.</summary>
    public async Task BringDownAsync()
    {
        Task lost = NextLoss();
        Proxy.Refusing = true;
        Proxy.CutAll(Cut.Reset);
        await lost.InTime();
    }

    /// <summary>Lets it in again, and waits until it is back.</summary>
    public async Task BringUpAsync()
    {
        Task recovered = NextRecovery();
        Proxy.Refusing = false;
        await recovered.InTime();
    }

    public async ValueTask DisposeAsync()
    {
        await Connection.DisposeAsync().AsTask().InTime();
        await Proxy.DisposeAsync();
    }

    private static TaskCompletionSource<T> New<T>() => new(TaskCreationOptions.RunContinuationsAsynchronously);

    private Task<T> Next<T>(ref TaskCompletionSource<T> source)
    {
        lock (_gate)
        {
            return source.Task;
        }
    }

    private void Signal<T>(ref TaskCompletionSource<T> source, T value)
    {
        TaskCompletionSource<T> now;
        lock (_gate)
        {
            now = source;
            source = New<T>();
        }

        now.SetResult(value);
    }
}
