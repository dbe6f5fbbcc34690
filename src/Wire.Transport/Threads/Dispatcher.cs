using System.Diagnostics;
using System.Runtime.CompilerServices;
using Wire.Transport.Pending;

namespace Wire.Transport.Threads;

/// <summary>
/// Runs items on threads where they may block, so many at a time, begun in the order in which they came. Each runs in the default execution
/// context. Once as many have run at a time as may, and as many have waited as will, nothing is allocated. Thread-safe.
/// </summary>
/// <remarks>
/// One thread is there for the items and begins one after the other: most end at once, or go on elsewhere, and to wake the pool costs more
/// than they do. While an item keeps that thread for longer than <see cref="Longest"/>, those behind it begin on the pool.
/// </remarks>
internal sealed class Dispatcher<T>
{
    // Then others get the thread of the pool: it is the whole program's.
    private const int MostInARow = 32;

    private static readonly TimeSpan Longest = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan RarestLook = TimeSpan.FromMilliseconds(16);

    private readonly Lock _gate = new();
    private readonly WorkerThread _thread;
    private readonly int _concurrency;
    private readonly Func<T, ValueTask> _run;
    private readonly Action<T, Exception?>? _ended;
    private readonly Stack<Runner> _idle = new();
    private readonly Starter _starter;

    // Looks whether the thread is kept: rarely where it never was.
    private readonly Alarm _look;
    private TimeSpan _untilLook = Longest;
    private SequenceRing<T> _waiting = new(first: 0, capacity: 16);
    private TaskCompletionSource? _drained;
    private int _running;
    private bool _isStopped;

    // Whether the thread begins what waits, and since when with the same item; and whether somebody is to say when what waits begins.
    private bool _isBeginning;
    private bool _isPostponed;
    private long _since;

