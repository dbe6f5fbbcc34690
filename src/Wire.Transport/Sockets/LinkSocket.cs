using System.Buffers;
using System.Net.Security;
using System.Net.Sockets;
using System.Runtime.CompilerServices;
using System.Security.Authentication;

namespace Wire.Transport.Sockets;

/// <summary>
/// The socket of a link, plain or with TLS. One receive and one send at a time, which may be under way together; in steady state neither
/// allocates. Whatever ends the connection is an <see cref="IOException"/>.
/// </summary>
internal sealed class LinkSocket : IDisposable
{
    private readonly Socket? _socket;
    private readonly ILinkBytes _bytes;

    /// <summary>Takes over a socket that is connected, and the stream of TLS on it.</summary>
    public LinkSocket(Socket socket, SslStream? tls, BrokerEndpoint endpoint)
    {
        _socket = socket;
        _bytes = tls is null ? new PlainBytes(socket) : new TlsBytes(tls);
        IsTls = tls is not null;
        Endpoint = endpoint;
    }

    /// <summary>Takes over bytes that come from elsewhere and go there, such as from memory.</summary>
    public LinkSocket(ILinkBytes bytes, BrokerEndpoint endpoint)
    {
        _bytes = bytes;
        Endpoint = endpoint;
    }

    /// <summary>Gets the endpoint that the socket is connected to.</summary>
    public BrokerEndpoint Endpoint { get; }

    /// <summary>Gets whether TLS is spoken.</summary>
    public bool IsTls { get; }

    /// <summary>Receives what has come, or waits for it; 0 when the other side has closed.</summary>
    /// <param name="buffer">Where it is received to, which has room for a byte at least.</param>
    /// <exception cref="IOException">The connection is lost or aborted.</exception>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<int> ReceiveAsync(Memory<byte> buffer)
    {
        try
        {
            return await _bytes.ReceiveAsync(buffer).ConfigureAwait(false);
        }
        catch (Exception e) when (IsLoss(e))
        {
            throw Lost(e);
        }
    }

    /// <inheritdoc cref="ILinkBytes.ReceivesOnThread"/>
    public bool ReceivesOnThread => _bytes.ReceivesOnThread;

    /// <summary>Returns whether bytes have come to the socket, or the connection has ended; also where there is no socket.</summary>
    public bool HasReceived()
    {
        try
        {
            return _socket?.Poll(0, SelectMode.SelectRead) != false;
        }
        catch (Exception e) when (IsLoss(e))
        {
            // The receive says so.
            return true;
        }
    }

    /// <summary>The same as <see cref="ReceiveAsync"/>, and the thread waits.</summary>
    /// <exception cref="IOException">The connection is lost or aborted.</exception>
    public int Receive(Memory<byte> buffer)
    {
        try
        {
            return _bytes.Receive(buffer);
        }
        catch (Exception e) when (IsLoss(e))
        {
            throw Lost(e);
        }
    }

    /// <summary>Sends all of the bytes, which may be changed when the task has ended.</summary>
    /// <exception cref="IOException">The connection is lost or aborted. Any part may have been sent.</exception>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    public async ValueTask SendAsync(ReadOnlySequence<byte> bytes)
    {
        try
        {
            await _bytes.SendAsync(bytes).ConfigureAwait(false);
        }
        catch (Exception e) when (IsLoss(e))
        {
            throw Lost(e);
        }
    }

    /// <summary>The same, and the thread waits.</summary>
    /// <exception cref="IOException">The connection is lost or aborted. Any part may have been sent.</exception>
    public void Send(ReadOnlySequence<byte> bytes)
    {
        try
        {
            _bytes.Send(bytes);
        }
        catch (Exception e) when (IsLoss(e))
        {
            throw Lost(e);
        }
    }

    /// <summary>
    /// Ends operations under way with an exception, and the connection without a closing handshake. From any thread, any number of times.
    /// </summary>
    public void Abort()
    {
        _socket?.Dispose();
        _bytes.Abort();
    }

    /// <summary>Aborts, and releases everything.</summary>
    public void Dispose()
    {
        Abort();
        _bytes.Dispose();
    }

    /// <summary>Returns whether sockets and TLS throw it when a connection ends, on either side.</summary>
    internal static bool IsLoss(Exception e) => e is SocketException or IOException or ObjectDisposedException or AuthenticationException;

    private IOException Lost(Exception inner) => new(
        inner is ObjectDisposedException or SocketException { SocketErrorCode: SocketError.OperationAborted }
            ? $"The connection to {Endpoint} was closed by this program."
            : $"The connection to {Endpoint} was lost: {inner.Message}",
        inner);
}
