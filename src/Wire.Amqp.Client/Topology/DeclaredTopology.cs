using System.Diagnostics;
using Wire.Amqp.Client.Connections;
using Wire.Amqp.V091;

namespace Wire.Amqp.Client.Topology;

/// <summary>An exchange that was declared.</summary>
internal sealed record TopologyExchange(string Name, string Type, AmqpExchangeOptions Options, FieldTable Arguments)
{
    public ExchangeDeclare Method => new()
    {
        Exchange = Name,
        Type = Type,
        Durable = Options.Durable,
        AutoDelete = Options.AutoDelete,
        Internal = Options.Internal,
        Arguments = Arguments,
    };
}

/// <summary>A queue that was declared.</summary>
internal sealed record TopologyQueue(string Name, bool IsNamedByBroker, AmqpQueueOptions Options, FieldTable Arguments)
{
    public QueueDeclare Method => new()
    {
        Queue = IsNamedByBroker ? "" : Name,
        Durable = Options.Durable,
        Exclusive = Options.Exclusive,
        AutoDelete = Options.AutoDelete,
        Arguments = Arguments,
    };
}

/// <summary>A binding of a queue, or of an exchange, to an exchange.</summary>
internal sealed record TopologyBinding(bool IsOfQueue, string Destination, string Source, string RoutingKey, FieldTable Arguments)
{
    public override string ToString() => $"The binding of the {(IsOfQueue ? "queue" : "exchange")} '{Destination}' to the exchange '{Source}' with the routing key '{RoutingKey}'";
}

/// <summary>
/// What was declared through a connection and not deleted through it: what has to be there again when the connection was lost. Each entry knows the
/// link on which it was declared last. Thread-safe.
/// </summary>
internal sealed class DeclaredTopology
{
    private readonly Lock _gate = new();
    private readonly Dictionary<string, (TopologyExchange Exchange, Link? Link)> _exchanges = [];
    private readonly Dictionary<string, (TopologyQueue Queue, Link? Link)> _queues = [];
    private readonly Dictionary<TopologyBinding, Link?> _bindings = [];

    // What queues were called before that the broker has named anew, and what they are called now.
    private readonly Dictionary<string, string> _names = [];

    /// <summary>What a queue is called by now that the broker may have named anew.</summary>
    public string NameOf(string queue)
    {
        lock (_gate)
        {
            return _names.GetValueOrDefault(queue, queue);
        }
    }

    public void Add(TopologyExchange exchange, Link? link)
    {
        lock (_gate)
        {
            _exchanges[exchange.Name] = (exchange, link);
        }
    }

    public void Add(TopologyQueue queue, Link? link)
    {
        lock (_gate)
        {
            // One that the broker named is so for good, also where it is declared again by that name.
            bool isNamedByBroker = queue.IsNamedByBroker || (_queues.TryGetValue(queue.Name, out var before) && before.Queue.IsNamedByBroker);
            _queues[queue.Name] = (queue with { IsNamedByBroker = isNamedByBroker }, link);
        }
    }

    public void Add(TopologyBinding binding, Link? link)
    {
        lock (_gate)
        {
            _bindings[binding] = link;
        }
    }

    /// <summary>An exchange was deleted, and with it its bindings.</summary>
    public void RemoveExchange(string exchange)
    {
        lock (_gate)
        {
            _exchanges.Remove(exchange);
            RemoveBindings(binding => binding.Source == exchange || (!binding.IsOfQueue && binding.Destination == exchange));
        }
    }

    /// <summary>A queue was deleted, and with it its bindings.</summary>
    public void RemoveQueue(string queue)
    {
        lock (_gate)
        {
            _queues.Remove(queue);
            RemoveBindings(binding => binding.IsOfQueue && binding.Destination == queue);
            foreach (string former in _names.Where(name => name.Value == queue).Select(name => name.Key).ToArray())
            {
                _names.Remove(former);
            }
        }
    }

    public void Remove(TopologyBinding binding)
    {
        lock (_gate)
        {
            _bindings.Remove(binding);
        }
    }

    /// <summary>Declares on a link what was declared on others; what is on it already is left alone, so it may be called again to go on.</summary>
    /// <exception cref="IOException">The link has ended.</exception>
    public Task<TopologyRestored> RestoreAsync(Link link, CancellationToken cancellationToken) => new TopologyRestore(this, link).RunAsync(cancellationToken);

    /// <summary>The exchanges that are not on a link.</summary>
    public IReadOnlyList<TopologyExchange> ExchangesMissingOn(Link link)
    {
        lock (_gate)
        {
            return [.. _exchanges.Values.Where(entry => entry.Link != link).Select(entry => entry.Exchange)];
        }
    }

