namespace Wire.Transport.Threads;

/// <summary>
/// A thread that runs one piece of work after the other, and waits in between without spinning: threads of the pool look for more work for
/// a while before they sleep, which costs more than many messages do. It is made when it is needed first. Thread-safe.
/// </summary>
internal sealed class WorkerThread(string name)
{
    private readonly object _gate = new();
    private Thread? _thread;
    private IThreadPoolWorkItem? _next;
    private bool _isBusy;
    private bool _isClosed;

    /// <summary>Gets whether the caller runs on it.</summary>
    public bool IsCurrent => Thread.CurrentThread == Volatile.Read(ref _thread);

    /// <summary>Runs work soon.</summary>
    /// <param name="work">The work.</param>
    /// <param name="mayWait">True if it may wait for what is running; otherwise the thread has to be idle.</param>
    /// <returns>Whether it will be run; not when the thread is taken, or closed.</returns>
    public bool TryRun(IThreadPoolWorkItem work, bool mayWait = false)
    {
        lock (_gate)
        {
            if (_isClosed || _next is not null || (_isBusy && !mayWait))
            {
                return false;
            }

            if (_thread is null)
            {
                _thread = new Thread(Run) { IsBackground = true, Name = name };
                _thread.UnsafeStart();
            }

            _next = work;
            _isBusy = true;
            Monitor.Pulse(_gate);
            return true;
        }
    }

    /// <summary>Runs work soon, here or on the pool.</summary>
    /// <inheritdoc cref="TryRun"/>
    public void Run(IThreadPoolWorkItem work, bool mayWait = false)
    {
        if (!TryRun(work, mayWait))
        {
            ThreadPool.UnsafeQueueUserWorkItem(work, preferLocal: false);
        }
    }

    /// <summary>Lets the thread end when it is idle.</summary>
    public void Close()
    {
        lock (_gate)
        {
            _isClosed = true;
            Monitor.Pulse(_gate);
        }
    }

    private void Run()
    {
        while (true)
        {
            IThreadPoolWorkItem work;
            lock (_gate)
            {
                _isBusy = _next is not null;
                while (_next is null)
                {
                    if (_isClosed)
                    {
                        return;
                    }

                    Monitor.Wait(_gate);
                }

                work = _next;
                _next = null;
            }

            work.Execute();
        }
    }
}
