using System.Diagnostics;
using Wire.Amqp.Client.Connections;
using Wire.Amqp.Client.Consuming;
using Wire.Amqp.Client.Diagnostics;
using Wire.Amqp.Client.Publishing;

namespace Wire.Amqp.Client.Channels;

/// <summary>
/// The implementation of an <see cref="AmqpChannel"/>: a channel on one link after another. It hands each <see cref="ChannelSession"/> to
/// its publisher and its consumers, and ends once, permanently.
/// </summary>
internal sealed class RecoveringChannel
{
    private readonly AmqpConnection _connection;
    private readonly AmqpChannelOptions _options;
    private readonly Reopening _reopening;
    private ChannelSession? _session;
    private LinkEnd? _end;

    private readonly TaskCompletionSource _completion = new(TaskCreationOptions.RunContinuationsAsynchronously);

    // Ends when the broker does not block the link any more that it could not be opened on for that, or with the link.
    private Task _unblocked = Task.CompletedTask;

    // Ends when there is a session again, or there will be none.
    private TaskCompletionSource? _nextSession;

    public RecoveringChannel(AmqpConnection connection, AmqpChannelOptions options)
    {
        _connection = connection;
        _options = options;
        _reopening = new Reopening(this, connection);
        Publisher = new Publisher(this, connection.Options, options, connection.Suspects);
        Consumers = new ConsumerSet(this, connection.Topology, options);
        Telemetry = options.HasTelemetry ? new ChannelTelemetry(connection) : null;
    }

    /// <summary>Gets the time within which the broker answers, or a call fails.</summary>
    public TimeSpan CallTimeout => _connection.Options.CallTimeout;

    /// <summary>Called when it is lost and begins to recover.</summary>
    public event Action<Exception>? Lost;

    /// <summary>Called once, when it has ended permanently.</summary>
    public event Action<Exception?>? Closed;

    /// <summary>Called for each returned message, on the receive loop.</summary>
    public event Action<AmqpDelivery>? Returned;

    /// <summary>The turn of the channel: guards writing, waiting messages, and the session.</summary>
    public Lock Gate { get; } = new();

    /// <summary>Gets the options that it was opened with.</summary>
    public AmqpChannelOptions Options => _options;

    /// <summary>Its publisher.</summary>
    public Publisher Publisher { get; }

    /// <summary>Its consumers.</summary>
    public ConsumerSet Consumers { get; }

    /// <summary>Gets what tells of its messages; null where the program's own library does.</summary>
    public ChannelTelemetry? Telemetry { get; }

    /// <summary>Ends when it has ended permanently.</summary>
    public Task Completion => _completion.Task;

    /// <summary>
    /// Gets the reason why there is no session: of the connection, or of the channel alone. Null where that is not known.
    /// </summary>
    public Exception? WhyDown => _connection.Error ?? _reopening.Why;

    /// <summary>Gets whether it can be used: it is open, or the connection is being recovered.</summary>
    /// <remarks>True also while the end of its session has not been processed here, although a failed call may have reported it.</remarks>
    public bool IsOpen => Volatile.Read(ref _end) is null && (Session?.Channel.End is not { } end || CanRecoverFrom(end));

    /// <summary>Gets the channel of the current link; null when there is none.</summary>
    public ChannelSession? Session => Volatile.Read(ref _session);

    /// <summary>Opens it on a link.</summary>
    public async Task OpenAsync(Link link, CancellationToken cancellationToken) =>
        Use(await NewSessionAsync(link, cancellationToken).ConfigureAwait(false));

    /// <summary>
    /// Opens it again, on the link after the one that was lost. Where a queue of its consumers is not available yet, or the broker blocks
    /// the link, that goes on when this has ended: neither is a reason to lose the link, or to keep others waiting.
    /// </summary>
    public async Task RestoreAsync(Link link, CancellationToken cancellationToken)
    {
        // On the link before.
        await _reopening.Ended.ConfigureAwait(false);
        if (!MayRestoreAsync(link.Gone).IsCompleted || !await TryRestoreAsync(link, cancellationToken).ConfigureAwait(false))
        {
            _reopening.Start(link, null);
        }
    }

