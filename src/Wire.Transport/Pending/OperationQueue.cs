using System.Runtime.CompilerServices;

namespace Wire.Transport.Pending;

/// <summary>
/// Operations first come, first served, linked through themselves: nothing is allocated, and one that is cancelled can leave from wherever
/// it stands. Not thread-safe. A copy and what it was copied from are not both used: a queue is moved.
/// </summary>
internal struct OperationQueue<T>
    where T : Queued
{
    private Queued? _first;
    private Queued? _last;

    /// <summary>Gets the count.</summary>
    public int Count { get; private set; }

    /// <summary>Gets whether there are none.</summary>
    public readonly bool IsEmpty => _first is null;

    /// <summary>The first; null when there are none.</summary>
    public readonly T? First => Unsafe.As<T?>(_first);

    /// <summary>Goes through them in their order, while none comes or leaves.</summary>
    public readonly Enumerator GetEnumerator() => new(_first);

    /// <summary>Adds one behind the others.</summary>
    public void Add(T operation)
    {
        operation.Next = null;
        operation.Previous = _last;
        if (_last is null)
        {
            _first = operation;
        }
        else
        {
            _last.Next = operation;
        }

        _last = operation;
        Count++;
    }

    /// <summary>Adds one at the place of its position, which is nearly always the last.</summary>
    public void AddInOrder(T operation)
    {
        Queued? behind = null;
        for (Queued? before = _last; before?.Position > operation.Position; before = before.Previous)
        {
            behind = before;
        }

        if (behind is null)
        {
            Add(operation);
            return;
        }

        (operation.Previous, operation.Next) = (behind.Previous, behind);
        behind.Previous = operation;
        if (operation.Previous is null)
        {
            _first = operation;
        }
        else
        {
            operation.Previous.Next = operation;
        }

        Count++;
    }

    /// <summary>Adds those that are linked by what comes before each; given is the last.</summary>
    public void AddLinked(T last)
    {
        if (last.Previous is null)
        {
            Add(last);
            return;
        }

        Queued first = last;
        int count = 1;
        for (last.Next = null; first.Previous is { } previous; first = previous)
        {
            previous.Next = first;
            count++;
        }

        Append(new OperationQueue<T> { _first = first, _last = last, Count = count });
    }

    /// <summary>Adds others behind these.</summary>
    public void Append(OperationQueue<T> others)
    {
        if (_last is null)
        {
            this = others;
        }
        else if (others._first is { } next)
        {
            (_last.Next, next.Previous) = (next, _last);
            _last = others._last;
            Count += others.Count;
        }
    }

    /// <summary>Puts others before those that are here.</summary>
    public void Prepend(OperationQueue<T> others)
    {
        others.Append(this);
        this = others;
    }

    /// <summary>Takes the first; null when there are none.</summary>
    public T? TryTake()
    {
        Queued? operation = _first;
        if (operation is not null)
        {
            Remove(operation);
        }

        return Unsafe.As<T?>(operation);
    }

    /// <summary>Takes one out that stands in this queue.</summary>
    public void Remove(T operation) => Remove((Queued)operation);

    /// <summary>Takes all.</summary>
    public OperationQueue<T> TakeAll()
    {
        OperationQueue<T> all = this;
        this = default;
        return all;
    }

    /// <summary>Takes those from the first on whose position has been reached.</summary>
    public OperationQueue<T> TakeUpTo(long position)
    {
        var taken = new OperationQueue<T>();
        while (_first is { } first && first.Position <= position)
        {
            Remove(first);
            taken.Add(Unsafe.As<T>(first));
        }

        return taken;
    }

    private void Remove(Queued operation)
    {
        (Queued? before, Queued? behind) = (operation.Previous, operation.Next);
        (operation.Previous, operation.Next) = (null, null);
        if (before is null)
        {
            _first = behind;
        }
        else
        {
            before.Next = behind;
        }

        if (behind is null)
        {
            _last = before;
        }
        else
        {
            behind.Previous = before;
        }

        Count--;
    }

    /// <summary>Goes through a queue.</summary>
    public struct Enumerator(Queued? first)
    {
        private Queued? _next = first;

        /// <summary>The one that was reached.</summary>
        public T Current { get; private set; } = null!;

        /// <summary>Goes to the next one; false when there is none.</summary>
        public bool MoveNext()
        {
            if (_next is null)
            {
                return false;
            }

            Current = Unsafe.As<T>(_next);
            _next = _next.Next;
            return true;
        }
    }
}
