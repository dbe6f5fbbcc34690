namespace Wire.RabbitMQ;

/// <summary>
/// Deliveries to use again, with the memory of their bodies. They are taken on the client's thread and come back on any other, which a pool that
/// keeps arrays by thread does not like. Thread-safe.
/// </summary>
internal sealed class DeliveryPool(MessagePump pump)
{
    // So much memory of bodies waits to be used again at most, and no larger array.
    private const long RetainedBytes = 16 << 20;
    private const int RetainedArray = 1 << 20;

    private readonly Lock _gate = new();
    private readonly Stack<Delivery> _free = new();
    private long _retained;

    public Delivery Rent()
    {
        lock (_gate)
        {
            if (_free.TryPop(out Delivery? delivery))
            {
                _retained -= delivery.Capacity;
                return delivery;
            }
        }

        return new Delivery(pump);
    }

    public void Return(Delivery delivery)
    {
        delivery.Clear();
        lock (_gate)
        {
            if (delivery.Capacity <= RetainedArray && _retained + delivery.Capacity <= RetainedBytes)
            {
                _retained += delivery.Capacity;
                _free.Push(delivery);
            }
        }
    }
}
