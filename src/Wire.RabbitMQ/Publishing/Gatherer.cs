using System.Diagnostics;
using Wire.Amqp;
using Wire.Amqp.Client;
using Wire.Amqp.V091;
using Wire.RabbitMQ.Connections;

namespace Wire.RabbitMQ.Publishing;

/// <summary>Gathers objects into messages: <see cref="WirePublisherOptions.Gathering"/>. Thread-safe.</summary>
/// <param name="options">The options of the publisher.</param>
/// <param name="send">Publishes a message; the body stays as it is until it has ended.</param>
internal sealed class Gatherer(WirePublisherOptions options, Gatherer.Sending send)
{
    // So many keep their memory.
    private const int MostKept = 64;

    // What readers take by default is eight times as much.
    private const long MostGrown = 1 << 24;

    private static readonly AmqpString ContentType = GatheredBody.ContentType;

    // Taken before the gate: what is ready is handed over in its order, and when somebody has flushed, it has been.
    private readonly Lock _sending = new();
    private readonly Lock _gate = new();
    private readonly Dictionary<GatheringKey, Gathering> _open = [];
    private readonly Queue<Gathering> _ready = [];
    private readonly Stack<Gathering> _kept = [];

    // Of most programs all objects go to one place.
    private Gathering? _last;
    private bool _isClosed;
    private long _unconfirmed;

    /// <summary>Publishes a message.</summary>
    public delegate ValueTask Sending(in GatheringKey key, in BasicProperties properties, ReadOnlyMemory<byte> body);

    /// <summary>Returns whether the headers of an object allow that: the broker, and its exchanges, look for some of them.</summary>
    public static bool Takes(PublishOptions? options)
    {
        if (options?.Headers is { Count: > 0 } headers)
        {
            foreach (string name in headers.Keys)
            {
                if (name is "CC" or "BCC"
                    || (name.StartsWith("x-", StringComparison.Ordinal) && !name.StartsWith("x-wire-", StringComparison.Ordinal)))
                {
                    return false;
                }
            }
        }

        return true;
    }

    /// <summary>Returns whether nothing waits that an object could overtake.</summary>
    public bool IsEmpty(in GatheringKey key)
    {
        lock (_gate)
        {
            return _ready.Count == 0 && !_open.ContainsKey(key);
        }
    }

    /// <summary>Adds an object to a message.</summary>
    /// <param name="key">What the message has.</param>
    /// <param name="properties">The properties of the object.</param>
    /// <param name="body">Its body, which is copied.</param>
    /// <returns>A task that ends with the message.</returns>
    /// <exception cref="ArgumentException">A property does not fit its domain.</exception>
    /// <exception cref="AmqpPublishException">Too many objects wait.</exception>
    /// <exception cref="ObjectDisposedException">No object is taken any more.</exception>
    public Task AddAsync(in GatheringKey key, in BasicProperties properties, ReadOnlySpan<byte> body)
    {
        Task confirmed;
        bool isReady;
        lock (_gate)
        {
            Refuse(in key, in properties);
            Gathering gathering = Find(in key);
            try
            {
                gathering.Writer.Add(in properties, body);
            }
            finally
            {
                if (gathering.Writer.Count == 0)
                {
                    Take(gathering);
                    Return(gathering);
                }
            }

            _unconfirmed++;
            confirmed = gathering.Confirmed.Task;
            if (gathering.IsFull || gathering.Writer.GrownLength >= MostGrown)
            {
                Finish(gathering);
            }

            isReady = _ready.Count != 0;
        }

        if (isReady)
        {
            SendReady();
        }

        return confirmed;
    }

    /// <summary>Hands over what waits with a key of the order; what is sent behind this does not overtake it.</summary>
    public void Flush(string orderingKey)
    {
        lock (_gate)
        {
            FinishAll(key => key.OrderingKey == orderingKey);
        }

        SendReady();
    }

    /// <summary>Hands over all that waits, and takes no more.</summary>
    public void Close()
    {
        lock (_gate)
        {
            _isClosed = true;
            FinishAll(static _ => true);
        }

        SendReady();
        lock (_gate)
        {
            while (_kept.TryPop(out Gathering? kept))
            {
                kept.Dispose();
            }
        }
    }

