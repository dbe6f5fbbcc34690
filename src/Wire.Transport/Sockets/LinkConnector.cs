using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using Wire.Transport.Addresses;

namespace Wire.Transport.Sockets;

/// <summary>Connects sockets: looks up the name, tries its addresses, and speaks TLS where the options say so.</summary>
internal static class LinkConnector
{
    // Between two looks whether a socket is connected, in milliseconds.
    private const int LongestPause = 25;

    /// <summary>Connects, and sends nothing of the protocol yet.</summary>
    /// <param name="options">True if and how TLS is spoken.</param>
    /// <param name="endpoint">The endpoint to connect to.</param>
    /// <param name="cancellationToken">Ends the attempt.</param>
    /// <exception cref="ConnectException">
    /// There is no such host, nothing listens, TLS fails, or the token fires: then the inner exception is an
    /// <see cref="OperationCanceledException"/>.
    /// </exception>
    public static async Task<LinkSocket> ConnectAsync(BrokerOptions options, BrokerEndpoint endpoint, CancellationToken cancellationToken)
    {
        string step = "looking up its name";
        Socket? socket = null;
        try
        {
            IPAddress[] addresses = await LookUpAsync(endpoint, cancellationToken).ConfigureAwait(false);
            step = "connecting";
            socket = await TryAllAsync(addresses, endpoint, options.ConnectTimeout, cancellationToken).ConfigureAwait(false);
            step = "TLS began";
            SslStream? tls = options.Tls is null
                ? null
                : await AuthenticateAsync(socket, options.Tls, endpoint, cancellationToken).ConfigureAwait(false);
            return new LinkSocket(socket, tls, endpoint);
        }
        catch (Exception e) when (e is OperationCanceledException || (LinkSocket.IsLoss(e) && e is not ConnectException))
        {
            socket?.Dispose();
            throw Failed(e, step, endpoint, options.UsualTlsPort);
        }
        catch
        {
            socket?.Dispose();
            throw;
        }
    }

    // A name may come from a broker, such as 0.0.0.0: then the caller's argument is not at fault.
    private static async Task<IPAddress[]> LookUpAsync(BrokerEndpoint endpoint, CancellationToken cancellationToken)
    {
        try
        {
            return await Dns.GetHostAddressesAsync(endpoint.Host, cancellationToken).ConfigureAwait(false);
        }
        catch (ArgumentException e)
        {
            throw new ConnectException(
                $"No connection to {endpoint}: this is not a name or address that one can connect to. {e.Message}", e);
        }
    }

    private static ConnectException Failed(Exception e, string step, BrokerEndpoint endpoint, int tlsPort) => new(e switch
    {
        OperationCanceledException =>
            $"No connection to {endpoint}: the time-out expired while {step}. Check the host and port, and whether a firewall drops the " +
            "packets.",
        NoTlsException =>
            $"No connection to {endpoint}: the port answered without TLS. Use the port with TLS (usually {tlsPort}), or connect without " +
            "TLS.",
        AuthenticationException =>
            $"No connection to {endpoint}: TLS failed. Check that the broker's certificate is for this name and signed by an authority " +
            $"that is trusted here, and that the broker accepts the client's certificate. {Innermost(e)}",
        IOException =>
            $"No connection to {endpoint}: it was lost during the TLS handshake. Check that this is the port for TLS " +
            $"(usually {tlsPort}), and whether the broker asks for a client certificate. {Innermost(e)}",
        SocketException { SocketErrorCode: SocketError.HostNotFound or SocketError.NoData or SocketError.TryAgain } =>
            $"No connection to {endpoint}: this host name has no address. {e.Message}",
        _ => $"No connection to {endpoint}: {e.Message}. Check that the broker is running and listens on this port.",
    }, e is NoTlsException ? e.InnerException! : e);

    private static string Innermost(Exception e) => e.InnerException is null ? e.Message : $"{e.Message} {e.GetBaseException().Message}";

