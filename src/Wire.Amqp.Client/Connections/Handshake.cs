using System.Buffers;
using System.Text;
using Wire.Amqp.V091;
using Wire.Transport;
using Wire.Transport.Addresses;
using Wire.Transport.Segments;
using Wire.Transport.Sockets;

namespace Wire.Amqp.Client.Connections;

/// <summary>Opens a connection: from the protocol header to the open virtual host (AMQP 0-9-1 section 2.2.4).</summary>
internal sealed class Handshake
{
    /// <summary>The least frame_max of RabbitMQ 4.1, which cuts a connection with a lesser one and says why in its log alone.</summary>
    private const int LeastOfNewer = 8192;

    private readonly LinkSocket _socket;
    private readonly HandshakeInput _input;
    private readonly AmqpConnectionOptions _options;
    private readonly ArrayBufferWriter<byte> _output = new();

    private Handshake(LinkSocket socket, ReceiveBuffer received, AmqpConnectionOptions options)
    {
        _socket = socket;
        _input = new HandshakeInput(socket, received, options.RequestedFrameMax);
        _options = options;
    }

    /// <summary>Opens a connection. Bytes that were received after the handshake are left in the buffer.</summary>
    /// <param name="socket">
    /// The socket, on which nothing has been sent. It is aborted when the token fires, and cannot be used after a failure.
    /// </param>
    /// <param name="received">The buffer to receive into; empty.</param>
    /// <param name="options">The user, and the options of the connection.</param>
    /// <param name="cancellationToken">Ends the waiting.</param>
    /// <exception cref="AmqpConnectionException">
    /// The server refuses, closes, speaks something else, or says nothing until the token fires: then the inner exception is an
    /// <see cref="OperationCanceledException"/>.
    /// </exception>
    /// <exception cref="ArgumentException">The client's properties cannot be written.</exception>
    public static async Task<Agreement> RunAsync(
        LinkSocket socket, ReceiveBuffer received, AmqpConnectionOptions options, CancellationToken cancellationToken)
    {
        var handshake = new Handshake(socket, received, options);
        using CancellationTokenRegistration registration =
            cancellationToken.Register(static socket => ((LinkSocket)socket!).Abort(), socket);
        try
        {
            return await handshake.RunAsync().ConfigureAwait(false);
        }
        catch (AmqpFormatException e)
        {
            throw handshake._input.NotAmqp(e);
        }
        catch (IOException e) when (e is not AmqpConnectionException)
        {
            throw cancellationToken.IsCancellationRequested
                ? handshake._input.TimedOut(new OperationCanceledException(e.Message, e, cancellationToken))
                : handshake._input.Lost(e);
        }
    }

    private async Task<Agreement> RunAsync()
    {
        ProtocolHeader.Version091.Write(_output);
        await SendAsync().ConfigureAwait(false);

        (ConnectionStartOk startOk, IReadOnlyDictionary<string, object?> server) =
            Answer(await ReceiveAsync(MethodId.ConnectionStart, "").ConfigureAwait(false));
        Write(in startOk);
        await SendAsync().ConfigureAwait(false);

        string refused = _options.Authentication == SaslMechanism.External
            ? "check that the broker accepts the client's certificate, and has a user of the name that it reads from it"
            : _options.Credentials is not null
                ? $"check what {nameof(AmqpConnectionOptions.Credentials)} returns: the user is '{_options.UserName}', and the secret " +
                    "may have expired, or be for another broker"
                : $"check that the user '{_options.UserName}' exists, has this password, and may connect from here: RabbitMQ accepts " +
                    "guest only from its own machine";
        ConnectionTune tune = (await ReceiveAsync(MethodId.ConnectionTune, refused).ConfigureAwait(false)).ReadMethod<ConnectionTune>();
        ConnectionTuneOk tuneOk = Answer(in tune);
        Write(in tuneOk);
        Write(new ConnectionOpen { VirtualHost = _options.VirtualHost });
        await SendAsync().ConfigureAwait(false);

        await ReceiveAsync(
            MethodId.ConnectionOpenOk,
            tuneOk.FrameMax < LeastOfNewer
                ? $"RabbitMQ 4.1 and later take no {nameof(AmqpConnectionOptions.RequestedFrameMax)} below {LeastOfNewer}, and this is " +
                    $"{tuneOk.FrameMax}; check also that the virtual host '{_options.VirtualHost}' exists, and that the user may use it"
                : $"check that the virtual host '{_options.VirtualHost}' exists, and that the user may use it").ConfigureAwait(false);
        _input.Finish();
        return new Agreement((int)tuneOk.FrameMax, tuneOk.ChannelMax, TimeSpan.FromSeconds(tuneOk.Heartbeat), server);
    }

