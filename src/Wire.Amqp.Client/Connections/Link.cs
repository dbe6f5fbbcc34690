using Wire.Amqp.Client.Channels;
using Wire.Amqp.Client.Consuming;
using Wire.Amqp.Client.Publishing;
using Wire.Amqp.V091;
using Wire.Transport;
using Wire.Transport.Pending;
using Wire.Transport.Segments;
using Wire.Transport.Sockets;
using Wire.Transport.Threads;

namespace Wire.Amqp.Client.Connections;

/// <summary>
/// One connection to a broker, from its handshake to its final end. A single loop receives and hands each frame to its channel; a <see
/// cref="LinkWriter"/> sends for the channels. Thread-safe, except for members that belong to the loop.
/// </summary>
internal sealed partial class Link : IAsyncDisposable
{
    // A broker does not cut content headers that another connection with larger frames has sent: they come as they are.
    private const int LargestReceivedFrame = 1 << 24;

    private readonly LinkSocket _socket;
    private readonly AmqpConnectionOptions _options;
    private readonly SendQueue _control;
    private readonly Heartbeats? _heartbeats;
    private readonly Lock _gate = new();
    private readonly CancellationTokenSource _gone = new();
    private readonly ChannelNumbers _channels;
    private readonly TaskCompletionSource<LinkEnd> _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);

    // The listeners for the end of the round; used by the loop.
    private readonly List<IRoundListener> _atEndOfRound = [];
    private LinkEnd? _end;

    // The end to report when the broker has answered the program's close; null while the program does not close it.
    private LinkEnd? _closing;
    private readonly LendingLoop _loop;
    private readonly TaskCompletionSource _loopEnded = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly WorkerThread _completing;
    private readonly ReceiveSpin _spin;
    private readonly Func<bool> _hasReceived;

    // Of the last round: whether its thread was lent, and how often something had been sent before.
    private bool _hasLent;
    private long _sendsBefore;
    private Task _receiving = Task.CompletedTask;
    private bool _hasBegun;
    private int _loopThread;
    private readonly Lock _blocking = new();
    private string? _blocked;
    private Action<string?>? _blockedChanged;
    private TaskCompletionSource? _unblocked;

    private Link(LinkSocket socket, ReceiveBuffer received, Agreement agreement, AmqpConnectionOptions options, BrokerEndpoint endpoint)
    {
        _socket = socket;
        _options = options;
        Received = received;
        Agreement = agreement;
        _channels = new ChannelNumbers(agreement.ChannelMax == 0 ? ushort.MaxValue : agreement.ChannelMax);
        Endpoint = endpoint;
        Deliveries = new DeliveryPool(options.Body, options.MaxBodySize);
        _loop = new LendingLoop($"AMQP {endpoint}", TryReceive);

        // What TLS has read of the socket and not handed out is not seen there.
        _spin = new ReceiveSpin(socket.IsTls ? TimeSpan.Zero : options.SpinTime);
        _hasReceived = socket.HasReceived;
        _completing = new WorkerThread($"AMQP {endpoint}, what awaits");
        Streaming = new WorkerThread($"AMQP {endpoint}, large bodies");
        Writer = new LinkWriter(socket, Lose, () => _heartbeats?.Sent());
        _control = new SendQueue(Writer, new Lock(), owner: null);
        if (agreement.Heartbeat > TimeSpan.Zero)
        {
            _heartbeats = new Heartbeats(
                agreement.Heartbeat,
                SendHeartbeat,
                () => ThreadPool.UnsafeQueueUserWorkItem(
                    link => link.Lose(new AmqpConnectionException(
                        $"Nothing has come from the broker at {endpoint} for twice the heartbeat of " +
                        $"{agreement.Heartbeat.TotalSeconds:0.###} s: the connection is considered lost.")),
                    this,
                    preferLocal: false),
                AlarmTime.Instance);
        }
    }

    /// <summary>Gets the terms that both sides agreed on.</summary>
    public Agreement Agreement { get; }

    /// <summary>The other side.</summary>
    public BrokerEndpoint Endpoint { get; }

    /// <summary>The largest frame.</summary>
    public int FrameMax => Agreement.FrameMax;

    /// <summary>Gets the writer of its frames.</summary>
    public LinkWriter Writer { get; }

    /// <summary>Writes what is too large to be gathered, and waits for the socket in between.</summary>
    public WorkerThread Streaming { get; }

    /// <summary>Gets the bytes that were received.</summary>
    public ReceiveBuffer Received { get; }

    /// <summary>Gets the source of deliveries.</summary>
    public DeliveryPool Deliveries { get; }

    /// <summary>Ends when the link has, with the reason.</summary>
    public Task<LinkEnd> Ended => _ended.Task;

    /// <summary>Fires when it has ended, to cancel other waits.</summary>
    public CancellationToken Gone => _gone.Token;

    /// <summary>Gets the number of frames that came on channels after they had ended.</summary>
    public long LateFrames => _channels.Late;

    /// <summary>Gets the reason why it has ended; null while it has not.</summary>
    public LinkEnd? End => Volatile.Read(ref _end);

    /// <summary>Gets the reason why the broker takes no messages for now; null when it does.</summary>
    public string? Blocked => Volatile.Read(ref _blocked);

    /// <summary>Gets all channels of it.</summary>
    public LinkChannel[] Channels => _channels.All;

    /// <summary>Gets whether this is the receiving thread, in the middle of a round.</summary>
    public bool IsOnLoop => Volatile.Read(ref _loopThread) == Environment.CurrentManagedThreadId;

    /// <summary>Connects to a broker.</summary>
    /// <exception cref="AmqpConnectionException">It cannot be reached, or refuses.</exception>
    public static async Task<Link> ConnectAsync(AmqpConnectionOptions options, BrokerEndpoint endpoint, CancellationToken cancellationToken)
    {
        LinkSocket socket;
        try
        {
            socket = await LinkConnector.ConnectAsync(options.Broker, endpoint, cancellationToken).ConfigureAwait(false);
        }
        catch (ConnectException e)
        {
            throw new AmqpConnectionException(e.Message, e.InnerException);
        }

        var received = new ReceiveBuffer();
        try
        {
            Agreement agreement = await Handshake.RunAsync(socket, received, options, cancellationToken).ConfigureAwait(false);
            var link = new Link(socket, received, agreement, options, endpoint);
            link._receiving = link.BeginReceiving();
            return link;
        }
        catch
        {
            socket.Dispose();
            received.Dispose();
            throw;
        }
    }

    /// <summary>Opens a channel.</summary>
    /// <param name="gate">Guards its send queue.</param>
    /// <param name="listener">Notified of its end.</param>
    /// <param name="publishing">Notified of the results of its messages.</param>
    /// <param name="deliveries">Notified of its deliveries.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="InvalidOperationException">There are as many channels as both sides agreed on.</exception>
    public async Task<LinkChannel> OpenChannelAsync(
        Lock gate, IChannelListener? listener, IPublishListener? publishing, IDeliveryListener? deliveries,
        CancellationToken cancellationToken)
    {
        LinkChannel channel = Add(number => new LinkChannel(this, number, gate, listener, publishing, deliveries), out TimeSpan pause);
        try
        {
            await Task.Delay(pause, cancellationToken).ConfigureAwait(false);
        }
        catch
        {
            // Only here: RabbitMQ closes the connection when a channel is closed that was not opened.
            channel.Finish(LinkChannel.ClosedByProgram());
            Forget(channel);
            throw;
        }

        try
        {
            await channel.OpenAsync(cancellationToken).ConfigureAwait(false);
            return channel;
        }
        catch
        {
            // The answer may still come. So the number stays taken, until the broker has closed the channel.
            _ = channel.CloseAsync(CancellationToken.None);
            throw;
        }
    }

    /// <summary>Opens a channel on which there are only calls.</summary>
    /// <inheritdoc cref="OpenChannelAsync(Lock, IChannelListener?, IPublishListener?, IDeliveryListener?, CancellationToken)"/>
    public Task<LinkChannel> OpenChannelAsync(CancellationToken cancellationToken) =>
        OpenChannelAsync(new Lock(), null, null, null, cancellationToken);

    /// <summary>
    /// Closes it: what has been written before is sent, and the broker answers. Afterwards it has ended, whatever happens.
    /// </summary>
    /// <param name="cancellationToken">Ends the wait for the broker.</param>
    public async Task CloseAsync(CancellationToken cancellationToken)
    {
        var end = new LinkEnd(
            new ObjectDisposedException(nameof(AmqpConnection), "The connection has been closed by the program."), IsByProgram: true);
        try
        {
            if (End is null)
            {
                // Lingering messages are sent before, because nothing follows.
                foreach (LinkChannel channel in _channels.All)
                {
                    channel.SendQueue.Flush(FrameWriting.Inline);
                }

                Volatile.Write(ref _closing, end);
                Post(0, new ConnectionClose { ReplyCode = ReplyCodes.Success, ReplyText = "" });
                await WaitToCloseAsync(_ended.Task, cancellationToken).ConfigureAwait(false);
            }
        }
        finally
        {
            Finish(end);
            await _receiving.WaitAsync(cancellationToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    /// <summary>
    /// Waits for an answer of the broker: as long as the options say, or only a moment while the broker blocks the connection, because it
    /// does not read requests then.
    /// </summary>
    /// <returns>Whether it has answered.</returns>
    public Task<bool> WaitAsync(Task answer, CancellationToken cancellationToken) =>
        answer.CameAsync(_options.CallTimeout, () => Blocked is not null, _options.Time, cancellationToken);

    /// <summary>Waits in the same way for the answer to a close, but no longer than for a connection.</summary>
    public Task WaitToCloseAsync(Task closed, CancellationToken cancellationToken) =>
        closed.CameAsync(_options.ConnectTimeout, () => Blocked is not null, _options.Time, cancellationToken);

    /// <summary>Ends when the broker takes messages again, or the link has ended.</summary>
    public Task UnblockedAsync(CancellationToken cancellationToken)
    {
        lock (_blocking)
        {
            if (_blocked is null)
            {
                return Task.CompletedTask;
            }

            _unblocked ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            return Task.WhenAny(_unblocked.Task, _ended.Task).WaitAsync(cancellationToken);
        }
    }

    /// <summary>Makes the error for an answer that does not come.</summary>
    /// <param name="method">What the broker was asked.</param>
    public AmqpConnectionException NoAnswer(MethodId method) => new(Blocked is { } reason
        ? $"The broker at {Endpoint} has not answered {method}: it accepts nothing on this connection for now ({reason}). Declare and " +
            "consume on another connection than the one that publishes, or wait until it accepts messages again."
        : $"The broker at {Endpoint} has not answered {method} within {_options.CallTimeout.TotalSeconds:0.###} s " +
            $"({nameof(AmqpConnectionOptions)}.{nameof(AmqpConnectionOptions.CallTimeout)}). It may or may not have carried it out.");

    /// <summary>The same, however long the broker takes.</summary>
    public ValueTask DisposeAsync() => new(CloseAsync(CancellationToken.None));

    /// <summary>Ends it at once.</summary>
    public void Abort(Exception error) => Finish(new LinkEnd(error, IsByProgram: true));

    /// <summary>Ends it because it does not work any more.</summary>
    public void Lose(Exception error) => Finish(new LinkEnd(
        error switch
        {
            AmqpConnectionException lost => lost,

            // The socket's own words.
            IOException => new AmqpConnectionException(error.Message, error),
            _ => new AmqpConnectionException($"The connection to {Endpoint} was lost: {error.Message}", error),
        },
        IsByProgram: false));

    /// <summary>Called when a channel has ended on both sides, although frames of it may still come.</summary>
    public void Forget(LinkChannel channel, bool isByBroker = false) => _channels.Free(channel, isByBroker);

    /// <summary>
    /// Notifies a listener when the broker accepts no messages any more, with its reason, or accepts them again, with null; and at once
    /// when it takes none now.
    /// </summary>
    public void WatchBlocked(Action<string?> changed)
    {
        lock (_blocking)
        {
            _blockedChanged = changed;
            if (_blocked is not null)
            {
                changed(_blocked);
            }
        }
    }

    /// <summary>Notifies a channel when everything that was received together has been handled. On the loop.</summary>
    public void AtEndOfRound(IRoundListener listener) => _atEndOfRound.Add(listener);

    private LinkChannel Add(Func<ushort, LinkChannel> make, out TimeSpan pause)
    {
        lock (_gate)
        {
            if (End is { } end)
            {
                throw LinkChannel.Ended(end);
            }

            return _channels.Add(make, out pause);
        }
    }

    private void Block(string? reason)
    {
        lock (_blocking)
        {
            Volatile.Write(ref _blocked, reason);
            if (reason is null)
            {
                _unblocked?.TrySetResult();
                _unblocked = null;
            }

            _blockedChanged?.Invoke(reason);
        }
    }

    private void Finish(LinkEnd end)
    {
        lock (_gate)
        {
            if (_end is not null)
            {
                return;
            }

            Volatile.Write(ref _end, end);
        }

        _heartbeats?.Dispose();
        _socket.Abort();
        Writer.Close();
        _completing.Close();
        Streaming.Close();
        _control.Close(end.Error);
        _calls.TryEnd(end);
        _calls.Fail(end);
        foreach (LinkChannel channel in _channels.All)
        {
            channel.Finish(end);
        }

        _ended.TrySetResult(end);

        // On the pool, so that continuations do not run on a thread that ends a link.
        _ = _gone.CancelAsync();
    }
}