    /// <summary>Runs nothing yet.</summary>
    /// <param name="name">What its thread is called.</param>
    /// <param name="concurrency">How many run at a time: from 1 on.</param>
    /// <param name="run">Runs an item. Where <paramref name="ended"/> is left out it never throws: that would end the process.</param>
    /// <param name="ended">Told when an item has ended, with what it has thrown, before its place is free. Never throws.</param>
    public Dispatcher(string name, int concurrency, Func<T, ValueTask> run, Action<T, Exception?>? ended = null)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(concurrency, 1);
        (_thread, _concurrency, _run, _ended) = (new WorkerThread(name), concurrency, run, ended);
        (_starter, _look) = (new Starter(this), new Alarm(Look));
    }

    /// <summary>How many run.</summary>
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

    /// <summary>Begins an item, now or when there is room; when it was stopped, never: the item waits to be taken back.</summary>
    public void Add(T item)
    {
        AddWithOthers(item);
        BeginAdded();
    }

    /// <summary>Adds an item that need not begin before <see cref="BeginAdded"/>: to wake the thread once for many costs less.</summary>
    /// <returns>Whether <see cref="BeginAdded"/> is to be called; not when somebody was told before, and has not.</returns>
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

    /// <summary>Nothing is begun any more; what runs goes on, and what waits can be taken back. Another time it does nothing.</summary>
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
            Debug.Assert(_isStopped, "As long as they may begin, somebody may wait for their end.");
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

    /// <summary>Ends when none runs and none waits to be begun: for good only where it was stopped.</summary>
    public Task DrainAsync()
    {
        lock (_gate)
        {
            return IsDrained
                ? Task.CompletedTask
                : (_drained ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).Task;
        }
    }

    // What is to be run for the item that is the first to wait; null where somebody sees to it.
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
            _since = Stopwatch.GetTimestamp();
            return _starter;
        }

        if (Stopwatch.GetElapsedTime(_since) >= Longest)
        {
            _untilLook = Longest;
            return TakeRunner();
        }

        _look.RingAfter(_untilLook);
        return null;
    }

    private void Begin(IThreadPoolWorkItem? begun)
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

            Begin(begun);
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

        // What is not needed any more is not held.
        slot = default!;
        _waiting.RemoveFirst();
        return item;
    }

    // Its place is free. Whoever waits for the end of all is told when the gate is open.
    private TaskCompletionSource? Free(Runner runner)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread, "What runs is guarded by the gate.");
        runner.Item = default!;
        _idle.Push(runner);
        _running--;
        return TakeDrained();
    }

    private TaskCompletionSource? TakeDrained() => IsDrained ? Interlocked.Exchange(ref _drained, null) : null;

    private void End(Runner runner)
    {
        TaskCompletionSource? drained;
        IThreadPoolWorkItem? begun;
        lock (_gate)
        {
            drained = Free(runner);
            begun = Next();
        }

        drained?.TrySetResult();
        Begin(begun);
    }

    /// <summary>Begins one item after the other, on the thread that is there for it.</summary>
    private sealed class Starter(Dispatcher<T> dispatcher) : IThreadPoolWorkItem
    {
        public void Execute()
        {
            Runner? ended = null;
            while (true)
            {
                TaskCompletionSource? drained;
                Runner? next = null;
                lock (dispatcher._gate)
                {
                    drained = ended is null ? null : dispatcher.Free(ended);
                    if (dispatcher.MayBegin)
                    {
                        next = dispatcher.TakeRunner();
                        dispatcher._since = Stopwatch.GetTimestamp();
                    }
                    else
                    {
                        dispatcher._isBeginning = false;
                    }
                }

                drained?.TrySetResult();
                if (next is null)
                {
                    return;
                }

                ended = next.TryRun() ? next : null;
            }
        }
    }

    /// <summary>One place to run in.</summary>
    private sealed class Runner : IThreadPoolWorkItem
    {
        private readonly Dispatcher<T> _dispatcher;
        private readonly Action _endedLater;
        private ConfiguredValueTaskAwaitable.ConfiguredValueTaskAwaiter _awaiter;
        private bool _isHere;

        public Runner(Dispatcher<T> dispatcher)
        {
            _dispatcher = dispatcher;
            _endedLater = EndedLater;
        }

        public T Item { get; set; } = default!;

        /// <summary>Runs the item; false when it ends later, and then nothing of this may be used any more.</summary>
        public bool TryRun()
        {
            // As it is on a thread on which nothing runs, whatever an item before has left.
            ExecutionContext.Run(ExecutionContext.Capture()!, static runner => ((Runner)runner!).Begin(), this);
            if (_isHere)
            {
                return true;
            }

            // Last: from here on it may run elsewhere.
            _awaiter.UnsafeOnCompleted(_endedLater);
            return false;
        }

        /// <summary>On the pool, beside an item that keeps the thread.</summary>
        public void Execute()
        {
            for (int begun = 1; TryRun(); begun++)
            {
                TaskCompletionSource? drained;
                bool goesOn;
                lock (_dispatcher._gate)
                {
                    drained = _dispatcher.Free(this);
                    goesOn = begun < MostInARow && _dispatcher.MayBegin && _dispatcher.TakeRunner() == this;
                }

                drained?.TrySetResult();
                if (!goesOn)
                {
                    IThreadPoolWorkItem? next;
                    lock (_dispatcher._gate)
                    {
                        next = _dispatcher.Next();
                    }

                    _dispatcher.Begin(next);
                    return;
                }
            }
        }

        private void Begin()
        {
            try
            {
                Await(_dispatcher._run(Item));
            }
            catch (Exception e) when (_dispatcher._ended is not null)
            {
                _isHere = true;
                _dispatcher._ended(Item, e);
                return;
            }

            if (_isHere)
            {
                End();
            }
        }

        private void Await(ValueTask running)
        {
            _awaiter = running.ConfigureAwait(false).GetAwaiter();
            _isHere = _awaiter.IsCompleted;
        }

        private void EndedLater()
        {
            End();
            _dispatcher.End(this);
        }

        private void End()
        {
            ConfiguredValueTaskAwaitable.ConfiguredValueTaskAwaiter awaiter = _awaiter;
            _awaiter = default;
            Exception? error = null;
            try
            {
                awaiter.GetResult();
            }
            catch (Exception e) when (_dispatcher._ended is not null)
            {
                error = e;
            }

            _dispatcher._ended?.Invoke(Item, error);
        }
    }
}
