namespace Wire.RabbitMQ.Streams.Producing;

/// <summary>Sends that have been answered, linked with one another, until their tasks are ended. Each is in one chain at most.</summary>
internal struct SendChain
{
    private PendingSend? _first;
    private PendingSend? _last;

    /// <summary>Whether there is none.</summary>
    public readonly bool IsEmpty => _first is null;

    /// <summary>Adds one.</summary>
    public void Add(PendingSend send)
    {
        send.Next = null;
        if (_last is null)
        {
            _first = send;
        }
        else
        {
            _last.Next = send;
        }

        _last = send;
    }

    /// <summary>Adds those of another chain, which has none after that.</summary>
    public void Add(ref SendChain sends)
    {
        if (_last is null)
        {
            this = sends;
        }
        else if (sends._first is not null)
        {
            _last.Next = sends._first;
            _last = sends._last;
        }

        sends = default;
    }

    /// <summary>Adds those of an entry, the latest of which comes first.</summary>
    public void AddReversed(PendingSend sends)
    {
        if (sends.Next is null)
        {
            Add(sends);
            return;
        }

        PendingSend? reversed = null;
        for (PendingSend? send = sends; send is not null;)
        {
            (PendingSend? next, send.Next) = (send.Next, reversed);
            (reversed, send) = (send, next);
        }

        for (PendingSend? send = reversed; send is not null;)
        {
            PendingSend? next = send.Next;
            Add(send);
            send = next;
        }
    }

    /// <summary>Takes the first one.</summary>
    public bool TryTake([System.Diagnostics.CodeAnalysis.NotNullWhen(true)] out PendingSend? send)
    {
        send = _first;
        if (send is null)
        {
            return false;
        }

        _first = send.Next;
        send.Next = null;
        if (_first is null)
        {
            _last = null;
        }

        return true;
    }
}
