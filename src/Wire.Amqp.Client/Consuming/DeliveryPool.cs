namespace Wire.Amqp.Client.Consuming;

/// <summary>A pool of deliveries: rented by a receive loop, and returned on any thread. Thread-safe.</summary>
/// <param name="body">The reader of bodies.</param>
/// <param name="maxBodySize">The largest body that is accepted, in bytes.</param>
internal sealed class DeliveryPool(AmqpBody body, long maxBodySize = long.MaxValue)
{
    private const int Capacity = 4096;

    // A chunk of a stream comes as a whole, however small the largest accepted body is.
    private const long LeastBeyond = 1 << 26;

    private readonly Lock _gate = new();
    private readonly Stack<PooledDelivery> _free = new();

    /// <summary>Gets the reader of bodies.</summary>
    public AmqpBody Body { get; } = body;

    /// <summary>The largest body that is accepted, in bytes.</summary>
    public long MaxBodySize { get; } = maxBodySize;

    /// <summary>Gets the amount that may come beyond what was asked for, in bytes.</summary>
    public long MaxBeyond { get; } = Math.Max(maxBodySize, LeastBeyond);

    /// <summary>Gets the count of what waits for handlers of consumers that nothing else bounds.</summary>
    public UnhandledBytes Unhandled { get; } = new(maxBodySize);

    /// <summary>Returns a delivery for the next message of a channel.</summary>
    public PooledDelivery Rent(IDeliveryOwner? owner)
    {
        PooledDelivery? delivery;
        lock (_gate)
        {
            _free.TryPop(out delivery);
        }

        delivery ??= new PooledDelivery(this);
        delivery.Open(owner);
        return delivery;
    }

    /// <summary>Takes back a delivery that has released its message.</summary>
    public void Return(PooledDelivery delivery)
    {
        lock (_gate)
        {
            if (_free.Count < Capacity)
            {
                _free.Push(delivery);
                return;
            }
        }

        delivery.Dispose();
    }
}
