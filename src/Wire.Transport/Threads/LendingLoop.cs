namespace Wire.Transport.Threads;

/// <summary>
/// A loop on a thread of its own, which runs work of others between two of its rounds: to wake another thread for it costs more than most
/// of it does. Work that takes longer than <see cref="Longest"/> keeps the thread, and the loop goes on on another one; then it lends
/// nothing for a while. One thread is in the loop at a time.
/// </summary>
internal sealed class LendingLoop : IDisposable
{
    private static readonly TimeSpan Longest = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan RarestLook = TimeSpan.FromMilliseconds(8);
    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(1);

    private readonly string _name;
    private readonly Func<bool> _round;
    private readonly TimeProvider _time;

    // Checks whether work takes long: rarely where it never did.
    private readonly Alarm _look;
    private TimeSpan _untilLook = Longest;

    // Of the thread that is in the loop. The turn is odd while it is lent, and of another number each time.
    private IThreadPoolWorkItem? _work;
    private long _turn;
    private long _lentAt;
    private long _lendsFrom;

    /// <summary>Creates a loop, which begins with <see cref="Begin"/>.</summary>
    /// <param name="name">The name of its threads.</param>
    /// <param name="round">A round, which may wait; false when the loop ends. Never throws.</param>
    /// <param name="time">Tells how long work takes; the system's when left out.</param>
    public LendingLoop(string name, Func<bool> round, TimeProvider? time = null)
    {
        (_name, _round, _time) = (name, round, time ?? TimeProvider.System);
        _lendsFrom = _time.GetTimestamp();

        // Its thread waits for no lock under which the program's code runs, which may wait for what this loop receives.
        _look = new Alarm(Look, AlarmThread.Heartbeats);
    }

    /// <summary>Begins.</summary>
    public void Begin() => new Thread(Run) { IsBackground = true, Name = _name }.UnsafeStart();

    /// <summary>Runs work after the round. Only in a round, on its thread.</summary>
    /// <returns>Whether it will be run: not where other work will be, or some has taken long a while ago.</returns>
    public bool TryLend(IThreadPoolWorkItem work)
    {
        if (_work is not null || _time.GetTimestamp() < _lendsFrom)
        {
            return false;
        }

        _work = work;
        return true;
    }

    /// <summary>Releases what looks for work that takes long, when the loop has ended.</summary>
    public void Dispose() => _look.Dispose();

    private void Run()
    {
        while (_round())
        {
            if (Take() is { } work && !IsInTimeWith(work))
            {
                return;
            }
        }

        Take()?.Execute();
    }

    private IThreadPoolWorkItem? Take()
    {
        IThreadPoolWorkItem? work = _work;
        _work = null;
        return work;
    }

    // False when another thread is in the loop by now.
    private bool IsInTimeWith(IThreadPoolWorkItem work)
    {
        long lent = _turn + 1;
        _lentAt = _time.GetTimestamp();

        // Seen by a look that is under way, or else that look is over for what sets the next.
        Interlocked.Exchange(ref _turn, lent);
        _look.RingAfter(_untilLook);
        work.Execute();
        return Interlocked.CompareExchange(ref _turn, lent + 1, lent) == lent;
    }

    // On the thread of the alarms.
    private void Look()
    {
        Interlocked.MemoryBarrier();
        long turn = Volatile.Read(ref _turn);
        bool isLent = (turn & 1) != 0;
        if (!isLent)
        {
            _untilLook = TimeSpan.FromTicks(Math.Min(_untilLook.Ticks * 2, RarestLook.Ticks));
        }
        else if (_time.GetElapsedTime(Volatile.Read(ref _lentAt)) < Longest)
        {
            _look.RingAfter(Longest);
        }
        else if (Interlocked.CompareExchange(ref _turn, turn + 1, turn) == turn)
        {
            _untilLook = Longest;
            _lendsFrom = _time.GetTimestamp() + (long)(Pause.TotalSeconds * _time.TimestampFrequency);
            Begin();
        }
    }
}
