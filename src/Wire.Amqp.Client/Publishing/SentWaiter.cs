namespace Wire.Amqp.Client.Publishing;

/// <summary>Waits until bytes have been handed to the socket.</summary>
internal abstract class SentWaiter
{
    /// <summary>Up to where; the outbox sets it.</summary>
    public long Mark { get; set; }

    /// <summary>The next one of the row.</summary>
    public SentWaiter? NextWaiter { get; set; }

    /// <summary>They have been, or will not be.</summary>
    public abstract void Sent(Exception? error);
}

/// <summary>A row of those who wait, in the order of their marks.</summary>
internal struct SentWaiters
{
    private SentWaiter? _first;
    private SentWaiter? _last;

    public readonly bool IsEmpty => _first is null;

    /// <summary>Adds one at its place, which is nearly always the last.</summary>
    public void Add(SentWaiter waiter)
    {
        SentWaiter? before = _last;
        if (before?.Mark > waiter.Mark)
        {
            before = null;
            for (SentWaiter? other = _first; other!.Mark <= waiter.Mark; other = other.NextWaiter)
            {
                before = other;
            }
        }

        waiter.NextWaiter = before is null ? _first : before.NextWaiter;
        if (before is null)
        {
            _first = waiter;
        }
        else
        {
            before.NextWaiter = waiter;
        }

        _last = waiter.NextWaiter is null ? waiter : _last;
    }

    /// <summary>Takes those out whose mark has been reached.</summary>
    public SentWaiters TakeUpTo(long mark)
    {
        SentWaiters taken = default;
        while (_first is { } waiter && waiter.Mark <= mark)
        {
            _first = waiter.NextWaiter;
            waiter.NextWaiter = null;
            taken.Add(waiter);
        }

        if (_first is null)
        {
            _last = null;
        }

        return taken;
    }

    /// <summary>Tells all of them.</summary>
    public readonly void Complete(Exception? error)
    {
        for (SentWaiter? waiter = _first; waiter is not null;)
        {
            SentWaiter? next = waiter.NextWaiter;
            waiter.NextWaiter = null;
            waiter.Sent(error);
            waiter = next;
        }
    }
}
