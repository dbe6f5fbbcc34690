using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using Wire.Amqp.Client.Channels;
using Wire.Amqp.Client.Connections;
using Wire.Amqp.Client.Diagnostics;
using Wire.Amqp.Client.Publishing;
using Wire.Amqp.Client.Topology;
using Wire.Runtime;
using Wire.Transport;

namespace Wire.Amqp.Client;

/// <summary>
/// A connection to a broker for the hot path: objects are serialized straight into the frames that are sent, and read from those that were
/// received. When it is lost it connects again, with growing pauses, declares again what was declared through it, and opens its channels
/// again. Thread-safe.
/// </summary>
/// <remarks>
/// Make one for publishing and one for consuming: a broker that takes no messages for a while stops reading from connections that publish.
/// </remarks>
public sealed partial class AmqpConnection : IAsyncDisposable
{
    private readonly Lock _gate = new();
    private readonly Lock _telling = new();
    private readonly HashSet<RecoveringChannel> _channels = [];
    private readonly CancellationTokenSource _closing = new();

    // Closing does not wait for the broker any longer.
    private readonly CancellationTokenSource _enough = new();
    private readonly LinkFactory _links;
    private readonly Lazy<Task> _disposal;
    private readonly TaskCompletionSource _completion = new(TaskCreationOptions.RunContinuationsAsynchronously);

    // The link, and the task for callers that wait for the next one.
    private Link? _link;
    private Link? _latest;
    private long _lateBefore;
    private volatile Exception? _error;
    private volatile string? _blockedReason;
    private BlockedTime.Block? _block;
    private TaskCompletionSource<Link> _next = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private LinkEnd? _end;
    private Task _watching = Task.CompletedTask;
    private Task _told = Task.CompletedTask;

    private AmqpConnection(AmqpConnectionOptions options)
    {
        Options = options;
        _links = new LinkFactory(options, ReportCredentials);
        _disposal = new Lazy<Task>(CloseOnceAsync);
    }

    /// <summary>
    /// The connection has been lost, with the reason; it is being recovered where the options say so. Called on the thread pool. All events
    /// of a connection are raised one after the other, in the order in which things have happened.
    /// </summary>
    public event Action<Exception>? Lost;

    /// <summary>
    /// The connection has been recovered, and its channels with it; those with a consumer whose queue is not available yet come back when
    /// it is. Called on the thread pool.
    /// </summary>
    public event Action? Recovered;

    /// <summary>
    /// An attempt to recover the connection has failed, something that was declared could not be declared again, or a consumer waits for
    /// its queue: the reason. Called on the thread pool.
    /// </summary>
    public event Action<Exception>? RecoveryFailed;

    /// <summary>
    /// The credentials of the open connection could not be renewed yet: <see cref="AmqpConnectionOptions.Credentials"/> has failed, or the
    /// broker has not answered. With the reason; it is tried again with pauses, and nothing else happens before the broker closes the
    /// connection. Called on the thread pool.
    /// </summary>
    public event Action<Exception>? CredentialsFailed;

    /// <summary>
    /// The broker accepts no messages for now, with its reason, and publishes wait; or it accepts them again, or the connection is lost,
    /// with null. Called on the thread pool.
    /// </summary>
    public event Action<string?>? Blocked;

    /// <summary>
    /// The connection has ended permanently, and its channels with it: with the reason, or null where the program has closed it. Told once,
    /// after all other events. Called on the thread pool. <see cref="Completion"/> says the same to later callers.
    /// </summary>
    public event Action<Exception?>? Closed;

    /// <summary>
    /// Ends when the connection has ended permanently: successfully if the program has closed it; otherwise with the reason. A failure that
    /// nobody observes is not raised.
    /// </summary>
    public Task Completion => _completion.Task;

    /// <summary>Gets the options that the connection was made with.</summary>
    public AmqpConnectionOptions Options { get; }

    /// <summary>Gets whether there is a connection right now.</summary>
    public bool IsOpen => Volatile.Read(ref _link) is { End: null };

    /// <summary>Gets whether the connection has ended permanently.</summary>
    public bool IsClosed => Volatile.Read(ref _end) is not null;

    /// <summary>The broker that it is connected to, or was last.</summary>
    public BrokerEndpoint Endpoint => Volatile.Read(ref _latest)!.Endpoint;

    /// <summary>The largest frame in bytes, as agreed on with the broker.</summary>
    public int FrameMax => Agreement.FrameMax;

    /// <summary>Gets the highest number of a channel, and so how many there may be at a time, as agreed on with the broker.</summary>
    public int ChannelMax => Agreement.ChannelMax;

