using Wire.RabbitMQ.Connections;

namespace Wire.RabbitMQ.Consuming;

/// <summary>
/// Has messages of one key handled one after the other, in the order in which they came, and those of different keys side by side. Those
/// that wait for their key hold up no others. Thread-safe.
/// </summary>
internal sealed class KeyedDeliveries
{
    private readonly Dictionary<string, Queue<IDelivery>> _waiting = new(StringComparer.Ordinal);
    private readonly Func<IDelivery, string?> _keyOf;
    private readonly Func<IDelivery, ValueTask> _handle;
    private readonly Func<IDelivery, Exception, ValueTask> _refuse;
    private readonly CancellationToken _stopping;

    /// <summary>Creates it.</summary>
    /// <param name="keyOf">Returns the key of a message; null where its order does not matter. It may throw.</param>
    /// <param name="handle">Handles a message, as soon as there is room. Does not throw.</param>
    /// <param name="refuse">Settles a message of which the key is not known. Does not throw.</param>
    /// <param name="stopping">Fires when no handlers may start any more.</param>
    public KeyedDeliveries(
        Func<IDelivery, string?> keyOf,
        Func<IDelivery, ValueTask> handle,
        Func<IDelivery, Exception, ValueTask> refuse,
        CancellationToken stopping)
    {
        (_keyOf, _handle, _refuse, _stopping) = (keyOf, handle, refuse, stopping);
    }

    /// <summary>Takes a message, and does not wait for its end. Called for one after the other.</summary>
    public ValueTask AddAsync(IDelivery delivery)
    {
        delivery.Keep();
        string? key;
        try
        {
            key = _keyOf(delivery);
        }
        catch (Exception e)
        {
            _ = Task.Run(() => RefuseAsync(delivery, e));
            return default;
        }

        if (key is not null)
        {
            lock (_waiting)
            {
                if (_waiting.TryGetValue(key, out Queue<IDelivery>? others))
                {
                    others.Enqueue(delivery);
                    return default;
                }

                _waiting.Add(key, new Queue<IDelivery>());
            }
        }

        // The thread of the caller brings the others.
        _ = Task.Run(() => RunAsync(key, delivery));
        return default;
    }

    private async Task RunAsync(string? key, IDelivery first)
    {
        for (IDelivery? delivery = first; delivery is not null; delivery = Next(key))
        {
            // What comes again is behind this. One that is not settled returns with its channel, in the order of the queue: before, another
            // consumer could get it while the one before it is handled here.
            if (!delivery.Lost.IsCancellationRequested && !_stopping.IsCancellationRequested)
            {
                await _handle(delivery).ConfigureAwait(false);
            }

            delivery.Release();
        }
    }

    private async Task RefuseAsync(IDelivery delivery, Exception reason)
    {
        await _refuse(delivery, reason).ConfigureAwait(false);
        delivery.Release();
    }

    private IDelivery? Next(string? key)
    {
        if (key is null)
        {
            return null;
        }

        lock (_waiting)
        {
            if (_waiting[key].TryDequeue(out IDelivery? next))
            {
                return next;
            }

            _waiting.Remove(key);
            return null;
        }
    }
}
