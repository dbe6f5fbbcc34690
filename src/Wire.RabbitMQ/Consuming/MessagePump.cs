namespace Wire.RabbitMQ;

/// <summary>
/// Runs deliveries on the thread pool, as many at a time as may be, in the order in which they came. Nothing loops or looks whether there is work: a
/// delivery that comes starts itself when there is room, and one that ends starts the next. Thread-safe.
/// </summary>
internal sealed class MessagePump
{
    private readonly Lock _gate = new();
    private readonly Queue<Delivery> _waiting = new();
    private readonly TaskCompletionSource _drained = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly int _maxConcurrency;
    private readonly Func<Delivery, ValueTask<Settlement>> _handle;
    private readonly ExecutionContext _context;
    private readonly CancellationToken _stopping;
    private int _running;
    private bool _draining;

    /// <summary>A pump.</summary>
    /// <param name="maxConcurrency">How many run at a time.</param>
    /// <param name="context">What handlers run in, so that none sees what another has left behind.</param>
    /// <param name="handle">Handles a delivery; it does not throw.</param>
    /// <param name="stopping">From when on nothing is started any more.</param>
    public MessagePump(int maxConcurrency, ExecutionContext context, Func<Delivery, ValueTask<Settlement>> handle, CancellationToken stopping)
    {
        _maxConcurrency = maxConcurrency;
        _context = context;
        _handle = handle;
        _stopping = stopping;
        Pool = new DeliveryPool(this);
    }

    /// <summary>Where deliveries come from, and go when they have ended.</summary>
    public DeliveryPool Pool { get; }

    /// <summary>How many run.</summary>
    public int Running
    {
        get
        {
            lock (_gate)
            {
                return _running;
            }
        }
    }

    /// <summary>Starts a delivery, now or when there is room.</summary>
    public void Add(Delivery delivery)
    {
        lock (_gate)
        {
            if (_stopping.IsCancellationRequested || _running == _maxConcurrency)
            {
                _waiting.Enqueue(delivery);
                return;
            }

            _running++;
        }

        ThreadPool.UnsafeQueueUserWorkItem(delivery, preferLocal: false);
    }

    /// <summary>Handles a delivery that was started.</summary>
    public void Process(Delivery delivery) => ExecutionContext.Run(_context, static state => _ = ((Delivery)state!).RunAsync(), delivery);

    /// <summary>Takes those that have not been started.</summary>
    public Delivery[] TakeWaiting()
    {
        lock (_gate)
        {
            Delivery[] waiting = [.. _waiting];
            _waiting.Clear();
            return waiting;
        }
    }

    /// <summary>Ends when the last one that was running has ended. Nothing is started any more.</summary>
    public Task DrainAsync()
    {
        lock (_gate)
        {
            _draining = true;
            if (_running == 0)
            {
                _drained.TrySetResult();
            }
        }

        return _drained.Task;
    }

    /// <summary>Handles a delivery, tells the broker, and starts the next.</summary>
    public async Task RunAsync(Delivery delivery)
    {
        Subscription subscription = delivery.Subscription;
        if (!subscription.HasEnded)
        {
            subscription.Settle(delivery.Tag, _stopping.IsCancellationRequested ? Settlement.Requeue : await _handle(delivery).ConfigureAwait(false));
        }

        Pool.Return(delivery);
        StartNext();
    }

    private void StartNext()
    {
        Delivery? next;
        lock (_gate)
        {
            if (_stopping.IsCancellationRequested || !_waiting.TryDequeue(out next))
            {
                _running--;
                if (_draining && _running == 0)
                {
                    _drained.TrySetResult();
                }

                return;
            }
        }

        ThreadPool.UnsafeQueueUserWorkItem(next, preferLocal: false);
    }
}
