using System.Diagnostics;
using Wire.Transport.Threads;

namespace Wire.RabbitMQ.Streams.Producing;

/// <summary>
/// The moments at which the sender of a link fetches a producer's frames: as soon as possible, or with <see
/// cref="StreamProducerOptions.Linger"/> when a frame is full or due. Under the gate of the <see cref="Publisher"/>.
/// </summary>
internal sealed class SenderTurn : IDisposable
{
    private readonly Lock _gate;
    private readonly PublishLog _log;
    private readonly Func<bool> _isUrgent;
    private readonly TimeSpan _linger;
    private readonly Alarm? _alarm;

    // True if the sender will check by itself: it has been woken, or is sending.
    private bool _comes;
    private bool _isDue;

    /// <param name="gate">The gate of the publisher.</param>
    /// <param name="log">The log to send.</param>
    /// <param name="linger">The time that an open frame waits for more messages.</param>
    /// <param name="isUrgent">True if the open frame must be sent now.</param>
    public SenderTurn(Lock gate, PublishLog log, TimeSpan linger, Func<bool> isUrgent)
    {
        _gate = gate;
        _log = log;
        _isUrgent = isUrgent;
        _linger = linger;
        if (linger > TimeSpan.Zero)
        {
            _alarm = new Alarm(LingerIsOver);
        }
    }

    /// <summary>Gets the session on the current link; null between two.</summary>
    public ProducerSession? Session { get; private set; }

    /// <summary>Gets whether the sender of the current link has bytes of the log.</summary>
    public bool IsSending => Session is { IsSending: true };

    private bool TakesOpen => _alarm is null || _isDue || _isUrgent();

    /// <summary>Continues on another link. The caller wakes its sender.</summary>
    public void Attach(ProducerSession session)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        Session = session;
        _comes = true;
    }

    /// <summary>Leaves its link.</summary>
    /// <returns>The session that it left; null for none.</returns>
    public ProducerSession? Detach()
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        ProducerSession? session = Session;
        Session = null;
        return session;
    }

    /// <summary>Takes frames for the sender of the link.</summary>
    public bool TryTake(ProducerSession session, out ReadOnlyMemory<byte> frames)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        session.IsSending = false;
        if (Session != session)
        {
            session.SetIdle();
        }
        else if (_log.TryTake(out frames, TakesOpen))
        {
            _isDue &= _log.HasOpen;
            session.IsSending = true;
            return true;
        }
        else
        {
            _comes = false;
            LingerWhereOpen();
        }

        frames = default;
        return false;
    }

    /// <summary>Returns the sender to wake after writing; null if it will check anyway, or the frame waits for more.</summary>
    public ProducerSession? TakeWake()
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        if (_comes || Session is null)
        {
            return null;
        }

        if (!_log.HasReady && !TakesOpen)
        {
            LingerWhereOpen();
            return null;
        }

        if (!_log.HasReady && !_log.HasOpen)
        {
            return null;
        }

        _comes = true;
        return Session;
    }

    public void Dispose() => _alarm?.Dispose();

    private void LingerWhereOpen()
    {
        if (_log.HasOpen)
        {
            _alarm?.RingAfter(_linger);
        }
    }

    private void LingerIsOver()
    {
        ProducerSession? woken;
        lock (_gate)
        {
            _isDue = _log.HasOpen;
            woken = TakeWake();
        }

        woken?.Wake();
    }
}
