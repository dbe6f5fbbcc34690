using System.Runtime.InteropServices;
using System.Text;
using Wire.RabbitMQ.Streams.Protocol;
using Wire.Transport;
using Wire.Transport.Sockets;
using Wire.Transport.Threads;

namespace Wire.RabbitMQ.Streams.Links;

internal sealed partial class StreamLink
{
    private static readonly string LibraryVersion = typeof(StreamLink).Assembly.GetName().Version!.ToString(3);

    // The broker's proposal after authentication.
    private TaskCompletionSource<Tune>? _tune;

    /// <summary>Connects to a node, and opens the virtual host (the stream protocol's section on authentication).</summary>
    /// <exception cref="StreamConnectionException">It cannot be connected to, refuses, or says nothing in time.</exception>
    /// <exception cref="OperationCanceledException">The token has fired.</exception>
    public static async Task<StreamLink> ConnectAsync(
        StreamClientOptions options, BrokerEndpoint endpoint, CancellationToken cancellationToken)
    {
        using var time = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        time.CancelAfter(options.Timeout);
        LinkSocket socket;
        try
        {
            socket = await LinkConnector.ConnectAsync(options.Broker, endpoint, time.Token).ConfigureAwait(false);
        }
        catch (ConnectException e)
        {
            cancellationToken.ThrowIfCancellationRequested();
            throw new StreamConnectionException(e.Message, e.InnerException);
        }

        return await OpenAsync(socket, options, time.Token, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Continues with an open connection.</summary>
    internal static StreamLink Attach(LinkSocket socket, StreamClientOptions options)
    {
        var link = new StreamLink(socket, options) { FrameMax = options.RequestedFrameMax };
        link._received.Open();
        link.StartReceiving();
        return link;
    }

    private static async Task<StreamLink> OpenAsync(
        LinkSocket socket, StreamClientOptions options, CancellationToken time, CancellationToken cancellationToken)
    {
        var link =
            new StreamLink(socket, options) { _tune = new TaskCompletionSource<Tune>(TaskCreationOptions.RunContinuationsAsynchronously) };
        link.StartReceiving();
        try
        {
            await link.OpenAsync(options, time).ConfigureAwait(false);
            return link;
        }
        catch (Exception e)
        {
            bool isLate = time.IsCancellationRequested;
            link.Abort("it could not be opened");
            await link.Ended.ConfigureAwait(false);
            cancellationToken.ThrowIfCancellationRequested();
            throw e switch
            {
                StreamConnectionException => e,
                StreamException refused => new StreamConnectionException(refused.Message, refused.Code),
                _ when isLate =>
                    new StreamConnectionException(
                        $"No connection to {socket.Endpoint}: the time-out expired before it was open. Check that this is the port for " +
                        $"streams (usually {StreamClientOptions.DefaultPort}).", e),

                // Invalid data of the broker is not the caller's argument error.
                _ => new StreamConnectionException($"No connection to {socket.Endpoint}: {e.Message}", e),
            };
        }
    }

    private async Task OpenAsync(StreamClientOptions options, CancellationToken time)
    {
        ListOf<Pair> server = await DemandAsync<PeerProperties, ListOf<Pair>>(
            new PeerProperties { Properties = Identity(options) }, "the connection", time).ConfigureAwait(false);
        ServerProperties = Groups.Dictionary(server.Items);
        await AuthenticateAsync(options, time).ConfigureAwait(false);

        Tune tune = await Interruptible(_tune!.Task, time).ConfigureAwait(false);
        var agreed = new Tune
        {
            FrameMax = Smaller((uint)options.RequestedFrameMax, tune.FrameMax),

            // If the program sets none, the broker's proposal is used, up to the longest that a program can set.
            Heartbeat = Math.Min(Smaller((uint)options.RequestedHeartbeat.TotalSeconds, tune.Heartbeat), ushort.MaxValue),
        };
        _sender.Post(agreed);
        FrameMax = (int)agreed.FrameMax;

        ListOf<Pair> connection = await DemandAsync<Open, ListOf<Pair>>(
            new Open { VirtualHost = options.VirtualHost },
            $"the virtual host '{options.VirtualHost}'",
            time,
            Opened).ConfigureAwait(false);
        ConnectionProperties = Groups.Dictionary(connection.Items);
        if (agreed.Heartbeat > 0)
        {
            BeginHeartbeats(TimeSpan.FromSeconds(agreed.Heartbeat));
        }

        if (KnowsVersions())
        {
            ListOf<VersionRange> versions = await DemandAsync<ExchangeCommandVersions, ListOf<VersionRange>>(
                new ExchangeCommandVersions { Commands = ClientVersions }, "the versions of commands", time).ConfigureAwait(false);
            Versions = Groups.MaxVersions(versions.Items);
        }
    }

    // On the receive loop, before it looks at the next frame.
    private void Opened(StreamResponseCode code)
    {
        if (code == StreamResponseCode.Ok)
        {
            _received.Open();
        }
    }

    private async Task AuthenticateAsync(StreamClientOptions options, CancellationToken time)
    {
        bool plain = options.Authentication == SaslMechanism.Plain;
        string mechanism = plain ? "PLAIN" : "EXTERNAL";
        ListOf<Item> offered = await DemandAsync<SaslHandshake, ListOf<Item>>(default, "the connection", time).ConfigureAwait(false);
        IReadOnlyList<string> names = Groups.Texts(offered.Items);
        if (!names.Contains(mechanism, StringComparer.Ordinal))
        {
            throw new StreamConnectionException(
                $"{Endpoint} does not take {mechanism}, but {string.Join(' ', names)}: " +
                $"set {nameof(StreamClientOptions.Authentication)} to one of those, or enable {mechanism} at the " +
                $"broker{(plain ? "" : " with its plugin rabbitmq_auth_mechanism_ssl")}.",
                StreamResponseCode.SaslMechanismNotSupported);
        }

        byte[] data = Encoding.UTF8.GetBytes(plain ? $"\0{options.UserName}\0{options.Password}" : "");
        var request = new SaslAuthenticate { Mechanism = mechanism, Data = data };
        try
        {
            await DemandAsync<SaslAuthenticate, Nothing>(
                request, plain ? $"the user '{options.UserName}'" : "the client's certificate", time).ConfigureAwait(false);
        }
        catch (StreamConnectionException e) when (!plain && !IsAtLeast(3, 13))
        {
            // A bug in the broker: the connection's process ends at the first step of EXTERNAL.
            throw new StreamConnectionException(
                $"{Endpoint} closed the connection when the client's certificate was due. RabbitMQ 3.10, and early releases of " +
                $"3.11 and 3.12, do so with EXTERNAL on the stream protocol: use a newer one, or {nameof(SaslMechanism.Plain)} over " +
                $"TLS. {e.Message}", e);
        }
    }

    private async Task<T> Interruptible<T>(Task<T> task, CancellationToken time)
    {
        await Task.WhenAny(task, _ended.Task).WaitAsync(time).ConfigureAwait(false);
        ThrowIfEnded();
        return await task.ConfigureAwait(false);
    }

    private void BeginHeartbeats(TimeSpan interval)
    {
        var heartbeats = new Heartbeats(
            interval,
            () => _sender.Post(default(Heartbeat)),
            () => ThreadPool.UnsafeQueueUserWorkItem(
                link => link.Close(new StreamConnectionException(
                    $"The connection to {link.Endpoint} was closed: nothing came for twice the heartbeat interval of {interval}.")),
                this,
                preferLocal: false),
            AlarmTime.Instance);
        Volatile.Write(ref _heartbeats, heartbeats);
        if (HasEnded)
        {
            heartbeats.Dispose();
        }
    }

    // 0 means no limit, and for heartbeats no preference.
    private static uint Smaller(uint ours, uint theirs) => ours == 0 || theirs == 0 ? Math.Max(ours, theirs) : Math.Min(ours, theirs);

    private static IReadOnlyList<Pair> Identity(StreamClientOptions options)
    {
        var properties = new Dictionary<string, string>
        {
            ["product"] = "Wire.RabbitMQ.Streams",
            ["version"] = LibraryVersion,
            ["platform"] = RuntimeInformation.FrameworkDescription,
        };
        if (options.ConnectionName is { } name)
        {
            properties["connection_name"] = name;
        }

        return Groups.Pairs(properties);
    }

    // The commands whose versions differ between brokers, with the versions of this client.
    private static readonly IReadOnlyList<VersionRange> ClientVersions =
    [
        .. Enum.GetValues<CommandKey>().Select(key =>
            new VersionRange { Key = (ushort)key, Min = 1, Max = (ushort)(key is CommandKey.Publish or CommandKey.Deliver ? 2 : 1) }),
    ];

    // Brokers before 3.11 answer the question by closing the connection.
    private bool KnowsVersions() => IsAtLeast(3, 11);

    private bool IsAtLeast(int major, int minor) => ServerVersion is { } version && version >= new Version(major, minor);
}