    /// <summary>The queues that are not on a link.</summary>
    public IReadOnlyList<TopologyQueue> QueuesMissingOn(Link link)
    {
        lock (_gate)
        {
            return [.. _queues.Values.Where(entry => entry.Link != link).Select(entry => entry.Queue)];
        }
    }

    /// <summary>The bindings that are not on a link; without those of queues that are not there yet.</summary>
    public IReadOnlyList<TopologyBinding> BindingsMissingOn(Link link)
    {
        lock (_gate)
        {
            return
            [
                .. _bindings.Where(entry => entry.Value != link).Select(entry => entry.Key)
                    .Where(binding => !binding.IsOfQueue || !_queues.TryGetValue(binding.Destination, out var entry) || entry.Link == link),
            ];
        }
    }

    /// <summary>An entry has been dealt with on a link: unless it was deleted meanwhile.</summary>
    public void Settle(TopologyExchange exchange, Link link)
    {
        lock (_gate)
        {
            if (_exchanges.TryGetValue(exchange.Name, out var entry) && ReferenceEquals(entry.Exchange, exchange))
            {
                _exchanges[exchange.Name] = (exchange, link);
            }
        }
    }

    /// <inheritdoc cref="Settle(TopologyExchange, Link)"/>
    public void Settle(TopologyBinding binding, Link link)
    {
        lock (_gate)
        {
            if (_bindings.ContainsKey(binding))
            {
                _bindings[binding] = link;
            }
        }
    }

    /// <summary>An entry has been dealt with on a link, where the queue has this name: its bindings, and whoever asks for it by a former name, follow.</summary>
    public void Settle(TopologyQueue queue, string name, Link link)
    {
        lock (_gate)
        {
            if (!_queues.TryGetValue(queue.Name, out var entry) || !ReferenceEquals(entry.Queue, queue))
            {
                return;
            }

            _queues.Remove(queue.Name);
            _queues[name] = (name == queue.Name ? queue : queue with { Name = name }, link);
            if (name == queue.Name)
            {
                return;
            }

            foreach ((TopologyBinding binding, Link? on) in _bindings.Where(entry => entry.Key.IsOfQueue && entry.Key.Destination == queue.Name).ToArray())
            {
                _bindings.Remove(binding);
                _bindings[binding with { Destination = name }] = on;
            }

            foreach (string former in _names.Where(entry => entry.Value == queue.Name).Select(entry => entry.Key).ToArray())
            {
                _names[former] = name;
            }

            _names[queue.Name] = name;
        }
    }

    /// <summary>
    /// A binding is refused since there is no such exchange or queue: one that deletes itself does so when the broker notices the end of the connection
    /// before, although it was there when it was declared anew. Then it is missing again; false when the binding needs none of that kind.
    /// </summary>
    public bool TakeBack(TopologyBinding binding)
    {
        lock (_gate)
        {
            bool any = TakeBackExchange(binding.Source);
            return (binding.IsOfQueue ? TakeBack(binding.Destination) : TakeBackExchange(binding.Destination)) | any;
        }
    }

    /// <summary>The same of a queue that a consumer needs.</summary>
    public bool TakeBack(string queue)
    {
        lock (_gate)
        {
            if (!_queues.TryGetValue(queue, out var entry) || !entry.Queue.Options.AutoDelete)
            {
                return false;
            }

            _queues[queue] = (entry.Queue, null);
            TakeBackBindings(binding => binding.IsOfQueue && binding.Destination == queue);
            return true;
        }
    }

    private bool TakeBackExchange(string exchange)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread, "What was declared is guarded by the gate.");
        if (!_exchanges.TryGetValue(exchange, out var entry) || !entry.Exchange.Options.AutoDelete)
        {
            return false;
        }

        _exchanges[exchange] = (entry.Exchange, null);
        TakeBackBindings(binding => binding.Source == exchange || (!binding.IsOfQueue && binding.Destination == exchange));
        return true;
    }

    private void TakeBackBindings(Func<TopologyBinding, bool> isGone)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread, "What was declared is guarded by the gate.");
        foreach (TopologyBinding binding in _bindings.Keys.Where(isGone).ToArray())
        {
            _bindings[binding] = null;
        }
    }

    private void RemoveBindings(Func<TopologyBinding, bool> isGone)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread, "What was declared is guarded by the gate.");
        foreach (TopologyBinding binding in _bindings.Keys.Where(isGone).ToArray())
        {
            _bindings.Remove(binding);
        }
    }
}