    /// <summary>Gets the interval of heartbeats, as agreed on with the broker; zero for none.</summary>
    public TimeSpan Heartbeat => Agreement.Heartbeat;

    /// <summary>Gets the product that the broker says it is, as "RabbitMQ"; null where it does not say.</summary>
    public string? ServerProduct => Agreement.ServerText("product");

    /// <summary>Gets the version of the product that the broker says it is, as "4.0.5"; null where it does not say.</summary>
    public string? ServerVersion => Agreement.ServerText("version");

    /// <summary>
    /// Gets all that the broker says about itself in connection.start, such as cluster_name and capabilities: texts are <see
    /// cref="AmqpString"/>, tables dictionaries. Nobody has proved any of it.
    /// </summary>
    public IReadOnlyDictionary<string, object?> ServerProperties => Agreement.ServerProperties;

    /// <summary>
    /// Gets the number of frames that came on a channel after its end, and were dropped, since the connection was made: what was on its way
    /// when the broker closed the channel, mostly. The messages in them are in their queues again, as all that the channel had not
    /// acknowledged.
    /// </summary>
    public long LateFrames
    {
        get
        {
            lock (_gate)
            {
                return _lateBefore + _latest!.LateFrames;
            }
        }
    }

    /// <summary>
    /// Gets the reason why the broker currently takes no messages, such as low memory; null when it does, and while the connection is down.
    /// </summary>
    public string? BlockedReason => _blockedReason;

    /// <summary>
    /// Gets the reason why there is no connection: what it was lost by, or why the latest attempt has failed. Null while it is open, and
    /// where the program has closed it.
    /// </summary>
    public Exception? Error => Volatile.Read(ref _end) is { } end ? end.IsByProgram ? null : end.Error : _error;

    // Of the link that there is, or was last.
    private Agreement Agreement => Volatile.Read(ref _latest)!.Agreement;

    /// <summary>The link right now; null while there is none.</summary>
    internal Link? Link => Volatile.Read(ref _link);

    /// <summary>Gets the reason why it has ended permanently; null while it has not.</summary>
    internal LinkEnd? End => Volatile.Read(ref _end);

    /// <summary>Gets the topology that was declared through it.</summary>
    internal DeclaredTopology Topology { get; } = new();

    /// <summary>Gets the turns of messages over which the broker may have closed the connection.</summary>
    internal Suspects Suspects { get; } = new();

