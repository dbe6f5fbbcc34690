namespace Wire.RabbitMQ.Streams.Consuming;

/// <summary>
/// The thread that a consumer's handlers run on, as long as they end before they return: one that blocks keeps no thread of the pool from others. It waits
/// without spinning, which those of the pool do for a while before they sleep.
/// </summary>
internal sealed class ConsumerThread(string name)
{
    private readonly object _gate = new();
    private Thread? _thread;
    private Action? _next;
    private bool _isClosed;

    /// <summary>Whether this is it.</summary>
    public bool IsCurrent => Thread.CurrentThread == Volatile.Read(ref _thread);

    /// <summary>Runs something that is not longer than to where it waits. One at a time; on the pool when the thread has ended.</summary>
    public void Run(Action action)
    {
        lock (_gate)
        {
            if (_isClosed || _next is not null)
            {
                ThreadPool.UnsafeQueueUserWorkItem(static action => action(), action, preferLocal: false);
                return;
            }

            if (_thread is null)
            {
                _thread = new Thread(Loop) { IsBackground = true, Name = name };
                _thread.UnsafeStart();
            }

            _next = action;
            Monitor.Pulse(_gate);
        }
    }

    /// <summary>Lets the thread end when what it runs has.</summary>
    public void Close()
    {
        lock (_gate)
        {
            _isClosed = true;
            Monitor.Pulse(_gate);
        }
    }

    private void Loop()
    {
        while (true)
        {
            Action action;
            lock (_gate)
            {
                while (_next is null)
                {
                    if (_isClosed)
                    {
                        return;
                    }

                    Monitor.Wait(_gate);
                }

                action = _next;
                _next = null;
            }

            action();
        }
    }
}
