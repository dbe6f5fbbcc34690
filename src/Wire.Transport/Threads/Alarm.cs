using System.Diagnostics;

namespace Wire.Transport.Threads;

/// <summary>
/// Calls back once after a time, on a thread that all alarms share and that only sleeps in between: a <see cref="Timer"/> wakes a thread of
/// the pool, which looks for more work before it sleeps again, and that costs more than many messages do. Thread-safe.
/// </summary>
/// <param name="ring">
/// Called on that thread, which must not be blocked: it takes a lock or wakes another thread, and does not throw. A lock may be one under
/// which the program's code runs.
/// </param>
/// <param name="thread">Another thread, for what may not wait for such a lock; the usual one when left out.</param>
internal sealed class Alarm(Action ring, AlarmThread? thread = null) : IDisposable
{
    private readonly AlarmThread _thread = thread ?? AlarmThread.Usual;
    private volatile bool _isSet;
    private bool _isDisposed;

    /// <summary>
    /// Rings after a while, unless it was set before and has not rung: then it rings when it would have. Code that changes something
    /// before, under a lock that the callback takes as well, has it seen by the callback.
    /// </summary>
    /// <param name="delay">How long: up to 24 days.</param>
    public void RingAfter(TimeSpan delay)
    {
        // Repeated calls, one for each message, do not contend for the gate.
        if (_isSet)
        {
            return;
        }

        long at = Stopwatch.GetTimestamp() + (long)(delay.TotalSeconds * Stopwatch.Frequency);
        lock (_thread.Gate)
        {
            if (_isSet || _isDisposed)
            {
                return;
            }

            _isSet = true;
            _thread.Set(this, at);
        }
    }

    /// <summary>Stops it; the callback may be under way.</summary>
    public void Dispose()
    {
        lock (_thread.Gate)
        {
            _isDisposed = true;
            if (_isSet)
            {
                _thread.Remove(this);
            }
        }
    }

    /// <summary>Called before it rings, with the gate of its thread.</summary>
    internal void Unset() => _isSet = false;

    /// <summary>Calls back.</summary>
    internal void Ring() => ring();
}

/// <summary>A thread for the callbacks of alarms, started when the first is set.</summary>
internal sealed class AlarmThread(string name)
{
    private readonly PriorityQueue<Alarm, long> _set = new();
    private Thread? _thread;
    private long _wakesAt = long.MaxValue;

    /// <summary>The thread for callbacks that may take any lock.</summary>
    public static AlarmThread Usual { get; } = new("Wire, alarms");

    /// <summary>The thread that every connection depends on: its callbacks take no lock under which the program's code runs.</summary>
    public static AlarmThread Heartbeats { get; } = new("Wire, heartbeats");

    /// <summary>Guards what is set, and whether an alarm is.</summary>
    public object Gate { get; } = new();

    /// <summary>An alarm is to ring. With the gate.</summary>
    public void Set(Alarm alarm, long at)
    {
        _set.Enqueue(alarm, at);
        if (_thread is null)
        {
            _thread = new Thread(Run) { IsBackground = true, Name = name };
            _thread.UnsafeStart();
        }
        else if (at < _wakesAt)
        {
            Monitor.Pulse(Gate);
        }
    }

    /// <summary>An alarm is not to ring. With the gate.</summary>
    public void Remove(Alarm alarm) => _set.Remove(alarm, out _, out _);

    private void Run()
    {
        while (true)
        {
            Next().Ring();
        }
    }

    private Alarm Next()
    {
        lock (Gate)
        {
            while (true)
            {
                bool isAny = _set.TryPeek(out Alarm? first, out _wakesAt);
                TimeSpan left = isAny ? Stopwatch.GetElapsedTime(Stopwatch.GetTimestamp(), _wakesAt) : Timeout.InfiniteTimeSpan;
                if (isAny && left <= TimeSpan.Zero)
                {
                    _set.Dequeue();
                    first!.Unset();
                    return first;
                }

                // Never early: rounded up to whole milliseconds.
                _wakesAt = isAny ? _wakesAt : long.MaxValue;
                Monitor.Wait(Gate, isAny ? (int)Math.Ceiling(left.TotalMilliseconds) : Timeout.Infinite);
            }
        }
    }
}
