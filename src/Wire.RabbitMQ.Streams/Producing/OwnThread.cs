namespace Wire.RabbitMQ.Streams.Producing;

/// <summary>Runs work on a thread of its own where that is idle, and otherwise on the pool. The thread is made when it is needed first.</summary>
internal sealed class OwnThread(string name)
{
    private readonly object _gate = new();
    private Thread? _thread;
    private IThreadPoolWorkItem? _next;
    private bool _isBusy;
    private bool _isClosed;

    /// <summary>Runs it soon.</summary>
    public void Run(IThreadPoolWorkItem work)
    {
        if (!TryHandOver(work))
        {
            ThreadPool.UnsafeQueueUserWorkItem(work, preferLocal: false);
        }
    }

    /// <summary>Lets the thread end when it is idle. Later work goes to the pool.</summary>
    public void Close()
    {
        lock (_gate)
        {
            _isClosed = true;
            Monitor.Pulse(_gate);
        }
    }

    private bool TryHandOver(IThreadPoolWorkItem work)
    {
        lock (_gate)
        {
            if (_isBusy || _isClosed)
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
