using System.Net.Sockets;

namespace Wire.Testing;

/// <summary>One connection of a client with the broker, through a <see cref="FaultProxy"/>: it owns both sockets.</summary>
internal sealed class ProxyConnection(FaultProxy proxy, Socket client, Socket broker)
{
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Forwards until both ends are done or one of them is gone, and then lets go of both.</summary>
    public async Task RunAsync(string host, int port)
    {
        try
        {
            client.NoDelay = broker.NoDelay = true;
            await broker.ConnectAsync(host, port);
        }
        catch (Exception exception) when (IsGone(exception))
        {
            End(Cut.Reset);
        }

        await Task.WhenAll(ForwardAsync(client, broker, proxy.ToBroker), ForwardAsync(broker, client, proxy.ToClient));
        client.Dispose();
        broker.Dispose();
    }

    /// <summary>Ends it. False where it was at its end already.</summary>
    public bool End(Cut how)
    {
        bool first = _ended.TrySetResult();
        foreach (Socket socket in (Socket[])[client, broker])
        {
            if (how == Cut.Reset)
            {
                socket.Close(0);
            }
            else
            {
                EndSending(socket);
            }
        }

        return first;
    }

    private async Task ForwardAsync(Socket from, Socket to, ProxyDirection direction)
    {
        // No multiple of anything that a frame has.
        byte[] buffer = new byte[15_011];
        int read;
        try
        {
            while ((read = await from.ReceiveAsync(buffer)) > 0)
            {
                await Task.WhenAny(direction.MayPass(), _ended.Task);
                if (_ended.Task.IsCompleted)
                {
                    continue; // read and dropped: closing a socket that has something to read would reset it
                }

                (int forwarded, ProxyDirection.Limit? reached) = direction.Take(buffer.AsSpan(0, read));
                try
                {
                    for (int sent = 0; sent < forwarded;)
                    {
                        sent += await to.SendAsync(buffer.AsMemory(sent, forwarded - sent));
                    }
                }
                finally
                {
                    // Also where this connection is being cut already: nobody else would tell.
                    if (reached is not null)
                    {
                        proxy.CutAll(reached.How);
                        reached.Done.SetResult();
                    }
                }
            }

            EndSending(to);
        }
        catch (Exception exception) when (IsGone(exception))
        {
            End(Cut.Reset); // what one end sees, the other sees too
        }
    }

    private static void EndSending(Socket socket)
    {
        try
        {
            socket.Shutdown(SocketShutdown.Send);
        }
        catch (Exception exception) when (IsGone(exception))
        {
            // Closed already, or not yet connected: there is no one to tell.
        }
    }

    private static bool IsGone(Exception exception) => exception is SocketException or ObjectDisposedException;
}
