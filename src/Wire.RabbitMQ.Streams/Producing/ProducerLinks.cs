using System.Diagnostics.CodeAnalysis;
using Wire.RabbitMQ.Streams.Links;
using Wire.RabbitMQ.Streams.Protocol;
using Wire.Transport;
using Wire.Transport.Recovery;

namespace Wire.RabbitMQ.Streams.Producing;

/// <summary>The recovery of a producer from one link to the next, until it is closed or gives up. Thread-safe.</summary>
/// <remarks>Its own gate is taken before that of the <see cref="Publisher"/>, never after it.</remarks>
[SuppressMessage("Design", "CA1001", Justification = "The source of its token has no timer, and is cancelled when it is closed.")]
internal sealed class ProducerLinks
{
    private readonly Lock _gate = new();
    private readonly StreamClient _client;
    private readonly string _stream;
    private readonly StreamProducerOptions _options;
    private readonly Reconnector _reconnector;
    private readonly CancellationTokenSource _closed = new();

    // Fires when closing has timed out.
    private readonly CancellationTokenSource _hurried = new();
    private Task _recovery = Task.CompletedTask;
    private Task? _closing;
    private Exception? _interruption;

    // The session of a producer that has ended by itself: its link is returned when the producer is closed.
    private ProducerSession? _retired;

    public ProducerLinks(StreamClient client, string stream, StreamProducerOptions options)
    {
        _client = client;
        _stream = stream;
        _options = options;
        _reconnector = new Reconnector(client.Options.Recovery, StreamConnectionException.IsRefusal);
        Publisher = new Publisher(
            stream,
            options,
            (what, e) => Close(new InvalidOperationException($"{what} has thrown: {e.Message}", e)));
    }

    /// <summary>The publisher that sends on them.</summary>
    public Publisher Publisher { get; }

    /// <summary>
    /// Gets the reason for having no session at the moment, or never again; null otherwise. Takes no lock, because the serializer of a
    /// message may read it.
    /// </summary>
    public Exception? Interruption => Publisher.Reason ?? Volatile.Read(ref _interruption);

    /// <summary>Ends when it has recovered, or has given up.</summary>
    public Task Recovering
    {
        get
        {
            lock (_gate)
            {
                return _recovery;
            }
        }
    }

