using Wire.Transport.Threads;

namespace Wire.RabbitMQ.Streams.Consuming;

/// <summary>A thread for the events of one consumer, one after the other, which are given to it on any thread.</summary>
internal abstract class ConsumerThread
{
    /// <summary>Gets whether the caller runs on it, and may handle the next event at once.</summary>
    public abstract bool IsCurrent { get; }

    /// <summary>Runs what handles the next event, soon.</summary>
    public abstract void Run(IThreadPoolWorkItem work);

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
internal sealed class SharedThread(HandlerThreads threads) : ConsumerThread
{
    private IThreadPoolWorkItem? _work;
    private WorkerThread? _thread;

    // With each event it is at the end of the queue, so that others have their turn.
    public override bool IsCurrent => false;

    public override void Run(IThreadPoolWorkItem work)
    {
        _work = work;
        threads.Add(this);
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
            threads.Return(thread);
        }
    }

    public override void Close() => Rest();
}
