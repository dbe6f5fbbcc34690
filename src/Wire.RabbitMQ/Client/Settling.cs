using Wire.Transport.Pending;

namespace Wire.RabbitMQ.Client;

/// <summary>
/// Tells the broker what has become of the deliveries of a channel of RabbitMQ.Client, soon and many at a time. When the channel is gone it has ended for
/// good: what it is told later is ignored, because the broker delivers again what it was not told of. Thread-safe.
/// </summary>
internal sealed class Settling : IThreadPoolWorkItem, IDisposable
{
    private readonly Lock _gate = new();
    private readonly AckWindow _window;
    private readonly List<Notice> _notices = [];
    private readonly RawChannel _channel;
    private readonly Action<Exception> _failed;
    private readonly int _enough;
    private readonly TimeSpan _ackDelay;
    private readonly Timer _timer;
    private bool _timerIsSet;
    private bool _isTelling;
    private TaskCompletionSource? _told;
    private bool _hasEnded;

    public Settling(RawChannel channel, ushort prefetch, TimeSpan ackDelay, Action<Exception> failed)
    {
        _channel = channel;
        _failed = failed;
        _window = new AckWindow(prefetch);
        _ackDelay = ackDelay;

        // The broker sends more when it is told: early enough that it never waits, late enough that there is something to put together.
        _enough = ackDelay == TimeSpan.Zero ? 1 : Math.Max(1, prefetch / 4);
        _timer = new Timer(static state => ((Settling)state!).OnTimer(), this, Timeout.Infinite, Timeout.Infinite);
    }

    /// <summary>A delivery has come; false when nothing counts any more.</summary>
    /// <exception cref="InvalidOperationException">Something else consumes on the channel.</exception>
    public bool TryDeliver(ulong tag)
    {
        lock (_gate)
        {
            if (!_hasEnded)
            {
                _window.Deliver(tag);
            }

            return !_hasEnded;
        }
    }

    /// <summary>Tells the broker of a delivery, soon and together with others.</summary>
    public void Settle(ulong tag, Settlement settlement)
    {
        lock (_gate)
        {
            if (_hasEnded)
            {
                return;
            }

            _window.End(tag, settlement);
            if (_isTelling || _window.Ended == 0)
            {
                return;
            }

            if (!IsTimeToTell())
            {
                SetTimer();
                return;
            }

            _isTelling = true;
        }

        if (_enough == 1)
        {
            // The broker sends so few ahead that it waits for this.
            _ = TellAsync();
            return;
        }

        // Those that end until its turn comes go with it.
        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    /// <summary>Tells the broker of everything that it has not been told of.</summary>
    public async Task TellAllAsync()
    {
        while (true)
        {
            Task? underWay = null;
            lock (_gate)
            {
                if (_hasEnded || (!_isTelling && _window.Ended == 0))
                {
                    return;
                }

                if (_isTelling)
                {
                    underWay = (_told ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).Task;
                }

                _isTelling = true;
            }

            await (underWay ?? TellAsync()).ConfigureAwait(false);
        }
    }

    /// <summary>Tells the broker, on a thread of the pool.</summary>
    void IThreadPoolWorkItem.Execute() => _ = TellAsync();

    /// <summary>From now on nothing is told any more.</summary>
    public void Dispose()
    {
        TaskCompletionSource? told;
        lock (_gate)
        {
            _hasEnded = true;
            (told, _told) = (_told, null);
        }

        _timer.Dispose();
        told?.TrySetResult();
    }

    // Whoever calls this has set _isTelling: one at a time.
    private async Task TellAsync()
    {
        do
        {
            lock (_gate)
            {
                _notices.Clear();
                _window.Take(_notices);
            }

            try
            {
                foreach (Notice notice in _notices)
                {
                    await TellAsync(notice).ConfigureAwait(false);
                }
            }
            catch (Exception e)
            {
                // The channel is gone, or is as good as that: the broker delivers again what it was not told of.
                _failed(e);
            }
        }
        while (!IsDone());
    }

    private ValueTask TellAsync(Notice notice) => notice.Settlement == Settlement.Ack
        ? _channel.AckAsync(notice.Tag, notice.Multiple)
        : _channel.RejectAsync(notice.Tag, requeue: notice.Settlement == Settlement.Requeue);

    private bool IsDone()
    {
        TaskCompletionSource? told;
        lock (_gate)
        {
            if (!_hasEnded && _window.Ended > 0)
            {
                if (IsTimeToTell())
                {
                    return false;
                }

                SetTimer();
            }

            _isTelling = false;
            (told, _told) = (_told, null);
        }

        told?.TrySetResult();
        return true;
    }

    private bool IsTimeToTell() => _window.Ended >= _enough || _window.Open == 0;

    private void SetTimer()
    {
        if (!_timerIsSet)
        {
            _timerIsSet = true;
            _timer.Change(_ackDelay, Timeout.InfiniteTimeSpan);
        }
    }

    private void OnTimer()
    {
        lock (_gate)
        {
            _timerIsSet = false;
            if (_hasEnded || _isTelling || _window.Ended == 0)
            {
                return;
            }

            _isTelling = true;
        }

        _ = TellAsync();
    }
}
