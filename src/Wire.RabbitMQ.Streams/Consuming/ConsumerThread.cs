using Wire.Transport.Threads;

namespace Wire.RabbitMQ.Streams.Consuming;

/// <summary>A thread for the events of one consumer, one after the other, which are given to it on any thread.</summary>
internal abstract class ConsumerThread
{
    /// <summary>Gets whether the caller runs on it, and may handle the next event at once.</summary>
    public abstract bool IsCurrent { get; }

    /// <summary>Runs what handles the next event, soon.</summary>
    public abstract void Run(IThreadPoolWorkItem work);

    /// <summary>Runs what waits for its turn at once: it handles no messages, and does not wait for others that do.</summary>
    public virtual void Hurry()
    {
    }

    /// <summary>
    /// The consumer does not handle messages for now: others may, where several share it. Called by what <see cref="Run"/> runs, or what it
    /// has begun.
    /// </summary>
    public virtual void Rest()
    {
    }

    /// <summary>The consumer has ended.</summary>
    public abstract void Close();
}

/// <summary>A thread for one consumer alone.</summary>
internal sealed class OwnThread(string name) : ConsumerThread
{
    private readonly WorkerThread _thread = new(name);

    public override bool IsCurrent => _thread.IsCurrent;

    public override void Run(IThreadPoolWorkItem work) => _thread.Run(work, mayWait: true);

    public override void Close() => _thread.Close();
}

/// <summary>The share of one consumer in threads that several have: one of them at a time, from an event on until it rests.</summary>
internal sealed class SharedThread : ConsumerThread
{
    private readonly HandlerThreads _threads;
    private IThreadPoolWorkItem? _work;
    private WorkerThread? _thread;

    public SharedThread(HandlerThreads threads)
    {
        _threads = threads;
        Place = new LinkedListNode<SharedThread>(this);
    }

    /// <summary>Gets its place in the queue of those that wait for a thread.</summary>
    public LinkedListNode<SharedThread> Place { get; }

    // With each event it is at the end of the queue, so that others have their turn.
    public override bool IsCurrent => false;

    public override void Run(IThreadPoolWorkItem work)
    {
        _work = work;
        _threads.Add(this);
    }

    public override void Hurry()
    {
        if (_threads.TryRemove(this))
        {
            ThreadPool.UnsafeQueueUserWorkItem(_work!, preferLocal: false);
        }
    }

    /// <summary>It is its turn.</summary>
    public void RunOn(WorkerThread thread)
    {
        Volatile.Write(ref _thread, thread);
        thread.Run(_work!, mayWait: true);
    }

    public override void Rest()
    {
        if (Interlocked.Exchange(ref _thread, null) is { } thread)
        {
            _threads.Return(thread);
        }
    }

    public override void Close() => Rest();
}
