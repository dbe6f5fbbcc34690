using Wire.Transport.Pending;

namespace Wire.RabbitMQ.Streams.Producing;

/// <content>Messages that the broker has not confirmed in time (<see cref="StreamProducerOptions.ConfirmTimeout"/>).</content>
/// <remarks>
/// Entries have no times: at each look it is noted how far the log has been written, and what is before such a mark of long ago is overdue.
/// So a message fails up to the time between two looks too late, and never too early.
/// </remarks>
internal sealed partial class Publisher
{
    private const int LooksInTime = 8;

    private readonly Queue<(ulong Position, long Time)> _marks = [];
    private readonly ITimer? _looks;

    // What is before it was given up, and may be being sent: then its memory is held until the sender comes back.
    private ulong _givenUp;
    private bool _isHeld;

    private ITimer? StartLooking() => _options.ConfirmTimeout is not { } time
        ? null
        : _options.Time.CreateTimer(
            static self => ((Publisher)self!).FailOverdue(), this, time / LooksInTime, time / LooksInTime);

    private void FailOverdue()
    {
        var answered = new OperationQueue<PendingOperation>();
        ProducerSession? woken;
        bool admits;
        lock (_gate)
        {
            ulong overdue = FindOverdue();
            if (overdue <= _ring.Head)
            {
                return;
            }

            // Only where nothing can be sent is a frame open for so long.
            _log.CloseUpTo(overdue);
            Outcomes.FailUpTo(Math.Min(overdue, _log.SentPosition), Overdue("The broker has not confirmed it"), ref answered);
            Outcomes.FailUpTo(overdue, Overdue("It could not be sent"), ref answered);
            _log.SkipTo(overdue);
            _givenUp = overdue;
            admits = MakeRoom();
            woken = _turn.TakeWake();
        }

        woken?.Wake();
        Complete(ref answered, admits);
    }

    // The position behind all that is overdue, and a new mark.
    private ulong FindOverdue()
    {
        ulong overdue = 0;
        while (_marks.TryPeek(out var mark) && _options.Time.GetElapsedTime(mark.Time) >= _options.ConfirmTimeout)
        {
            overdue = _marks.Dequeue().Position;
        }

        _marks.Enqueue((_log.ClosedPosition, _options.Time.GetTimestamp()));
        return overdue;
    }

    private TimeoutException Overdue(string what) => new(
        $"{what} within {_options.ConfirmTimeout!.Value.TotalSeconds} s "
        + $"({nameof(StreamProducerOptions)}.{nameof(StreamProducerOptions.ConfirmTimeout)})"
        + (_turn.Session is null ? $"; there is no connection at the moment: see {nameof(StreamProducer.Interruption)}." : "."));

    // Releases the memory of what has been answered.
    private void Release()
    {
        // What is confirmed has been sent, and with it what comes before.
        _isHeld = _ring.Head <= _givenUp && _turn.IsSending;
        if (!_isHeld)
        {
            _log.Release(_ring.Head);
        }
    }
}
