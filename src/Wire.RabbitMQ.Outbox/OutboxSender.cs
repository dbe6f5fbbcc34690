using System.Data.Common;
using System.Diagnostics;
using Microsoft.Extensions.Logging;
using Wire.RabbitMQ.Diagnostics;
using Wire.RabbitMQ.Outbox.Sending;

namespace Wire.RabbitMQ.Outbox;

/// <summary>
/// Sends the messages of an outbox: claims those that are due, publishes them, and deletes those that the broker has confirmed. Also
/// deletes what is old in the inbox. Several may run beside each other, in one or many processes. Thread-safe.
/// </summary>
/// <remarks>
/// A message is sent at least once. It is sent again, with the same id, when its confirm was not noted: since the process, the broker or
/// the database has failed in between. One that the broker refuses is tried again for ever, with growing pauses: <see
/// cref="OutboxMessage.Attempts"/> and <see cref="OutboxMessage.LastError"/> say so, and the log. Only others with its ordering key wait
/// for it. While the broker is away, attempts are not counted.
/// </remarks>
public sealed class OutboxSender : IAsyncDisposable
{
    private const int MaxBatches = 4;
    private const int PurgedAtOnce = 1000;
    private static readonly TimeSpan PurgeInterval = TimeSpan.FromMinutes(1);

    // For a database that does not answer, when the time for stopping is over.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(5);

    private readonly OutboxStore _store;
    private readonly WirePublisher _publisher;
    private readonly OutboxSenderOptions _options;
    private readonly ILogger _logger;
    private readonly Signal _signal = new();
    private readonly SemaphoreSlim _room = new(MaxBatches);

    // Neither has a timer, so that they need not be disposed of.
    private readonly CancellationTokenSource _stop = new();
    private readonly CancellationTokenSource _enough = new();
    private Task? _running;
    private volatile bool _isOut;
    private long _purged;

    /// <summary>Makes a sender. It sends when it has been started, or by <see cref="SendAsync"/>.</summary>
    /// <param name="store">The database.</param>
    /// <param name="publisher">
    /// The publisher, which stays the caller's: dispose of it after the sender. Its conventions have to be those of the outbox.
    /// </param>
    /// <param name="options">The options; the defaults when left out.</param>
    /// <param name="logger">Called for messages that are not sent, and for failures of the database; no one when left out.</param>
    public OutboxSender(
        OutboxStore store, WirePublisher publisher, OutboxSenderOptions? options = null, ILogger<OutboxSender>? logger = null)
    {
        ArgumentNullException.ThrowIfNull(store);
        ArgumentNullException.ThrowIfNull(publisher);
        _store = store;
        _publisher = publisher;
        _options = options ?? new OutboxSenderOptions();
        _logger = SafeLogger.Wrap(logger);
    }

    /// <summary>Begins to send in the background: at once, when the store is woken, and at intervals.</summary>
    /// <exception cref="InvalidOperationException">It has been started before.</exception>
    public void Start()
    {
        var started = new TaskCompletionSource();
        if (Interlocked.CompareExchange(ref _running, started.Task, null) is not null)
        {
            throw new InvalidOperationException("The sender has been started before: make another one to start again.");
        }

        _store.Woken += _signal.Set;
        _ = Task.Run(async () =>
        {
            await RunAsync().ConfigureAwait(false);
            _store.Woken -= _signal.Set;
            started.SetResult();
        });
    }

