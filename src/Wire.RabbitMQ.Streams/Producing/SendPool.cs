namespace Wire.RabbitMQ.Streams.Producing;

/// <summary>A pool of a publisher's operations: rented under its gate, returned on any thread without it.</summary>
internal sealed class SendPool
{
    // The free ones, used under the gate, and those returned since.
    private PendingSend? _free;
    private PendingSend? _returned;

    /// <summary>Rents a task. Under the publisher's gate.</summary>
    public PendingSend Rent()
    {
        // All at once: with a single consumer there is no ABA problem.
        _free ??= Interlocked.Exchange(ref _returned, null);
        if (_free is not { } send)
        {
            return new PendingSend(this);
        }

        _free = (PendingSend?)send.Next;
        send.Next = null;
        return send;
    }

    /// <summary>Puts one back.</summary>
    public void PutBack(PendingSend send)
    {
        PendingSend? first = Volatile.Read(ref _returned);
        while (true)
        {
            send.Next = first;
            PendingSend? before = Interlocked.CompareExchange(ref _returned, send, first);
            if (before == first)
            {
                return;
            }

            first = before;
        }
    }
}