    /// <summary>Begins a session: on the node with the stream's leader.</summary>
    public async Task ConnectAsync(bool isFirst, CancellationToken cancellationToken)
    {
        StreamLink link = await _client.Links.RentAsync(_stream, LinkUse.Publish, cancellationToken).ConfigureAwait(false);
        var session = new ProducerSession(this, Publisher, link);
        try
        {
            session.Number = await link.AddPublisherAsync(session, _stream, _options.Name, cancellationToken).ConfigureAwait(false);
            ulong sequence = 0;
            if (isFirst)
            {
                sequence = await QuerySequenceAsync(link, cancellationToken).ConfigureAwait(false);
                _reconnector.StartClock();
            }

            lock (_gate)
            {
                Publisher.Attach(session, sequence);
                Volatile.Write(ref _interruption, null);
            }

            session.Wake();
        }
        catch
        {
            await RemoveAsync(session, CancellationToken.None).ConfigureAwait(false);
            await _client.Links.ReturnAsync(link, CancellationToken.None).ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>A session has ended.</summary>
    public void Ended(ProducerSession session, Exception reason)
    {
        lock (_gate)
        {
            if (!Publisher.TryLeave(session, reason))
            {
                return;
            }

            Volatile.Write(ref _interruption, reason);
            if (_closed.IsCancellationRequested)
            {
                _retired ??= session;
            }
            else
            {
                Task before = _recovery;
                _recovery = Task.Run(() => RecoverAsync(before, session, reason));
            }
        }
    }

    /// <summary>Sends the written messages and waits for their confirms, within a time, and then ends.</summary>
    /// <param name="cancellationToken">The while is over.</param>
    /// <exception cref="StreamPublishException">Messages without an awaiting caller have been lost since the last flush.</exception>
    public Task CloseAsync(CancellationToken cancellationToken)
    {
        Publisher.Close();
        Task closing;
        lock (_gate)
        {
            closing = _closing ??= Task.Run(CloseOnceAsync, CancellationToken.None);
        }

        EndWhereGone();
        return cancellationToken.CanBeCanceled ? HurryAsync(closing, cancellationToken) : closing;
    }

    // The broker's last publishing id for its name; 0 if it has none.
    private async Task<ulong> QuerySequenceAsync(StreamLink link, CancellationToken cancellationToken) => _options.Name is null
        ? 0
        : (await link.DemandAsync<QueryPublisherSequence, Number<ulong>>(
            new QueryPublisherSequence { Reference = _options.Name, Stream = _stream },
            $"to say what '{_stream}' has of the producer '{_options.Name}'",
            cancellationToken).ConfigureAwait(false)).Value;

    private async Task RecoverAsync(Task before, ProducerSession lost, Exception reason)
    {
        // The loss of the previous session may still be being reported, and until that is idle the sender may read the state that changes
        // now.
        await before.ConfigureAwait(false);
        await lost.WaitForIdleAsync().ConfigureAwait(false);
        await _client.Links.ReturnAsync(lost.Link).ConfigureAwait(false);
        RecoveryOptions recovery = _client.Options.Recovery;
        bool isClosed = _client.Links.IsClosed;
        if (isClosed || !recovery.IsEnabled)
        {
            Close(isClosed
                ? new ObjectDisposedException(nameof(StreamClient), "The client has been disposed of before its producer.")
                : reason);
            return;
        }

        if (_options.Name is null && !recovery.ResendUnconfirmed)
        {
            Publisher.FailSent(reason);
        }

        Report(0, reason);
        try
        {
            await _reconnector.RunAsync(RecoverAsync, IsPassing, Report, _closed.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (_closed.IsCancellationRequested)
        {
            // It has been closed, or has ended, during recovery.
        }
        catch (Exception e)
        {
            Close(e);
        }
    }

    private async Task<bool> RecoverAsync(CancellationToken cancellationToken)
    {
        await ConnectAsync(isFirst: false, cancellationToken).ConfigureAwait(false);
        return true;
    }

    // The stream may be created again, and the node may return.
    private static bool IsPassing(Exception e) => e is StreamException or IOException or TimeoutException;

    private void Report(int attempt, Exception? why)
    {
        if (why is not null)
        {
            Volatile.Write(ref _interruption, why);
            EndWhereGone();
        }

        if (!_client.Links.IsClosed)
        {
            _client.Options.ReportRecovery(new StreamRecovery(_stream, _options.Name, isProducer: true, attempt, why));
        }
    }

    private void Close(Exception reason)
    {
        lock (_gate)
        {
            if (!Publisher.TryEnd(reason, out ProducerSession? session))
            {
                return;
            }

            _retired ??= session;
        }

        // A search for its stream is no longer needed.
        _closed.Cancel();
    }

    // A producer that is being closed does not wait for the re-creation of its stream.
    private void EndWhereGone()
    {
        Exception? why;
        lock (_gate)
        {
            why = _closing is null ? null : _interruption;
        }

        if (why is StreamException { Code: StreamResponseCode.StreamDoesNotExist or StreamResponseCode.AccessRefused })
        {
            Close(why);
        }
    }

    private async Task HurryAsync(Task closing, CancellationToken cancellationToken)
    {
        using CancellationTokenRegistration hurry = cancellationToken.UnsafeRegister(
            static source => _ = ((CancellationTokenSource)source!).CancelAsync(), _hurried);
        await closing.ConfigureAwait(false);
    }

    private async Task CloseOnceAsync()
    {
        // One time-out for everything: a broker that does not answer one request does not answer the next.
        using var time = CancellationTokenSource.CreateLinkedTokenSource(_hurried.Token);
        time.CancelAfter(_client.Options.Timeout);

        // The rest fails with an error.
        bool isFlushed = await TryWaitAsync(Publisher.Flush(), time.Token).ConfigureAwait(false);
        await _closed.CancelAsync().ConfigureAwait(false);
        bool isIdle = await TryWaitAsync(Recovering, time.Token).ConfigureAwait(false);
        Close(new ObjectDisposedException(nameof(StreamProducer), $"The producer of '{_stream}' has been closed."));
        if (_retired is { } session)
        {
            if (isFlushed)
            {
                await RemoveAsync(session, time.Token).ConfigureAwait(false);
            }
            else if (session.Link.Sending is var sending && sending > _client.Options.Timeout / 2)
            {
                // Further frames would not be read either.
                session.Link.Abort(
                    $"nothing could be sent on it for {sending.TotalSeconds:0.#} s, when the producer of '{_stream}' was to be closed");
                await session.Link.Ended.ConfigureAwait(false);
            }
            else if (!session.HasEnded)
            {
                await DeleteAsync(session, time.Token).ConfigureAwait(false);
            }

            // A broker that reads slowly lets the sender wait in the middle of a frame.
            isIdle &= await TryWaitAsync(session.WaitForIdleAsync(), time.Token).ConfigureAwait(false);
            await _client.Links.ReturnAsync(session.Link, time.Token).ConfigureAwait(false);
        }

        await TryWaitAsync(Publisher.Outcomes.WaitAsync().WaitAsync(_client.Options.Timeout), _hurried.Token).ConfigureAwait(false);
        await Publisher.ReleaseAsync(isIdle).ConfigureAwait(false);
        Publisher.Outcomes.ThrowUntold();
    }

    private static async Task<bool> TryWaitAsync(Task task, CancellationToken time)
    {
        try
        {
            await task.WaitAsync(time).ConfigureAwait(false);
            return true;
        }
        catch (Exception e) when (e is TimeoutException or OperationCanceledException)
        {
            return false;
        }
    }

    private static async Task RemoveAsync(ProducerSession session, CancellationToken cancellationToken)
    {
        try
        {
            await session.Link.RemovePublisherAsync(session.Number, session, cancellationToken).ConfigureAwait(false);

            // The sender does not report it again.
            session.SetIdle();
        }
        catch (Exception e) when (e is IOException or TimeoutException or OperationCanceledException)
        {
            // The publisher has ended with the link; and heartbeats detect a broker that does not answer.
        }
    }

    // Confirms may still arrive, so the number is not reused on this link: they would be taken for another publisher's.
    private static async Task DeleteAsync(ProducerSession session, CancellationToken cancellationToken)
    {
        try
        {
            var request = new DeletePublisher { PublisherId = session.Number };
            await session.Link.AskAsync<DeletePublisher, Nothing>(request, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e) when (e is IOException or TimeoutException or OperationCanceledException)
        {
            // As above.
        }
    }
}
