using Wire.Amqp.Client;
using Wire.RabbitMQ.Consuming;

namespace Wire.RabbitMQ.Tests.Faults;

/// <summary>
/// What was published and what has arrived, copy by copy: a copy is one message given to the publisher once. Thread-safe.
/// </summary>
internal sealed class Ledger
{
    private readonly Lock _gate = new();
    private readonly List<Copy> _copies = [];
    private readonly SortedDictionary<string, int> _failures = new(StringComparer.Ordinal);
    private readonly List<Exception> _unexpected = [];
    private int _open;
    private int _confirmed;
    private int _missing;
    private int _delivered;
    private int _lateDelivered;
    private int _again;
    private int _unflagged;
    private int _phantoms;
    private int _tooManyRetries;

    /// <summary>What went wrong in a way that no program is told to expect.</summary>
    public IReadOnlyList<Exception> Unexpected
    {
        get
        {
            lock (_gate)
            {
                return [.. _unexpected];
            }
        }
    }

    /// <summary>Whether every publish has ended, and every confirmed copy has been delivered.</summary>
    public bool IsSettled
    {
        get
        {
            lock (_gate)
            {
                return _open == 0 && _missing == 0;
            }
        }
    }

    /// <summary>How many publishes have ended, confirmed or not.</summary>
    public int Answered
    {
        get
        {
            lock (_gate)
            {
                return _copies.Count - _open;
            }
        }
    }

    /// <summary>How many copies have been delivered.</summary>
    public int Delivered
    {
        get
        {
            lock (_gate)
            {
                return _delivered;
            }
        }
    }

    /// <summary>How many copies have been delivered while their publisher had not heard of them, or had heard that it failed.</summary>
    public int DeliveredUnconfirmed
    {
        get
        {
            lock (_gate)
            {
                return _lateDelivered;
            }
        }
    }

    /// <summary>How many copies have been confirmed and not yet been delivered.</summary>
    public int Missing
    {
        get
        {
            lock (_gate)
            {
                return _missing;
            }
        }
    }

    /// <summary>How many publishes have failed.</summary>
    public int Failed
    {
        get
        {
            lock (_gate)
            {
                return _failures.Values.Sum();
            }
        }
    }

    /// <summary>A copy is given to the publisher.</summary>
    public int Publish()
    {
        lock (_gate)
        {
            _open++;
            _copies.Add(default);
            return _copies.Count - 1;
        }
    }

    /// <summary>The publish of a copy has succeeded.</summary>
    public void Confirm(int copy)
    {
        lock (_gate)
        {
            _open--;
            _confirmed++;
            _copies[copy] = _copies[copy] with { IsConfirmed = true };
            _missing += _copies[copy].Deliveries == 0 ? 1 : 0;
        }
    }

    /// <summary>The publish of a copy has failed.</summary>
    public void Fail(Exception error)
    {
        lock (_gate)
        {
            _open--;
            string kind = error switch
            {
                AmqpPublishException refused => refused.Failure.ToString(),
                AmqpConnectionException => "ConnectionLost",
                _ => error.GetType().Name,
            };
            _failures[kind] = _failures.GetValueOrDefault(kind) + 1;
            if (error is not (AmqpPublishException or AmqpConnectionException))
            {
                _unexpected.Add(error);
            }
        }
    }

    /// <summary>A copy has come to a handler, which was told that it may have come before, or not.</summary>
    public void Deliver(int copy, bool flagged)
    {
        lock (_gate)
        {
            if (copy < 0 || copy >= _copies.Count)
            {
                _phantoms++;
                return;
            }

            Copy known = _copies[copy];
            _copies[copy] = known with { Deliveries = known.Deliveries + 1 };
            if (known.Deliveries > 0)
            {
                _again++;
                _unflagged += flagged ? 0 : 1;
                return;
            }

            _delivered++;
            _missing -= known.IsConfirmed ? 1 : 0;
            _lateDelivered += known.IsConfirmed ? 0 : 1;
        }
    }

    /// <summary>A copy has come to a handler after more retries than it may have.</summary>
    public void DeliverTooOften() => Interlocked.Increment(ref _tooManyRetries);

    /// <summary>Adds up.</summary>
    public FaultResult Result(string fault, int times, int peak, uint left)
    {
        lock (_gate)
        {
            return new FaultResult(fault, times, _copies.Count, _confirmed, _delivered, _again)
            {
                Failed = new SortedDictionary<string, int>(_failures, StringComparer.Ordinal),
                Lost = _missing,
                Unended = _open,
                Unflagged = _unflagged,
                Phantoms = _phantoms,
                TooManyRetries = Volatile.Read(ref _tooManyRetries),
                Peak = peak,
                Left = left,
            };
        }
    }

    private readonly record struct Copy(bool IsConfirmed, int Deliveries);
}
