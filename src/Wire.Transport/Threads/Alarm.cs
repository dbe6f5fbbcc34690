using System.Diagnostics;

namespace Wire.Transport.Threads;

/// <summary>
/// Calls back once after a while, on a thread that all alarms share and that only sleeps in between: a <see cref="Timer"/> wakes a thread
/// of the pool, which looks for more work before it sleeps again, and that costs more than many messages do. Thread-safe.
/// </summary>
/// <param name="ring">Called on that thread, which nothing may keep: it takes a lock or wakes another thread, and throws nothing.</param>
internal sealed class Alarm(Action ring) : IDisposable
{
    private static readonly object Gate = new();
    private static readonly PriorityQueue<Alarm, long> Set = new();
    private static Thread? _thread;
    private static long _wakesAt = long.MaxValue;

    private volatile bool _isSet;
    private bool _isDisposed;

    /// <summary>
    /// Rings after a while, unless it was set before and has not rung: then it rings when it would have. Whoever changes something before,
    /// under a lock that the callback takes as well, has it seen by the callback.
    /// </summary>
    /// <param name="delay">How long: up to 24 days.</param>
    public void RingAfter(TimeSpan delay)
    {
        // Sets that come one after the other, one for each message, do not meet at the gate.
        if (_isSet)
        {
            return;
        }

        long at = Stopwatch.GetTimestamp() + (long)(delay.TotalSeconds * Stopwatch.Frequency);
        lock (Gate)
        {
            if (_isSet || _isDisposed)
            {
                return;
            }

            _isSet = true;
            Set.Enqueue(this, at);
            if (_thread is null)
            {
                _thread = new Thread(Run) { IsBackground = true, Name = "Wire, alarms" };
                _thread.UnsafeStart();
            }
            else if (at < _wakesAt)
            {
                Monitor.Pulse(Gate);
            }
        }
    }

    /// <summary>It rings no more; the callback may be under way.</summary>
    public void Dispose()
    {
        lock (Gate)
        {
            _isDisposed = true;
            if (_isSet)
            {
                Set.Remove(this, out _, out _);
            }
        }
    }

    private static void Run()
    {
        while (true)
        {
            Next().Ring();
        }
    }

    private static Alarm Next()
    {
        lock (Gate)
        {
            while (true)
            {
                bool isAny = Set.TryPeek(out Alarm? first, out _wakesAt);
                TimeSpan left = isAny ? Stopwatch.GetElapsedTime(Stopwatch.GetTimestamp(), _wakesAt) : Timeout.InfiniteTimeSpan;
                if (isAny && left <= TimeSpan.Zero)
                {
                    Set.Dequeue();
                    first!._isSet = false;
                    return first;
                }

                // Never early: in whole milliseconds, a rest of one being one.
                _wakesAt = isAny ? _wakesAt : long.MaxValue;
                Monitor.Wait(Gate, isAny ? (int)Math.Ceiling(left.TotalMilliseconds) : Timeout.Infinite);
            }
        }
    }

    private void Ring() => ring();
}
