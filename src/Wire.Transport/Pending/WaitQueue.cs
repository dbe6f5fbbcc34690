namespace Wire.Transport.Pending;

/// <summary>
/// Operations that wait for room, first come, first served. Each knows whether it waits, so that one that is cancelled leaves at once, and
/// a cancellation that comes late finds it gone. Not thread-safe: its owner's lock guards it.
/// </summary>
internal struct WaitQueue<T>
    where T : PendingOperation
{
    private OperationQueue<T> _queue;

    /// <summary>True when none waits.</summary>
    public readonly bool IsEmpty => _queue.IsEmpty;

    /// <summary>Gets the number of items that wait.</summary>
    public readonly int Count => _queue.Count;

    /// <summary>The first; null when none waits.</summary>
    public readonly T? First => _queue.First;

    /// <summary>Has one wait behind the others.</summary>
    public void Add(T operation)
    {
        operation.IsWaiting = true;
        _queue.Add(operation);
    }

    /// <summary>Has others wait again, before those that are here.</summary>
    public void PutFirst(OperationQueue<T> operations)
    {
        Mark(operations, isWaiting: true);
        _queue.Prepend(operations);
    }

    /// <summary>Takes the first; null when none waits.</summary>
    public T? TryTake()
    {
        T? first = _queue.TryTake();
        if (first is not null)
        {
            first.IsWaiting = false;
        }

        return first;
    }

    /// <summary>Takes all.</summary>
    public OperationQueue<T> TakeAll()
    {
        OperationQueue<T> all = _queue.TakeAll();
        Mark(all, isWaiting: false);
        return all;
    }

    /// <summary>Removes a cancelled one; false if it no longer waits.</summary>
    public bool TryLeave(T operation)
    {
        if (!operation.IsWaiting)
        {
            return false;
        }

        operation.IsWaiting = false;
        _queue.Remove(operation);
        return true;
    }

    private static void Mark(OperationQueue<T> operations, bool isWaiting)
    {
        foreach (T operation in operations)
        {
            operation.IsWaiting = isWaiting;
        }
    }
}