    /// <summary>
    /// Sends what is due by now, claims no more messages, and waits for those that are in flight. Does nothing when it has not been
    /// started.
    /// </summary>
    /// <param name="cancellationToken">
    /// Ends the wait, 5 s later at most: what is not confirmed then stays in the outbox, and may have arrived.
    /// </param>
    public async Task StopAsync(CancellationToken cancellationToken = default)
    {
        await _stop.CancelAsync().ConfigureAwait(false);
        using CancellationTokenRegistration enough =
            cancellationToken.UnsafeRegister(static source => ((CancellationTokenSource)source!).Cancel(), _enough);
        using var late = new CancellationTokenSource();
        using CancellationTokenRegistration patience = cancellationToken.UnsafeRegister(
            static source => ((CancellationTokenSource)source!).CancelAfter(Patience), late);
        Task running = _running ?? Task.CompletedTask;
        await running.WaitAsync(late.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (!running.IsCompleted)
        {
            SenderLog.Abandoned(_logger, Patience.TotalSeconds);
        }
    }

    /// <summary>
    /// Stops it, and waits for the messages that are in flight, half of <see cref="OutboxSenderOptions.ClaimTime"/> at most.
    /// </summary>
    public ValueTask DisposeAsync() => new(StopAsync(CancellationToken.None));

    /// <summary>Sends the messages that are due, without being started: for programs that send at times of their own.</summary>
    /// <param name="cancellationToken">Ends the attempt: what is not confirmed then stays in the outbox.</param>
    /// <returns>The number of messages that the broker has confirmed. It ends when none is due, or none reaches the broker.</returns>
    /// <exception cref="DbException">The database refuses, or is not reached.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public async Task<int> SendAsync(CancellationToken cancellationToken = default)
    {
        int sent = 0;
        while (await ClaimAsync(cancellationToken).ConfigureAwait(false) is { } batch)
        {
            await PublishAsync(batch, cancellationToken).ConfigureAwait(false);
            await FinishAsync(batch).ConfigureAwait(false);
            sent += batch.Sent.Count;
            cancellationToken.ThrowIfCancellationRequested();
            if (batch.Outage is not null)
            {
                break;
            }
        }

        return sent;
    }

    private async Task RunAsync()
    {
        while (!_stop.IsCancellationRequested)
        {
            bool hasMore = false;
            try
            {
                hasMore = await BeginAsync(_stop.Token).ConfigureAwait(false);
                await TryPurgeAsync(_stop.Token).ConfigureAwait(false);
                if (_isOut)
                {
                    await Task.Delay(_options.PollInterval, _stop.Token).ConfigureAwait(false);
                }
                else if (!hasMore)
                {
                    await _signal.WaitAsync(_options.PollInterval, _stop.Token).ConfigureAwait(false);
                }
            }
            catch (Exception) when (_stop.IsCancellationRequested)
            {
                // A database that is given up may say anything.
                break;
            }
            catch (Exception e)
            {
                SenderLog.DatabaseFailed(_logger, _options.PollInterval.TotalSeconds, e);
                await Task.Delay(_options.PollInterval, _stop.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            }
        }

        try
        {
            // What handlers have added at the end.
            while (!_isOut && !_enough.IsCancellationRequested && await BeginAsync(_enough.Token).ConfigureAwait(false))
            {
            }
        }
        catch (Exception e)
        {
            SenderLog.LeftForLater(_logger, e);
        }

        for (int i = 0; i < MaxBatches; i++)
        {
            await _room.WaitAsync().ConfigureAwait(false);
        }
    }

    // Whether there may be more that is due.
    private async Task<bool> BeginAsync(CancellationToken cancellationToken)
    {
        await _room.WaitAsync(cancellationToken).ConfigureAwait(false);
        OutboxBatch? batch = null;
        try
        {
            batch = await ClaimAsync(cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            if (batch is null)
            {
                _room.Release();
            }
        }

        if (batch is not null)
        {
            _ = RunAsync(batch);
        }

        return batch?.Count == _options.BatchSize;
    }

    private async Task RunAsync(OutboxBatch batch)
    {
        try
        {
            await PublishAsync(batch, _enough.Token).ConfigureAwait(false);
            await FinishAsync(batch).ConfigureAwait(false);
            if (batch.HasOrder)
            {
                _signal.Set();
            }
        }
        catch (Exception e)
        {
            SenderLog.NotDeleted(_logger, batch.Sent.Count, e);
        }
        finally
        {
            _room.Release();
        }
    }

    private async Task<OutboxBatch?> ClaimAsync(CancellationToken cancellationToken)
    {
        string claim = Guid.NewGuid().ToString("N");
        OutboxMessage[] messages = await _store.InTransactionAsync(
            transaction => _store.Outbox.ClaimAsync(transaction, claim, _options.ClaimTime, _options.BatchSize, cancellationToken),
            cancellationToken).ConfigureAwait(false);
        return messages.Length == 0 ? null : new OutboxBatch(_publisher, claim, messages);
    }

    private async Task PublishAsync(OutboxBatch batch, CancellationToken cancellationToken)
    {
        // The other half is for what has to be noted: then the messages are due to others.
        using var time = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        time.CancelAfter(_options.ClaimTime / 2);
        await batch.SendAsync(time.Token, cancellationToken).ConfigureAwait(false);
        if (batch.Outage is { } outage)
        {
            if (!_isOut)
            {
                SenderLog.Out(_logger, outage);
            }

            _isOut = true;
        }
        else if (_isOut && batch.Sent.Count > 0)
        {
            _isOut = false;
            SenderLog.Back(_logger);
        }
    }

    // By itself, so that what cannot be noted of others has none sent again.
    private async Task FinishAsync(OutboxBatch batch)
    {
        if (batch.Sent.Count > 0)
        {
            await _store.InTransactionAsync(
                transaction => _store.Outbox.DeleteAsync(transaction, Ids(batch.Sent), CancellationToken.None), CancellationToken.None)
                .ConfigureAwait(false);
        }

        if (batch.Failed.Count > 0 || batch.Left.Count > 0)
        {
            await _store.InTransactionAsync(transaction => NoteAsync(transaction, batch), CancellationToken.None).ConfigureAwait(false);
        }
    }

    private async Task NoteAsync(DbTransaction transaction, OutboxBatch batch)
    {
        foreach ((OutboxMessage message, Exception reason) in batch.Failed)
        {
            TimeSpan pause = _options.PauseAfter(message.Attempts);
            SenderLog.NotSent(_logger, message.MessageId, message.Id, message.Attempts + 1, pause.TotalSeconds, reason.Message);
            await _store.Outbox.FailAsync(transaction, batch.Claim, message.Id, reason.Message, pause, CancellationToken.None)
                .ConfigureAwait(false);
        }

        if (batch.Left.Count > 0)
        {
            await _store.Outbox.ReleaseAsync(transaction, batch.Claim, Ids(batch.Left), CancellationToken.None).ConfigureAwait(false);
        }
    }

    private static IEnumerable<long> Ids(IEnumerable<OutboxMessage> messages) => messages.Select(message => message.Id);

    // Messages go out whatever becomes of the inbox.
    private async Task TryPurgeAsync(CancellationToken cancellationToken)
    {
        try
        {
            await PurgeAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e) when (!cancellationToken.IsCancellationRequested)
        {
            _purged = Stopwatch.GetTimestamp();
            SenderLog.NotPurged(_logger, PurgeInterval.TotalSeconds, e);
        }
    }

    private async Task PurgeAsync(CancellationToken cancellationToken)
    {
        if (_options.InboxRetention is not { } retention || (_purged != 0 && Stopwatch.GetElapsedTime(_purged) < PurgeInterval))
        {
            return;
        }

        int deleted = await _store.InTransactionAsync(
            async transaction =>
            {
                // So that two senders do not wait for each other's rows.
                await _store.Outbox.LockAsync(transaction, cancellationToken).ConfigureAwait(false);
                return await _store.Inbox.PurgeAsync(transaction, retention, PurgedAtOnce, cancellationToken).ConfigureAwait(false);
            },
            cancellationToken).ConfigureAwait(false);

        // Where there is more, it is for the next time: messages are not to wait for all of it.
        if (deleted < PurgedAtOnce)
        {
            _purged = Stopwatch.GetTimestamp();
        }
    }
}