    // An address that does not answer takes only its share of the time, so that some is left for the next one.
    private static async Task<Socket> TryAllAsync(
        IPAddress[] addresses, BrokerEndpoint endpoint, TimeSpan timeout, CancellationToken cancellationToken)
    {
        Exception? last = null;
        foreach (IPAddress address in addresses)
        {
            var socket = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
            using var part = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
            part.CancelAfter(timeout / addresses.Length);
            try
            {
                socket.NoDelay = true;
                await ConnectToAsync(socket, new IPEndPoint(address, endpoint.Port), part.Token).ConfigureAwait(false);
                return socket;
            }
            catch (Exception e) when (e is SocketException
                || (e is OperationCanceledException && !cancellationToken.IsCancellationRequested))
            {
                socket.Dispose();
                last = e;
            }
            catch
            {
                socket.Dispose();
                throw;
            }
        }

        throw last ?? new SocketException((int)SocketError.HostNotFound);
    }

    // Polling. A socket that connects asynchronously is watched by a thread of the runtime as long as it lives, which wakes a thread of the
    // pool for each receive.
    private static async Task ConnectToAsync(Socket socket, IPEndPoint address, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        socket.Blocking = false;
        try
        {
            socket.Connect(address);
        }
        catch (SocketException e) when (e.SocketErrorCode is SocketError.WouldBlock or SocketError.InProgress or SocketError.IOPending)
        {
            for (int look = 0; !socket.Poll(0, SelectMode.SelectWrite); look++)
            {
                await Task.Delay(Math.Min(1 << Math.Min(look, 5), LongestPause), cancellationToken).ConfigureAwait(false);
            }

            if (socket.GetSocketOption(SocketOptionLevel.Socket, SocketOptionName.Error) is int error and not 0)
            {
                throw new SocketException(error);
            }
        }
    }

    private static async Task<SslStream> AuthenticateAsync(
        Socket socket, SslClientAuthenticationOptions options, BrokerEndpoint endpoint, CancellationToken cancellationToken)
    {
        socket.Blocking = true;
        var stream = new TlsSocketStream(socket);
        var tls = new SslStream(stream);
        try
        {
            await tls.AuthenticateAsClientAsync(
                options.TargetHost is { Length: > 0 } ? options : WithTarget(options, endpoint.Host),
                cancellationToken).ConfigureAwait(false);
            return tls;
        }
        catch (Exception e)
        {
            await tls.DisposeAsync().ConfigureAwait(false);
            if (stream.HasBegunOtherwise && LinkSocket.IsLoss(e))
            {
                throw new NoTlsException(e);
            }

            throw;
        }
    }

    private sealed class NoTlsException(Exception inner) : IOException(inner.Message, inner);

    // The caller's object stays as it is: it may be used for several endpoints.
    private static SslClientAuthenticationOptions WithTarget(SslClientAuthenticationOptions options, string host)
    {
        var copy = new SslClientAuthenticationOptions
        {
            TargetHost = host,
            AllowRenegotiation = options.AllowRenegotiation,
            AllowTlsResume = options.AllowTlsResume,
            ApplicationProtocols = options.ApplicationProtocols,
            CertificateChainPolicy = options.CertificateChainPolicy,
            CertificateRevocationCheckMode = options.CertificateRevocationCheckMode,
            CipherSuitesPolicy = options.CipherSuitesPolicy,
            ClientCertificateContext = options.ClientCertificateContext,
            ClientCertificates = options.ClientCertificates,
            EnabledSslProtocols = options.EnabledSslProtocols,
            EncryptionPolicy = options.EncryptionPolicy,
            LocalCertificateSelectionCallback = options.LocalCertificateSelectionCallback,
            RemoteCertificateValidationCallback = options.RemoteCertificateValidationCallback,
        };
        if (OperatingSystem.IsLinux() || OperatingSystem.IsWindows())
        {
            copy.AllowRsaPkcs1Padding = options.AllowRsaPkcs1Padding;
            copy.AllowRsaPssPadding = options.AllowRsaPssPadding;
        }

        return copy;
    }
}