    /// <summary>Connects to a broker, the first of the endpoints that answers.</summary>
    /// <param name="options">The endpoints and options.</param>
    /// <param name="cancellationToken">Ends the attempt.</param>
    /// <exception cref="ArgumentException">An option is out of range.</exception>
    /// <exception cref="AmqpConnectionException">No broker can be reached, or it refuses.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public static async Task<AmqpConnection> ConnectAsync(AmqpConnectionOptions options, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(options);
        var connection = new AmqpConnection(options.Validate());
        Link link = await connection._links.ConnectAsync(cancellationToken).ConfigureAwait(false);
        connection.Use(link);
        connection._watching = Task.Run(() => connection.WatchAsync(link), CancellationToken.None);
        return connection;
    }

    /// <summary>Connects to a broker as a URI says, with the default options for everything else.</summary>
    /// <param name="uri">Such as <c>amqp://user:password@host:5672/vhost</c>.</param>
    /// <param name="cancellationToken">Ends the attempt.</param>
    /// <exception cref="FormatException">The URI does not name a broker.</exception>
    /// <inheritdoc cref="ConnectAsync(AmqpConnectionOptions, CancellationToken)"/>
    [RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
    [RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
    public static Task<AmqpConnection> ConnectAsync(string uri, CancellationToken cancellationToken = default) =>
        ConnectAsync(AmqpConnectionOptions.Parse(uri), cancellationToken);

    /// <summary>Opens a channel, as soon as the connection is there and the broker has not blocked it.</summary>
    /// <param name="options">How it is used; the defaults when left out.</param>
    /// <param name="cancellationToken">Ends the attempt.</param>
    /// <exception cref="AmqpConnectionException">The connection is lost permanently.</exception>
    /// <exception cref="InvalidOperationException">The connection has as many channels as it may have.</exception>
    /// <exception cref="ObjectDisposedException">The connection has been closed by the program.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public async Task<AmqpChannel> OpenChannelAsync(AmqpChannelOptions? options = null, CancellationToken cancellationToken = default)
    {
        options ??= new AmqpChannelOptions();
        options.Validate();
        var channel = new RecoveringChannel(this, options);
        while (true)
        {
            Link link = await LinkAsync(cancellationToken).ConfigureAwait(false);
            await link.UnblockedAsync(cancellationToken).ConfigureAwait(false);
            try
            {
                await channel.OpenAsync(link, cancellationToken).ConfigureAwait(false);
            }
            catch (AmqpConnectionException) when (link is { End: null, Blocked: not null })
            {
                // Since just now.
                continue;
            }
            catch (AmqpConnectionException) when (link.End is { IsByProgram: false })
            {
                // It was lost in between: continue with the next one, or with the reason why there is none.
                continue;
            }

            lock (_gate)
            {
                if (_link == link)
                {
                    _channels.Add(channel);
                    return new AmqpChannel(channel, this);
                }
            }
        }
    }

    /// <summary>
    /// Closes the connection: what has been written before is sent, and then the broker's answer is awaited. Messages that still wait for
    /// room, or that it has not confirmed by then, fail; await their tasks first.
    /// </summary>
    public ValueTask DisposeAsync() => new(_disposal.Value);

    /// <summary>Closes it, within a time.</summary>
    /// <param name="cancellationToken">Ends the wait for the broker: the connection is ended then without its answer.</param>
    public async Task CloseAsync(CancellationToken cancellationToken = default)
    {
        using CancellationTokenRegistration enough = cancellationToken.UnsafeRegister(
            static connection => ((AmqpConnection)connection!)._enough.Cancel(), this);
        await DisposeAsync().ConfigureAwait(false);
    }

    /// <summary>The link, as soon as there is one.</summary>
    internal Task<Link> LinkAsync(CancellationToken cancellationToken)
    {
        lock (_gate)
        {
            if (_end is { } end)
            {
                throw LinkChannel.Ended(end);
            }

            // A link that has ended counts as none, also if that has not been noticed here yet.
            return _link is { End: null } link ? Task.FromResult(link) : _next.Task.WaitAsync(cancellationToken);
        }
    }

    /// <summary>A channel has ended.</summary>
    internal void Forget(RecoveringChannel channel)
    {
        lock (_gate)
        {
            _channels.Remove(channel);
        }
    }

    /// <summary>Raises an event, on a thread that nothing else waits for.</summary>
    internal void ReportFailure(Exception error)
    {
        if (RecoveryFailed is { } listeners)
        {
            QueueEvent(() => listeners(error));
        }
    }

    private void ReportCredentials(Exception error)
    {
        if (CredentialsFailed is { } listeners)
        {
            QueueEvent(() => listeners(error));
        }
    }

    // In order, and on a thread that nothing else waits for.
    internal void QueueEvent(Action listeners)
    {
        lock (_telling)
        {
            _told = _told.ContinueWith(
                _ =>
                {
                    try
                    {
                        listeners();
                    }
                    catch (Exception e)
                    {
                        Trace.TraceError($"A handler of an event of {nameof(AmqpConnection)} has thrown: {e}");
                    }
                },
                CancellationToken.None,
                TaskContinuationOptions.None,
                TaskScheduler.Default);
        }
    }

    // The channels to restore on this link; channels opened later are not among them.
    private RecoveringChannel[] Use(Link link)
    {
        TaskCompletionSource<Link> next;
        RecoveringChannel[] channels;
        lock (_gate)
        {
            _lateBefore += _latest?.LateFrames ?? 0;
            _link = _latest = link;
            _error = null;
            next = _next;
            _next = new TaskCompletionSource<Link>(TaskCreationOptions.RunContinuationsAsynchronously);
            channels = [.. _channels];
        }

        ClientTelemetry.Show(this);
        next.TrySetResult(link);
        link.WatchBlocked(reason => BlockedChanged(link, reason));
        return channels;
    }

    private void BlockedChanged(Link link, string? reason)
    {
        RecoveringChannel[] channels;
        lock (_gate)
        {
            if (_link != link)
            {
                // It has been lost, and that has been reported.
                return;
            }

            channels = [.. _channels];
            ReportBlocked(reason);
        }

        if (reason is null)
        {
            foreach (RecoveringChannel channel in channels)
            {
                channel.Publisher.RoomMade();
            }
        }

    }

    // Under the gate: in the order in which it happens.
    private void ReportBlocked(string? reason)
    {
        if (reason is not null)
        {
            _block ??= ClientTelemetry.BlockedTime.Begin(Endpoint, Options.Time);
        }
        else
        {
            _block?.End();
            _block = null;
        }

        _blockedReason = reason;
        if (Blocked is { } listeners)
        {
            QueueEvent(() => listeners(reason));
        }
    }

    private async Task CloseOnceAsync()
    {
        await _closing.CancelAsync().ConfigureAwait(false);
        if (Link is { } link)
        {
            await link.CloseAsync(_enough.Token).ConfigureAwait(false);
        }

        await _watching.ConfigureAwait(false);
        _closing.Dispose();
    }
}
