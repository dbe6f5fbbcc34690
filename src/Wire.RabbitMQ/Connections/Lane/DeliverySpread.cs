using Wire.Amqp.Client;

namespace Wire.RabbitMQ.Connections.Lane;

/// <summary>Tells of deliveries side by side, on the thread pool: as many at a time as may be, begun in their order. Thread-safe.</summary>
/// <param name="concurrency">How many.</param>
internal sealed class DeliverySpread(int concurrency) : IThreadPoolWorkItem
{
    private readonly Lock _gate = new();
    private readonly Queue<(IBrokerChannelEvents Events, AmqpDelivery Delivery)> _waiting = new();
    private TaskCompletionSource? _drained;
    private int _running;
    private bool _hasStopped;

    /// <summary>Takes a delivery over.</summary>
    public void Add(IBrokerChannelEvents events, AmqpDelivery delivery)
    {
        lock (_gate)
        {
            _waiting.Enqueue((events, delivery));
            if (_running == concurrency)
            {
                return;
            }

            _running++;
        }

        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    /// <summary>Ends when all that have been added have been told.</summary>
    public Task DrainAsync()
    {
        lock (_gate)
        {
            return _running == 0 ? Task.CompletedTask : (_drained ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).Task;
        }
    }

    /// <summary>Those that have not been told are not told any more.</summary>
    public void Stop()
    {
        lock (_gate)
        {
            _hasStopped = true;
        }
    }

    void IThreadPoolWorkItem.Execute()
    {
        while (TryTake(out (IBrokerChannelEvents Events, AmqpDelivery Delivery) next))
        {
            LaneChannel.Tell(next.Events, next.Delivery, next.Delivery.Exchange.ToString(), next.Delivery.RoutingKey.ToString());
        }
    }

    private bool TryTake(out (IBrokerChannelEvents Events, AmqpDelivery Delivery) next)
    {
        lock (_gate)
        {
            while (_waiting.TryDequeue(out next))
            {
                if (!_hasStopped)
                {
                    return true;
                }

                next.Delivery.Dispose();
            }

            if (--_running == 0)
            {
                _drained?.TrySetResult();
                _drained = null;
            }

            return false;
        }
    }
}
