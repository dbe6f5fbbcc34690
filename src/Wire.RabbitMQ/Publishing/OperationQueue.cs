namespace Wire.RabbitMQ;

/// <summary>Operations in a row, linked through themselves: nothing is allocated. Not thread-safe.</summary>
internal struct OperationQueue
{
    private PublishOperation? _first;
    private PublishOperation? _last;

    public int Count { get; private set; }

    public void Add(PublishOperation operation)
    {
        operation.Next = null;
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

    public PublishOperation? TryTake()
    {
        PublishOperation? operation = _first;
        if (operation is not null)
        {
            _first = operation.Next;
            _last = _first is null ? null : _last;
            operation.Next = null;
            Count--;
        }

        return operation;
    }

    /// <summary>Takes those whose tasks have ended; the others keep their order.</summary>
    public OperationQueue TakeSettled()
    {
        var settled = new OperationQueue();
        OperationQueue all = TakeAll();
        while (all.TryTake() is { } operation)
        {
            if (operation.IsSettled)
            {
                settled.Add(operation);
            }
            else
            {
                Add(operation);
            }
        }

        return settled;
    }

    /// <summary>Takes all of them.</summary>
    public OperationQueue TakeAll()
    {
        OperationQueue all = this;
        this = default;
        return all;
    }
}
