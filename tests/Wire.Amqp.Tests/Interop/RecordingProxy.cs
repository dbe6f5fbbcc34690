using System.Net;
using System.Net.Sockets;

namespace Wire.Amqp.Tests.Interop;

/// <summary>Stands on loopback between a client and a broker, for one connection, and keeps the bytes of both directions.</summary>
internal sealed class RecordingProxy : IDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly MemoryStream _fromClient = new();
    private readonly MemoryStream _fromServer = new();
    private readonly Task _relay;

    public RecordingProxy(string host, int port)
    {
        _listener.Start(1);
        _relay = RelayAsync(host, port);
    }

    /// <summary>Where the client has to connect to.</summary>
    public int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

    /// <summary>What was sent, as soon as both sides have closed the connection.</summary>
    public async Task<Capture> FinishAsync()
    {
        await _relay.WaitAsync(TimeSpan.FromSeconds(10));
        return new Capture(_fromClient.ToArray(), _fromServer.ToArray());
    }

    public void Dispose() => _listener.Dispose();

    private async Task RelayAsync(string host, int port)
    {
        using TcpClient client = await _listener.AcceptTcpClientAsync();
        using var server = new TcpClient { NoDelay = true };
        await server.ConnectAsync(host, port);
        client.NoDelay = true;
        await Task.WhenAll(PumpAsync(client, server, _fromClient), PumpAsync(server, client, _fromServer));
    }

    private static async Task PumpAsync(TcpClient from, TcpClient to, MemoryStream record)
    {
        byte[] buffer = new byte[16 * 1024];
        int read;
        while ((read = await ReadAsync(from, buffer)) != 0)
        {
            record.Write(buffer, 0, read);
            await to.GetStream().WriteAsync(buffer.AsMemory(0, read));
        }

        to.Client.Shutdown(SocketShutdown.Send);
    }

    // A side that has said goodbye may reset the connection instead of closing it: that is its end as well.
    private static async Task<int> ReadAsync(TcpClient from, byte[] buffer)
    {
        try
        {
            return await from.GetStream().ReadAsync(buffer);
        }
        catch (IOException e) when (e.InnerException is SocketException { SocketErrorCode: SocketError.ConnectionReset })
        {
            return 0;
        }
    }
}
