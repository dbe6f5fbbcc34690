using Microsoft.Extensions.Logging;
using RabbitMQ.Client.Events;
using Wire.Amqp.Client.Consuming;
using Wire.RabbitMQ.Connections;

namespace Wire.RabbitMQ.Consuming;

/// <summary>
/// The consumption of a queue on one channel: takes what is delivered, and tells the broker what became of it. When the channel or the consumer is gone,
/// for whatever reason, it has ended for good: what it is told later is ignored, because the broker delivers again what it was not told of.
/// </summary>
/// <remarks>The channel calls it on the thread that receives, which it never keeps waiting.</remarks>
internal sealed class Subscription : IBrokerChannelEvents, IThreadPoolWorkItem, IDisposable
{
    private readonly Lock _gate = new();
    private readonly AckWindow _window;
    private readonly List<Notice> _notices = [];
    private readonly TaskCompletionSource<string> _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly MessagePump _pump;
    private readonly ILogger _logger;
    private readonly int _enough;
    private readonly TimeSpan _ackDelay;
    private readonly Timer _timer;
    private bool _timerIsSet;
    private bool _isTelling;
    private TaskCompletionSource? _told;
    private volatile bool _hasEnded;

    public Subscription(IBrokerChannel channel, MessagePump pump, ushort prefetch, TimeSpan ackDelay, ILogger logger)
    {
        Channel = channel;
        _pump = pump;
        _logger = logger;
        _window = new AckWindow(prefetch);
        _ackDelay = ackDelay;

        // The broker sends more when it is told: early enough that it never waits, late enough that there is something to put together.
        _enough = ackDelay == TimeSpan.Zero ? 1 : Math.Max(1, prefetch / 4);
        _timer = new Timer(static state => ((Subscription)state!).OnTimer(), this, Timeout.Infinite, Timeout.Infinite);
        channel.Listen(this);
    }

    /// <summary>The channel, which is this subscription's alone.</summary>
    public IBrokerChannel Channel { get; }

    /// <summary>Whether it has ended.</summary>
    public bool HasEnded => _hasEnded;

    /// <summary>Ends when the subscription has, with the reason.</summary>
    public Task<string> Ended => _ended.Task;

    /// <summary>Whether anything has been delivered.</summary>
    public bool HasDelivered { get; private set; }

    void IBrokerChannelEvents.Delivered(in Incoming incoming)
    {
        try
        {
            lock (_gate)
            {
                if (_hasEnded)
                {
                    return;
                }

                _window.Deliver(incoming.Tag);
                HasDelivered = true;
            }

            _pump.Add(this, in incoming);
        }
        catch (Exception e) when (e is OutOfMemoryException or InvalidOperationException)
        {
            // A delivery that nobody has would stay unacknowledged: with the channel it goes back.
            End($"a delivery could not be taken: {e.Message}");
        }
    }

    void IBrokerChannelEvents.Cancelled() => End("the broker has cancelled the consumer: the queue was deleted, or has moved");

    void IBrokerChannelEvents.Closed(ShutdownEventArgs reason) => End($"the channel was closed: {reason.ReplyCode} {reason.ReplyText}");

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

    /// <summary>From now on nothing that is said to or by this subscription matters.</summary>
    public void End(string reason)
    {
        lock (_gate)
        {
            if (_hasEnded)
            {
                return;
            }

            _hasEnded = true;
        }

        _timer.Dispose();
        _ended.TrySetResult(reason);
    }

    public void Dispose() => End("it is over");

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
                ConsumerLog.NotTold(_logger, _notices.Count, e);
                End($"the broker could not be told of a delivery: {e.Message}");
            }
        }
        while (!IsDone());
    }

    private ValueTask TellAsync(Notice notice) => notice.Settlement == Settlement.Ack
        ? Channel.AckAsync(notice.Tag, notice.Multiple)
        : Channel.RejectAsync(notice.Tag, requeue: notice.Settlement == Settlement.Requeue);

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
            told = _told;
            _told = null;
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
