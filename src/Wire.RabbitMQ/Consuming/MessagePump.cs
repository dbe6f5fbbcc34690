using Wire.Amqp.Client.Consuming;
using Wire.RabbitMQ.Connections;
using Wire.Transport.Threads;

namespace Wire.RabbitMQ.Consuming;

/// <summary>
/// Runs deliveries on the thread pool, as many at a time as may be, in the order in which they came. Nothing loops or looks whether there is work: a
/// delivery that comes starts itself when there is room, and one that ends starts the next. Thread-safe.
/// </summary>
internal sealed class MessagePump
{
    // Then others get the thread: it is the whole program's.
    private const int MostInARow = 32;

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
    /// <param name="handle">Handles a delivery. Where it throws all the same, the delivery's subscription ends.</param>
    /// <param name="stopping">From when on nothing is started any more.</param>
    public MessagePump(int maxConcurrency, ExecutionContext context, Func<Delivery, ValueTask<Settlement>> handle, CancellationToken stopping)
    {
        _maxConcurrency = maxConcurrency;
        _context = context;
        _handle = handle;
        _stopping = stopping;
    }

    /// <summary>Where deliveries go when they have ended, to be used again.</summary>
    public BoundedPool<Delivery> Pool { get; } = new();

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

    /// <summary>Starts what was delivered, now or when there is room.</summary>
    public void Add(Subscription subscription, in Incoming incoming)
    {
        Delivery delivery = Pool.TryTake() ?? new Delivery(this);
        delivery.Fill(subscription, in incoming);
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
        for (int handled = 1; ; handled++)
        {
            bool isHere = true;
            Subscription subscription = delivery.Subscription;
            try
            {
                if (!subscription.HasEnded)
                {
                    ValueTask<Settlement> handling = _stopping.IsCancellationRequested ? new(Settlement.Requeue) : _handle(delivery);
                    isHere = handling.IsCompleted;
                    subscription.Settle(delivery.Tag, await handling.ConfigureAwait(false));
                }
            }
            catch (Exception e)
            {
                // Nobody waits for this, and a delivery of which the broker is told nothing would stay unacknowledged: with the channel it goes back.
                subscription.End($"what became of a delivery is not known: {e.Message}");
            }

            delivery.Release();
            if (TakeNext() is not { } next)
            {
                return;
            }

            // On this thread when it has been this one all the time; one that a handler has ended on may be anybody's, and have a deep stack.
            if (!isHere || handled == MostInARow)
            {
                ThreadPool.UnsafeQueueUserWorkItem(next, preferLocal: false);
                return;
            }

            delivery = next;
        }
    }

    /// <summary>The next one to run in the place of one that has ended; null when there is none, and the place is free.</summary>
    private Delivery? TakeNext()
    {
        lock (_gate)
        {
            if (!_stopping.IsCancellationRequested && _waiting.TryDequeue(out Delivery? next))
            {
                return next;
            }

            _running--;
            if (_draining && _running == 0)
            {
                _drained.TrySetResult();
            }

            return null;
        }
    }
}
