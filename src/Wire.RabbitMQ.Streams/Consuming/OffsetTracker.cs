using Wire.RabbitMQ.Streams.Links;

namespace Wire.RabbitMQ.Streams.Consuming;

/// <summary>Stores the offset of a named consumer at the broker. Thread-safe.</summary>
internal sealed class OffsetTracker : IDisposable
{
    private readonly Lock _gate = new();
    private readonly string _name;
    private readonly string _stream;
    private readonly StreamTracking _tracking;
    private readonly StreamPosition _position;
    private readonly ITimer? _timer;

    // The link to store on; null while there is none, or while another consumer is the active one.
    private StreamLink? _link;

    // The offset to store, sent or not: the broker does not confirm it.
    private ulong? _wanted;

    // The broker's offset at the beginning of the link, and the highest one that this consumer may have stored: the program may return to a
    // lower one.
    private ulong? _found;
    private ulong _highest;
    private long _passed;

    public OffsetTracker(string? name, string stream, StreamTracking tracking, StreamPosition position)
    {
        _name = name ?? "";
        _stream = stream;
        _tracking = tracking;
        _position = position;
        if (tracking.IsAutomatic)
        {
            _timer = TimeProvider.System.CreateTimer(
                static self => ((OffsetTracker)self!).StoreHandled(), this, tracking.Interval, tracking.Interval);
        }
    }

    /// <summary>Asks for the stored offset; null for none, or if it is not needed.</summary>
    /// <exception cref="StreamException">The broker refuses to say.</exception>
    public Task<ulong?> QueryAsync(StreamLink link, CancellationToken cancellationToken) => _tracking == StreamTracking.None
        ? Task.FromResult<ulong?>(null)
        : link.QueryOffsetAsync(_name, _stream, $"to say what the consumer '{_name}' has stored in '{_stream}'", cancellationToken);

    /// <summary>
    /// Begins to store on a link. An offset that could not be stored before, or was lost with the last link, is stored now.
    /// </summary>
    /// <param name="link">The link.</param>
    /// <param name="stored">The stored offset; null for none.</param>
    public void Attach(StreamLink link, ulong? stored)
    {
        lock (_gate)
        {
            _link = link;
            _found = stored;

            // An offset beyond all that this one has stored was stored by another consumer.
            if (_wanted is { } wanted && stored != wanted && (stored is null || stored <= _highest))
            {
                Store(wanted);
            }
        }
    }

    /// <summary>Detaches it: there is no link to store on for now.</summary>
    public void Pause()
    {
        lock (_gate)
        {
            _link = null;
        }
    }

    /// <summary>Resets it for another stream, without an offset to store.</summary>
    public void Restart()
    {
        lock (_gate)
        {
            _position.Restart();
            (_wanted, _found, _highest) = (null, null, 0);
            _passed = 0;
        }
    }

    /// <summary>Counts messages that were handled since the last call.</summary>
    public void Passed(int messages)
    {
        lock (_gate)
        {
            _passed += messages;
            if (!_tracking.IsAutomatic || _passed < _tracking.Messages)
            {
                return;
            }
        }

        StoreHandled();
    }

    /// <summary>Stores the consumer's offset, with automatic tracking.</summary>
    public void StoreHandled()
    {
        if (!_tracking.IsAutomatic)
        {
            return;
        }

        lock (_gate)
        {
            _passed = 0;
            if (_position.LastHandled is { } handled && handled != _wanted)
            {
                Store(handled);
            }
        }
    }

    /// <summary>Stores an offset.</summary>
    public void StoreNow(ulong offset)
    {
        lock (_gate)
        {
            Store(offset);
        }
    }

    public void Dispose() => _timer?.Dispose();

    private void Store(ulong offset)
    {
        _wanted = offset;
        _highest = Math.Max(offset, Math.Max(_highest, _found ?? 0));
        _link?.StoreOffset(_name, _stream, offset);
    }
}
