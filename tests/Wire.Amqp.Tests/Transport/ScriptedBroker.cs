using System.Collections.Concurrent;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using Wire.Amqp.Client;
using Wire.Transport;

namespace Wire.Amqp.Tests.Transport;

/// <summary>A server on loopback that does to each connection, counted from 0, what a test says.</summary>
internal sealed class ScriptedBroker : IAsyncDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly ConcurrentBag<Task> _serving = [];
    private readonly Func<ScriptedPeer, int, Task> _serve;
    private readonly SslServerAuthenticationOptions? _tls;
    private readonly Task _accepting;

    public ScriptedBroker(Func<ScriptedPeer, int, Task> serve, SslServerAuthenticationOptions? tls = null)
    {
        (_serve, _tls) = (serve, tls);
        _listener.Start();
        _accepting = AcceptAsync();
    }

    /// <summary>Options to connect with, without recovery.</summary>
    public AmqpConnectionOptions Options => new()
    {
        Endpoints = [new BrokerEndpoint("127.0.0.1", ((IPEndPoint)_listener.LocalEndpoint).Port)],
        Recovery = RecoveryOptions.Off,
    };

    /// <summary>Options to connect with, with recovery after short pauses.</summary>
    public AmqpConnectionOptions Recovering => Options with
    {
        Recovery = new RecoveryOptions { FirstPause = TimeSpan.FromMilliseconds(5), LongestPause = TimeSpan.FromMilliseconds(50) },
    };

    /// <summary>Waits for the clients to have ended their connections; what a test's script has not expected is thrown here.</summary>
    public async ValueTask DisposeAsync()
    {
        _listener.Stop();
        await _accepting;
        await Task.WhenAll(_serving).InTime();
    }

    private async Task AcceptAsync()
    {
        for (int i = 0; ; i++)
        {
            try
            {
                Socket socket = await _listener.AcceptSocketAsync();
                int number = i;
                _serving.Add(Task.Run(() => ServeAsync(socket, number)));
            }
            catch (Exception e) when (e is SocketException or ObjectDisposedException)
            {
                return;
            }
        }
    }

    private async Task ServeAsync(Socket socket, int number)
    {
        await using var plain = new NetworkStream(socket, ownsSocket: true);
        if (_tls is null)
        {
            await _serve(new ScriptedPeer(plain, socket), number);
            return;
        }

        await using var secure = new SslStream(plain);
        await secure.AuthenticateAsServerAsync(_tls);
        await _serve(new ScriptedPeer(secure, socket), number);
    }
}

/// <summary>Waiting so long that only what never happens is too late.</summary>
internal static class Waiting
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(90);

    public static Task InTime(this Task task) => task.WaitAsync(Limit);

    public static Task<T> InTime<T>(this Task<T> task) => task.WaitAsync(Limit);
}
