using System.Diagnostics;
using Wire.Amqp;
using Wire.Amqp.V091;
using Wire.Transport.Threads;

namespace Wire.RabbitMQ.Publishing;

/// <summary>Gathers objects into messages: <see cref="WirePublisherOptions.Gathering"/>. Thread-safe.</summary>
/// <param name="send">Publishes a message; the body stays as it is until it has ended.</param>
internal sealed class Gatherer(Gatherer.Sending send) : IDisposable
{
    private static readonly AmqpString ContentType = GatheredBody.ContentType;

    private readonly BoundedPool<Gathering> _pool = new();
    private readonly Lock _gate = new();
    private readonly Dictionary<GatheringKey, Gathering> _open = [];

    // Of most programs all objects go to one place.
    private Gathering? _last;

    // Those that are full, in their order: one thread at a time sends them.
    private readonly Queue<Gathering> _ready = [];
    private bool _isSending;

    /// <summary>Publishes a message.</summary>
    public delegate ValueTask Sending(in GatheringKey key, in BasicProperties properties, ReadOnlyMemory<byte> body);

    /// <summary>Returns whether the headers of an object allow that: the broker looks for some of them.</summary>
    public static bool Takes(PublishOptions? options) =>
        options?.Headers is not { Count: > 0 } headers
        || (!headers.ContainsKey("CC") && !headers.ContainsKey("BCC") && !headers.ContainsKey("x-stream-filter-value"));

    /// <summary>Returns whether nothing waits that an object could overtake.</summary>
    public bool IsEmpty(in GatheringKey key)
    {
        lock (_gate)
        {
            return !_isSending && _ready.Count == 0 && !_open.ContainsKey(key);
        }
    }

    /// <summary>Adds an object to a message.</summary>
    /// <param name="key">What the message has.</param>
    /// <param name="properties">The properties of the object.</param>
    /// <param name="body">Its body, which is copied.</param>
    /// <returns>A task that ends with the message.</returns>
    /// <exception cref="ArgumentException">A property does not fit its domain.</exception>
    public Task AddAsync(in GatheringKey key, in BasicProperties properties, ReadOnlySpan<byte> body)
    {
        Task confirmed;
        bool isFull;
        lock (_gate)
        {
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

            confirmed = gathering.Confirmed.Task;
            isFull = gathering.IsFull;
            if (isFull)
            {
                Take(gathering);
                _ready.Enqueue(gathering);
            }
        }

        if (isFull)
        {
            SendReady();
        }

        return confirmed;
    }

    /// <summary>Sends all that waits.</summary>
    public void Flush()
    {
        lock (_gate)
        {
            foreach (Gathering gathering in _open.Values.ToArray())
            {
                Take(gathering);
                _ready.Enqueue(gathering);
            }
        }

        SendReady();
    }

    /// <summary>Gives back the memory that no object needs. What is added later fails as what it is sent on says.</summary>
    public void Dispose()
    {
        while (_pool.TryTake() is { } gathering)
        {
            gathering.Dispose();
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
            gathering = _pool.TryTake() ?? new Gathering(TimeOut);
            gathering.Open(in key);
            _open.Add(key, gathering);
        }

        return _last = gathering;
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

            Take(gathering);
            _ready.Enqueue(gathering);
        }

        SendReady();
    }

    private void SendReady()
    {
        while (true)
        {
            Gathering? next;
            lock (_gate)
            {
                if (_isSending || !_ready.TryDequeue(out next))
                {
                    return;
                }

                _isSending = true;
            }

            _ = SendAsync(next);
            lock (_gate)
            {
                _isSending = false;
            }
        }
    }

    private async Task SendAsync(Gathering gathering)
    {
        // That of one object would be that of all.
        Activity.Current = null;
        TaskCompletionSource confirmed = gathering.Confirmed;
        Exception? error = null;
        try
        {
            await SendCoreAsync(gathering).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            error = e;
        }

        Return(gathering);
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
        if (gathering.Writer.Count > 1)
        {
            return send(in key, in properties, gathering.Writer.Written);
        }

        // As it would have been without others.
        GatheredMessage alone = GatheredBody.Read(in properties, new(gathering.Writer.Written), long.MaxValue)[0];
        BasicProperties own = alone.Properties;
        return send(in key, in own, alone.Body);
    }

    private void Return(Gathering gathering)
    {
        gathering.Clear();
        _pool.PutBack(gathering);
    }
}
