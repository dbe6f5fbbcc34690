using Wire.Transport.Threads;

namespace Wire.RabbitMQ.Streams.Consuming;

/// <summary>
/// A few threads for many consumers, which wait for one in a queue. A consumer keeps its thread for the time of a chunk, also while its
/// handler awaits something: so no more handlers run at a time than there are threads. Thread-safe.
/// </summary>
/// <param name="name">The name of the threads.</param>
/// <param name="count">The number of threads: 1 and more.</param>
internal sealed class HandlerThreads(string name, int count)
{
    private readonly Lock _gate = new();
    private readonly Stack<WorkerThread> _free = new(Enumerable.Range(1, count).Select(i => new WorkerThread($"{name} {i}")));
    private readonly LinkedList<SharedThread> _waiting = [];
    private bool _isClosed;

    /// <summary>Adds a consumer that has something to handle: once until it has had its turn.</summary>
    public void Add(SharedThread consumer)
    {
        WorkerThread? thread;
        lock (_gate)
        {
            if (!_free.TryPop(out thread))
            {
                _waiting.AddLast(consumer.Place);
                return;
            }
        }

        consumer.RunOn(thread);
    }

    /// <summary>Removes a consumer that waits for its turn.</summary>
    /// <returns>Whether it did.</returns>
    public bool TryRemove(SharedThread consumer)
    {
        lock (_gate)
        {
            if (consumer.Place.List is null)
            {
                return false;
            }

            _waiting.Remove(consumer.Place);
            return true;
        }
    }

    /// <summary>Gives a thread back: the next consumer has it.</summary>
    public void Return(WorkerThread thread)
    {
        SharedThread? next;
        lock (_gate)
        {
            next = _waiting.First?.Value;
            if (next is null)
            {
                _free.Push(thread);
                if (_isClosed)
                {
                    thread.Close();
                }

                return;
            }

            _waiting.RemoveFirst();
        }

        next.RunOn(thread);
    }

    /// <summary>Lets the threads end when they are idle.</summary>
    public void Close()
    {
        lock (_gate)
        {
            _isClosed = true;
            foreach (WorkerThread thread in _free)
            {
                thread.Close();
            }
        }
    }
}
