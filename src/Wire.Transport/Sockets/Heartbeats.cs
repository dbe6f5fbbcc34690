namespace Wire.Transport.Sockets;

/// <summary>Watches over a link that is silent: says when to send a heartbeat, and when the other side is lost.</summary>
/// <remarks>Thread-safe. Noting a send or a receive costs one store.</remarks>
internal sealed class Heartbeats : IDisposable
{
    // A look that finds nothing sent comes at most half an interval after the last send. After eight in a row that found nothing received,
    // the last receive is two intervals ago, and at most two and a quarter.
    private const int LooksPerInterval = 4;
    private const int LooksUntilLost = 2 * LooksPerInterval;

    private readonly ITimer _timer;
    private readonly Action _send;
    private readonly Action _lost;
    private volatile bool _sent;
    private volatile bool _received;
    private int _silentLooks;

    /// <summary>Starts watching.</summary>
    /// <param name="interval">The agreed interval, more than zero.</param>
    /// <param name="send">
    /// Called on the thread of the timer when nothing was sent for half the interval, and again while that stays so. Asks for a heartbeat
    /// to be sent, and must not block.
    /// </param>
    /// <param name="lost">Called once in the same way when nothing was received for two intervals.</param>
    /// <param name="time">
    /// Where the time comes from: of the alarms, so that heartbeats are sent while the program keeps every thread of the pool.
    /// </param>
    public Heartbeats(TimeSpan interval, Action send, Action lost, TimeProvider time)
    {
        ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(interval, TimeSpan.Zero);
        _send = send;
        _lost = lost;
        TimeSpan look = interval / LooksPerInterval;
        _timer = time.CreateTimer(static self => ((Heartbeats)self!).Look(), this, look, look);
    }

    /// <summary>Bytes have been sent.</summary>
    public void Sent() => _sent = true;

    /// <summary>Bytes have been received.</summary>
    public void Received() => _received = true;

    /// <summary>Stops watching; a callback under way continues.</summary>
    public void Dispose() => _timer.Dispose();

    private void Look()
    {
        if (_received)
        {
            _received = false;
            _silentLooks = 0;
        }
        else if (++_silentLooks == LooksUntilLost)
        {
            _timer.Dispose();
            _lost();
            return;
        }

        if (_sent)
        {
            _sent = false;
        }
        else
        {
            _send();
        }
    }
}
