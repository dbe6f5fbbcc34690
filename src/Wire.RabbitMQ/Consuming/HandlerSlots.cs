using System.Diagnostics.CodeAnalysis;

namespace Wire.RabbitMQ.Consuming;

/// <summary>The number of messages that are handled at a time, which may be changed meanwhile. Thread-safe.</summary>
[SuppressMessage("Design", "CA1001", Justification = "A semaphore without a wait handle holds nothing.")]
internal sealed class HandlerSlots(int limit)
{
    private readonly Lock _gate = new();
    private readonly SemaphoreSlim _free = new(limit);
    private int _limit = limit;

    // That are not free again when they are given back, because the limit has become less.
    private int _owed;
    private bool _isEnding;

    /// <summary>
    /// Gets or sets the limit: from 1 on. What runs beyond a lower one ends, and nothing begins meanwhile. Not changed any more from when
    /// all are taken.
    /// </summary>
    public int Limit
    {
        get => Volatile.Read(ref _limit);
        set
        {
            lock (_gate)
            {
                if (_isEnding)
                {
                    return;
                }

                int more = value - _limit;
                _limit = value;
                int paid = Math.Clamp(more, 0, _owed);
                _owed -= paid;
                more -= paid;
                if (more > 0)
                {
                    _free.Release(more);
                }

                while (more < 0 && _free.Wait(0))
                {
                    more++;
                }

                _owed -= Math.Min(more, 0);
            }
        }
    }

    /// <summary>Takes one, as soon as one is free.</summary>
    public Task WaitAsync(CancellationToken cancellationToken) => _free.WaitAsync(cancellationToken);

    /// <summary>Gives one back.</summary>
    public void Release()
    {
        if (Volatile.Read(ref _owed) != 0)
        {
            lock (_gate)
            {
                if (_owed != 0)
                {
                    _owed--;
                    return;
                }
            }
        }

        _free.Release();
    }

    /// <summary>Takes all, as soon as nothing runs any more. Called once.</summary>
    public async Task TakeAllAsync()
    {
        lock (_gate)
        {
            _isEnding = true;
        }

        for (int i = 0; i < Limit; i++)
        {
            await WaitAsync(CancellationToken.None).ConfigureAwait(false);
        }
    }
}