    private (ConnectionStartOk, IReadOnlyDictionary<string, object?>) Answer(in Frame frame)
    {
        ConnectionStart start = frame.ReadMethod<ConnectionStart>();
        if (start.VersionMajor != 0 || start.VersionMinor != 9)
        {
            throw _input.Refused(
                $"begins with version {start.VersionMajor}-{start.VersionMinor} of the protocol, and this library speaks 0-9-1");
        }

        bool plain = _options.Authentication == SaslMechanism.Plain;
        string mechanism = plain ? "PLAIN" : "EXTERNAL";
        string offered = start.Mechanisms.ToString();
        if (!offered.Split(' ').Contains(mechanism, StringComparer.Ordinal))
        {
            throw _input.Refused(
                $"does not take {mechanism}, but {offered}: set {nameof(AmqpConnectionOptions.Authentication)} to one of those, or " +
                $"enable {mechanism} at the broker{(plain ? "" : " with its plugin rabbitmq_auth_mechanism_ssl")}");
        }

        var startOk = new ConnectionStartOk
        {
            ClientProperties = ClientIdentity.Properties(_options),
            Mechanism = mechanism,
            Response = new AmqpString(Encoding.UTF8.GetBytes(plain ? $"\0{_options.UserName}\0{_options.Password}" : "")),
            Locale = "en_US",
        };
        return (startOk, start.ServerProperties.ToDictionary());
    }

    private ConnectionTuneOk Answer(in ConnectionTune tune)
    {
        if (tune.FrameMax is > 0 and < BrokerOptions.LeastFrameMax)
        {
            throw _input.Refused(
                $"takes frames of up to {tune.FrameMax} bytes, and 0-9-1 needs at least {BrokerOptions.LeastFrameMax}: raise its " +
                "frame_max");
        }

        return new ConnectionTuneOk
        {
            ChannelMax = (ushort)Smaller((uint)_options.RequestedChannelMax, tune.ChannelMax),
            FrameMax = Smaller((uint)_options.RequestedFrameMax, tune.FrameMax),
            Heartbeat = (ushort)Smaller((uint)_options.RequestedHeartbeat.TotalSeconds, tune.Heartbeat),
        };
    }

    // 0 means no limit, and for heartbeats no preference.
    private static uint Smaller(uint ours, uint theirs) => ours == 0 || theirs == 0 ? Math.Max(ours, theirs) : Math.Min(ours, theirs);

    // Any other method than the expected one is an error.
    private async Task<Frame> ReceiveAsync(MethodId awaited, string advice)
    {
        Frame frame = await _input.NextAsync(awaited, advice).ConfigureAwait(false);
        MethodId found = frame.MethodId;
        if (found == awaited)
        {
            return frame;
        }

        if (found == MethodId.ConnectionClose)
        {
            var reason = AmqpCloseReason.From(frame.ReadMethod<ConnectionClose>());
            await TryCloseAsync().ConfigureAwait(false);
            throw _input.Closed(reason);
        }

        throw found == MethodId.ConnectionSecure
            ? _input.Refused(
                "asks for another step of authentication (connection.secure), which PLAIN and EXTERNAL do not have: enable PLAIN or " +
                "EXTERNAL at the broker")
            : _input.Refused(
                $"sent {(frame.Type == FrameType.Method ? found.ToString() : $"a frame of type {frame.Type}")} where {awaited} was " +
                "expected");
    }

    // The server waits for it before it closes the socket. Losing it does no harm: the reason is known.
    private async Task TryCloseAsync()
    {
        try
        {
            Write(default(ConnectionCloseOk));
            await SendAsync().ConfigureAwait(false);
        }
        catch (IOException)
        {
            _socket.Abort();
        }
    }

    private void Write<TMethod>(in TMethod method)
        where TMethod : struct, IMethod<TMethod> => FrameWriter.Write(_output, 0, in method);

    private async Task SendAsync()
    {
        await _socket.SendAsync(new ReadOnlySequence<byte>(_output.WrittenMemory)).ConfigureAwait(false);
        _output.Clear();
    }
}