    private void Refuse(in GatheringKey key, in BasicProperties properties)
    {
        if (_isClosed)
        {
            throw PublishChannel.Disposed();
        }

        // As many as may be under way, in messages that are full, and as many as may wait.
        long most = ((long)options.MaxInFlight * key.Options.MaxCount) + options.MaxWaiting;
        if (_unconfirmed >= most)
        {
            throw AmqpPublishException.Overflow(
                key.Exchange, key.RoutingKey, properties.MessageId.Text(), (int)Math.Min(most, int.MaxValue));
        }
    }

    private Gathering Find(in GatheringKey key)
    {
        if (_last is { } last && last.Key == key)
        {
            return last;
        }

        if (!_open.TryGetValue(key, out Gathering? gathering))
        {
            if (key.OrderingKey is { } orderingKey)
            {
                // Others with this key of the order go before.
                FinishAll(other => other.OrderingKey == orderingKey);
            }

            gathering = _kept.TryPop(out Gathering? kept) ? kept : new Gathering(TimeOut);
            gathering.Open(in key);
            _open.Add(key, gathering);
        }

        return _last = gathering;
    }

    private void FinishAll(Predicate<GatheringKey> isMeant)
    {
        if (_open.Count == 0)
        {
            return;
        }

        foreach (Gathering gathering in _open.Values.Where(gathering => isMeant(gathering.Key)).ToArray())
        {
            Finish(gathering);
        }
    }

    private void Finish(Gathering gathering)
    {
        Take(gathering);
        _ready.Enqueue(gathering);
    }

    private void Take(Gathering gathering)
    {
        _open.Remove(gathering.Key);
        _last = null;
    }

    // It may be late, and find other objects: these go out earlier than they have to.
    private void TimeOut(Gathering gathering)
    {
        lock (_gate)
        {
            if (!_open.TryGetValue(gathering.Key, out Gathering? open) || open != gathering)
            {
                return;
            }

            Finish(gathering);
        }

        SendReady();
    }

    private void SendReady()
    {
        lock (_sending)
        {
            while (true)
            {
                Gathering? next;
                lock (_gate)
                {
                    if (!_ready.TryPeek(out next))
                    {
                        return;
                    }
                }

                _ = SendAsync(next);
                lock (_gate)
                {
                    // Until it has been handed over, what must not overtake it waits as well.
                    _ready.Dequeue();
                }
            }
        }
    }

    private async Task SendAsync(Gathering gathering)
    {
        // That of one object would be that of all.
        Activity.Current = null;
        TaskCompletionSource confirmed = gathering.Confirmed;
        int count = gathering.Writer.Count;
        Exception? error = null;
        try
        {
            await SendCoreAsync(gathering).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            error = e;
        }

        lock (_gate)
        {
            _unconfirmed -= count;
            Return(gathering);
        }

        if (error is null)
        {
            confirmed.SetResult();
            return;
        }

        confirmed.SetException(error);

        // Not all look at their tasks.
        _ = confirmed.Task.Exception;
    }

    private ValueTask SendCoreAsync(Gathering gathering)
    {
        GatheringKey key = gathering.Key;
        if (gathering.Writer.Count == 1)
        {
            // As it would have been without others.
            GatheredMessage alone = GatheredBody.Read(default, new(gathering.Writer.Written), long.MaxValue)[0];
            BasicProperties own = alone.Properties;
            own.MessageId = own.MessageId.IsNull ? AmqpMessageId.Next() : own.MessageId;
            return send(in key, in own, alone.Body);
        }

        var properties = new BasicProperties
        {
            ContentType = ContentType,
            MessageId = AmqpMessageId.Next(),
            Timestamp = PublishProperties.Now(),
            DeliveryMode = key.DeliveryMode,
            Priority = key.Priority,
            Expiration = key.Expiration,
            UserId = key.UserId,
        };
        return send(in key, in properties, gathering.Writer.Written);
    }

    private void Return(Gathering gathering)
    {
        gathering.Clear();
        if (_isClosed || _kept.Count == MostKept)
        {
            gathering.Dispose();
        }
        else
        {
            _kept.Push(gathering);
        }
    }
}