    /// <summary>Ends when it is time to open it: the broker listens, and has the queues, which consumers need.</summary>
    public async Task MayRestoreAsync(CancellationToken cancellationToken)
    {
        await _unblocked.ConfigureAwait(false);
        if (Consumers.All.Count != 0)
        {
            await _connection.Declared.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Waits for the channel of a link: calls wait for the connection to recover, as publishes do.</summary>
    public async ValueTask<ChannelSession> SessionAsync(CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        while (true)
        {
            Task next;
            lock (Gate)
            {
                ThrowIfClosed();
                if (_session is { } session)
                {
                    return session;
                }

                next = (_nextSession ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).Task;
            }

            await next.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    /// <inheritdoc cref="SessionAsync"/>
    public async ValueTask<LinkChannel> ChannelAsync(CancellationToken cancellationToken) =>
        (await SessionAsync(cancellationToken).ConfigureAwait(false)).Channel;

    /// <summary>Closes it for the program: what has been written before is sent, and then the broker's answer is awaited.</summary>
    /// <param name="cancellationToken">Ends the wait for the broker.</param>
    public async ValueTask CloseAsync(CancellationToken cancellationToken)
    {
        // First, so that a session that is being opened right now is not used any more.
        var end =
            new LinkEnd(new ObjectDisposedException(nameof(AmqpChannel), "The channel has been closed by the program."), IsByProgram: true);
        _connection.Forget(this);
        Finish(end);
        ChannelSession? session;
        lock (Gate)
        {
            session = _session;
        }

        if (session is not null)
        {
            await session.Channel.CloseAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Called when a session of it has ended.</summary>
    public void SessionEnded(ChannelSession session, LinkEnd end)
    {
        bool comesBack = CanRecoverFrom(end);
        bool isInUse;
        lock (Gate)
        {
            // A session that is being opened fails by itself.
            isInUse = _session == session;
            if (isInUse)
            {
                _session = null;
            }
        }

        Publisher.SessionEnded(session, end, comesBack);
        if (isInUse)
        {
            Follow(session, end);
        }
    }

    /// <summary>Tells the program of something that has not come back yet.</summary>
    public void ReportFailure(Exception error) => _reopening.Report(error);

    /// <summary>Ends it permanently; the connection continues.</summary>
    public void Close(LinkEnd end)
    {
        // In this order: the connection does not take over what has ended.
        Finish(end);
        _connection.Forget(this);
    }

    /// <summary>Ends it permanently.</summary>
    public void Finish(LinkEnd end)
    {
        bool isFirst;
        lock (Gate)
        {
            isFirst = _end is null;
            _end ??= end;
        }

        Publisher.Finish(end);
        SessionMayHaveCome();
        Consumers.EndAll(end);
        end.Complete(_completion);
        if (isFirst && Closed is { } listeners)
        {
            _connection.QueueEvent(() => listeners(end.Reason));
        }
    }

    /// <summary>Handles a returned message. On the receive loop.</summary>
    public void Return(AmqpDelivery message)
    {
        try
        {
            Returned?.Invoke(message);
        }
        catch (Exception e)
        {
            Trace.TraceError($"A handler of {nameof(AmqpChannel)}.{nameof(AmqpChannel.Returned)} has thrown: {e}");
        }

        message.EndHandler();
    }

    /// <summary>Returns whether another session follows after such an end.</summary>
    public bool CanRecoverFrom(LinkEnd end) => !end.IsByProgram && end.Error switch
    {
        AmqpConnectionException => _connection.Options.Recovery.IsEnabled && !_options.EndsWithConnection,
        AmqpChannelException => _options.Reopens,
        _ => false,
    };

    /// <summary>Throws when it has ended.</summary>
    public void ThrowIfClosed()
    {
        Debug.Assert(Gate.IsHeldByCurrentThread, "The end is guarded by the gate.");
        if (_end is { } end)
        {
            throw LinkChannel.Ended(end);
        }
    }

    /// <summary>Opens it on a link.</summary>
    /// <returns>False where the queue of a consumer is not available yet, or the broker blocks the link.</returns>
    public async Task<bool> TryRestoreAsync(Link link, CancellationToken cancellationToken)
    {
        try
        {
            return await TryOpenAsync(link, cancellationToken).ConfigureAwait(false);
        }
        catch (AmqpConnectionException) when (link is { End: null, Blocked: not null })
        {
            // Caused by messages of another channel.
            _unblocked = link.UnblockedAsync(CancellationToken.None);
            return false;
        }
    }

    private async Task<bool> TryOpenAsync(Link link, CancellationToken cancellationToken)
    {
        while (IsOpen)
        {
            if (Consumers.All.Count != 0)
            {
                // What has deleted itself meanwhile.
                await _connection.DeclareAsync(link, cancellationToken).ConfigureAwait(false);
            }

            ChannelSession session = await NewSessionAsync(link, cancellationToken).ConfigureAwait(false);
            ConsumersRestored restored;
            try
            {
                restored = await Consumers.RestoreAsync(session, cancellationToken).ConfigureAwait(false);
            }
            catch
            {
                // Another one may follow on the same link, and deliveries of this one would have no owner.
                _ = session.Channel.CloseAsync(CancellationToken.None);
                Consumers.TakeBackQueues(session);
                throw;
            }

            if (restored == ConsumersRestored.All)
            {
                Use(session);
                return true;
            }

            Consumers.TakeBackQueues(session);
            if (restored == ConsumersRestored.OneWaits)
            {
                return false;
            }
        }

        return true;
    }

    // Decides what follows a session. If the link has ended, the connection opens the channel on the next one.
    private void Follow(ChannelSession session, LinkEnd end)
    {
        // Those of the plugin are counted by it.
        if (!end.IsByProgram && Telemetry is not null)
        {
            ClientTelemetry.Count(ClientTelemetry.ChannelsLost, session.Channel.Link.Endpoint, end.Error);
        }

        if (!CanRecoverFrom(end))
        {
            Close(end);
            return;
        }

        if (Lost is { } listeners)
        {
            _connection.QueueEvent(() => listeners(end.Error));
        }

        if (end.Error is AmqpChannelException)
        {
            Consumers.TakeBackQueues(session);
            _reopening.Start(session.Channel.Link, end);
        }
    }

    private Task<ChannelSession> NewSessionAsync(Link link, CancellationToken cancellationToken) =>
        ChannelSession.OpenAsync(link, this, _options, cancellationToken);

    private void Use(ChannelSession session)
    {
        bool isWanted;
        LinkEnd? end;
        lock (Gate)
        {
            isWanted = _end is null;
            end = session.Channel.End;
            if (isWanted && end is null)
            {
                _session = session;
            }
        }

        if (!isWanted)
        {
            // Disposed of meanwhile.
            _ = session.Channel.CloseAsync(CancellationToken.None);
            return;
        }

        if (end is not null)
        {
            // When that was reported, it was not in use yet.
            Follow(session, end);
            return;
        }

        SessionMayHaveCome();
        Publisher.SessionBegan();
        Publisher.RoomMade();
    }

    private void SessionMayHaveCome()
    {
        TaskCompletionSource? next;
        lock (Gate)
        {
            (next, _nextSession) = (_nextSession, null);
        }

        next?.TrySetResult();
    }
}
