using Wire.Transport.Threads;

namespace Wire.RabbitMQ.Streams.Consuming;

/// <summary>The thread that a consumer's handlers run on, as long as they end before they return: one that blocks keeps no thread of the pool from others.</summary>
internal sealed class ConsumerThread(string name) : IThreadPoolWorkItem
{
    private readonly WorkerThread _thread = new(name);
    private Action? _next;

    /// <summary>Whether this is it.</summary>
    public bool IsCurrent => _thread.IsCurrent;

    /// <summary>Runs something that is not longer than to where it waits, on the pool when the thread has ended. One at a time: the next one is what this one leads to.</summary>
    public void Run(Action action)
    {
        Volatile.Write(ref _next, action);
        _thread.Run(this, mayWait: true);
    }

    /// <summary>Lets the thread end when what it runs has.</summary>
    public void Close() => _thread.Close();

    void IThreadPoolWorkItem.Execute() => Interlocked.Exchange(ref _next, null)!();
}
