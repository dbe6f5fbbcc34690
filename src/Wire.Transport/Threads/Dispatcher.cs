using System.Diagnostics;
using Wire.Transport.Pending;

namespace Wire.Transport.Threads;

/// <summary>
/// Runs items on threads where they may block, up to a number at a time, started in the order in which they came. Each runs in the default
/// execution context. In steady state nothing is allocated. Thread-safe.
/// </summary>
/// <remarks>
/// One thread is there for the items and begins one after the other: most end at once, or continue elsewhere, and waking the pool costs
/// more than they do. While an item keeps that thread for longer than <see cref="Longest"/>, or one after the other that is not
/// <see cref="Short"/>, those behind it begin on the pool.
/// </remarks>
internal sealed partial class Dispatcher<T>
{
    // Then other work gets the thread of the pool, which belongs to the whole program.
    private const int MostInARow = 32;

    private static readonly TimeSpan Longest = TimeSpan.FromMilliseconds(1);

    // The duration of an item that costs less than waking a pool thread.
    private static readonly TimeSpan Short = TimeSpan.FromMicroseconds(50);
    private static readonly TimeSpan RarestLook = TimeSpan.FromMilliseconds(16);

    private readonly Lock _gate = new();
    private readonly WorkerThread _thread;
    private readonly Func<T, ValueTask> _run;
    private readonly Action<T, Exception?>? _ended;
    private readonly TimeProvider _time;
    private readonly Stack<Runner> _idle = new();
    private readonly Starter _starter;

    // Checks whether the thread is blocked: rarely where it never was.
    private readonly Alarm _look;
    private TimeSpan _untilLook = Longest;
    private SequenceRing<T> _waiting = new(first: 0, capacity: 16);
    private TaskCompletionSource? _drained;
    private int _concurrency;
    private int _running;
    private bool _isStopped;

    // Whether the thread begins what waits, since when it has had no short item, and when it began the last; and whether someone is to say
    // when what waits begins.
    private bool _isBeginning;
    private bool _isPostponed;
    private long _since;
    private long _begun;

    /// <summary>Creates a dispatcher that runs nothing yet.</summary>
    /// <param name="name">The name of its thread.</param>
    /// <param name="concurrency">How many run at a time: from 1 on.</param>
    /// <param name="run">Runs an item. Where <paramref name="ended"/> is left out it never throws: that would end the process.</param>
    /// <param name="ended">Called when an item has ended, with what it has thrown, before its place is free. Never throws.</param>
    /// <param name="time">Tells how long items take; the system's when left out.</param>
    public Dispatcher(
        string name, int concurrency, Func<T, ValueTask> run, Action<T, Exception?>? ended = null, TimeProvider? time = null)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(concurrency, 1);
        (_thread, _concurrency, _run, _ended) = (new WorkerThread(name), concurrency, run, ended);
        _time = time ?? TimeProvider.System;
        (_starter, _look) = (new Starter(this), new Alarm(Look));
    }

    /// <summary>
    /// Gets or sets how many run at a time: from 1 on. With fewer than before, those that run end, and no others begin meanwhile.
    /// </summary>
    public int Concurrency
    {
        get => Volatile.Read(ref _concurrency);
        set
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, 1);
            lock (_gate)
            {
                _concurrency = value;
            }

            BeginAll();
        }
    }

    /// <summary>Gets the number of items that run.</summary>
    public int Running
    {
        get
        {
            lock (_gate)
            {
                return _running;
            }
        }
    }

    private bool MayBegin => !_isStopped && _waiting.Count != 0 && _running < _concurrency;

    private bool IsDrained => _running == 0 && (_isStopped || _waiting.Count == 0);

    /// <summary>Starts an item, now or when there is room. After a stop it is never started, and waits to be taken back.</summary>
    public void Add(T item)
    {
        AddWithOthers(item);
        BeginAdded();
    }

    /// <summary>Adds an item that need not begin before <see cref="BeginAdded"/>: to wake the thread once for many costs less.</summary>
    /// <returns>
    /// Whether <see cref="BeginAdded"/> is to be called; not when another caller was asked before, and has not called it yet.
    /// </returns>
    public bool AddWithOthers(T item)
    {
        lock (_gate)
        {
            _waiting.Add() = item;
            bool isFirst = !_isPostponed;
            _isPostponed = true;
            return isFirst;
        }
    }

    /// <summary>Begins what was added, as <see cref="Add"/> does.</summary>
    public void BeginAdded()
    {
        lock (_gate)
        {
            _isPostponed = false;
        }

        BeginAll();
    }

    /// <summary>Stops starting items; those that run continue, and those that wait can be taken back. Later calls do nothing.</summary>
    public void Stop()
    {
        TaskCompletionSource? drained;
        lock (_gate)
        {
            _isStopped = true;
            drained = TakeDrained();
        }

        _look.Dispose();
        _thread.Close();
        drained?.TrySetResult();
    }

    /// <summary>Takes back the items that have not begun, in their order, when it was stopped.</summary>
    public T[] TakeWaiting()
    {
        lock (_gate)
        {
            Debug.Assert(_isStopped, "Someone may wait for the end as long as handlers can start.");
            if (_waiting.Count == 0)
            {
                return [];
            }

            var waiting = new T[_waiting.Count];
            for (int i = 0; i < waiting.Length; i++)
            {
                waiting[i] = TakeFirst();
            }

            return waiting;
        }
    }

    /// <summary>Ends when no item runs or waits: permanently only after a stop.</summary>
    public Task DrainAsync()
    {
        lock (_gate)
        {
            return IsDrained
                ? Task.CompletedTask
                : (_drained ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).Task;
        }
    }

    // The next action for the first waiting item; null if it is being handled.
    private IThreadPoolWorkItem? Next()
    {
        Debug.Assert(_gate.IsHeldByCurrentThread, "What waits is guarded by the gate.");
        if (!MayBegin)
        {
            return null;
        }

        if (!_isBeginning)
        {
            _isBeginning = true;
            _since = _begun = _time.GetTimestamp();
            return _starter;
        }

        if (_time.GetElapsedTime(_since) >= Longest)
        {
            _untilLook = Longest;
            return TakeRunner();
        }

        _look.RingAfter(_untilLook);
        return null;
    }

    private void NoteBegun()
    {
        long now = _time.GetTimestamp();
        if (_time.GetElapsedTime(_begun, now) < Short)
        {
            _since = now;
        }

        _begun = now;
    }

    private void QueueWork(IThreadPoolWorkItem? begun)
    {
        if (begun == _starter)
        {
            _thread.Run(_starter);
        }
        else if (begun is not null)
        {
            ThreadPool.UnsafeQueueUserWorkItem(begun, preferLocal: false);
        }
    }

    private void Look()
    {
        lock (_gate)
        {
            // The thread is not blocked, and what waits then is for others to begin.
            if (!_isBeginning)
            {
                return;
            }

            _untilLook = TimeSpan.FromTicks(Math.Min(_untilLook.Ticks * 2, RarestLook.Ticks));
        }

        BeginAll();
    }

    private void BeginAll()
    {
        IThreadPoolWorkItem? begun;
        do
        {
            lock (_gate)
            {
                begun = Next();
            }

            QueueWork(begun);
        }
        while (begun is not null);
    }

    // For the first that waits.
    private Runner TakeRunner()
    {
        _running++;
        if (!_idle.TryPop(out Runner? runner))
        {
            runner = new Runner(this);
        }

        runner.Item = TakeFirst();
        return runner;
    }

    private T TakeFirst()
    {
        ref T slot = ref _waiting[_waiting.First];
        T item = slot;

        // Releases references that are not needed any more.
        slot = default!;
        _waiting.RemoveFirst();
        return item;
    }

    // Its place is free. Callers that wait for the end of all are completed when the gate is open.
    private TaskCompletionSource? Free(Runner runner)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread, "What runs is guarded by the gate.");
        runner.Item = default!;
        _idle.Push(runner);
        _running--;
        return TakeDrained();
    }

    private TaskCompletionSource? TakeDrained() => IsDrained ? Interlocked.Exchange(ref _drained, null) : null;

    private void RunnerEnded(Runner runner)
    {
        TaskCompletionSource? drained;
        IThreadPoolWorkItem? begun;
        lock (_gate)
        {
            drained = Free(runner);
            begun = Next();
        }

        drained?.TrySetResult();
        QueueWork(begun);
    }
}
