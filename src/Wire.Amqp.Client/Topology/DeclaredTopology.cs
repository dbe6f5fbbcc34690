using System.Diagnostics;
using Wire.Amqp.Client.Connections;

namespace Wire.Amqp.Client.Topology;

/// <summary>
/// The queues, exchanges and bindings that were declared through a connection and still exist: they are declared again when the connection
/// was lost. Each entry knows the link on which it was declared last. Thread-safe.
/// </summary>
/// <remarks>
/// An auto-delete queue goes with its last consumer, and an auto-delete exchange with its last binding. Consumers and bindings of other
/// connections are not known here: if one is left, the forgotten entry still exists at the broker.
/// </remarks>
internal sealed class DeclaredTopology
{
    private readonly Lock _gate = new();
    private readonly Dictionary<string, (TopologyExchange Exchange, Link? Link)> _exchanges = [];
    private readonly Dictionary<string, (TopologyQueue Queue, Link? Link)> _queues = [];
    private readonly Dictionary<TopologyBinding, Link?> _bindings = [];

    // The current names of queues that the broker has named again, by their first and their earlier names.
    private readonly Dictionary<string, string> _names = [];

    // The number of consumers of queues, by their first names.
    private readonly Dictionary<string, int> _consumers = [];

    // The connections in a row that the broker has closed over an entry, and why the last one, until all entries are back.
    private readonly Dictionary<object, (int Count, AmqpCloseReason Last)> _losses = [];

    /// <summary>Gets the amount that is kept, of all kinds.</summary>
    public int Count
    {
        get
        {
            lock (_gate)
            {
                return _exchanges.Count + _queues.Count + _bindings.Count + _names.Count + _consumers.Count + _losses.Count;
            }
        }
    }

    /// <summary>Finds the present name of a queue that the broker may have named again.</summary>
    public string NameOf(string queue)
    {
        lock (_gate)
        {
            return _names.GetValueOrDefault(queue, queue);
        }
    }

    /// <summary>
    /// Finds the name under which a queue was declared: it stays known by that name, and by its last two, whatever the broker calls it.
    /// </summary>
    public string FirstNameOf(string queue)
    {
        lock (_gate)
        {
            string name = _names.GetValueOrDefault(queue, queue);
            return _queues.TryGetValue(name, out var entry) ? entry.Queue.FirstName : queue;
        }
    }

    /// <summary>Counts one more consumer of a queue.</summary>
    /// <param name="firstName">Its first name.</param>
    public void AddConsumer(string firstName)
    {
        lock (_gate)
        {
            _consumers[firstName] = _consumers.GetValueOrDefault(firstName) + 1;
        }
    }

    /// <summary>Counts one consumer of a queue less: an auto-delete queue goes with the last.</summary>
    /// <param name="firstName">Its first name.</param>
    /// <param name="link">The link on which it consumes; null for none.</param>
    /// <returns>
    /// What the queue is called, and the link on which it was declared again for a consumer that has not come back: nothing deletes it
    /// there. Null for none.
    /// </returns>
    public (string Name, Link Link)? RemoveConsumer(string firstName, Link? link)
    {
        lock (_gate)
        {
            int left = _consumers[firstName] - 1;
            if (left != 0)
            {
                _consumers[firstName] = left;
                return null;
            }

            _consumers.Remove(firstName);
            string name = _names.GetValueOrDefault(firstName, firstName);
            if (!_queues.TryGetValue(name, out var entry) || !entry.Queue.Options.AutoDelete)
            {
                return null;
            }

            RemoveQueue(name);
            return entry.Link is { } declared && declared != link ? (name, declared) : null;
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
            // A queue that the broker named stays one, also when it is declared again by that name.
            _queues[queue.Name] = (
                _queues.TryGetValue(queue.Name, out var before)
                    ? queue with
                    {
                        IsNamedByBroker = queue.IsNamedByBroker || before.Queue.IsNamedByBroker,
                        FirstName = before.Queue.FirstName,
                    }
                    : queue with { FirstName = queue.Name },
                link);
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
    /// <param name="queue">Its current name.</param>
    public void RemoveQueue(string queue)
    {
        lock (_gate)
        {
            _queues.Remove(queue);
            RemoveBindings(binding => binding.IsOfQueue && binding.Destination == queue);
            ForgetNames(queue);
        }
    }

    public void Remove(TopologyBinding binding)
    {
        lock (_gate)
        {
            RemoveBindings(other => other == binding);
        }
    }

    /// <summary>
    /// Declares on a link what was declared on others; what is on it already is left alone, so it may be called again to continue.
    /// </summary>
    /// <exception cref="IOException">The link has ended.</exception>
    public Task<TopologyRestored> RestoreAsync(Link link, CancellationToken cancellationToken) =>
        new TopologyRestore(this, link).RunAsync(cancellationToken);

    /// <summary>Counts a connection that the broker has closed over an error while an entry was being declared.</summary>
    public void CountLoss(object entry, AmqpCloseReason reason)
    {
        lock (_gate)
        {
            _losses[entry] = (_losses.GetValueOrDefault(entry).Count + 1, reason);
        }
    }

    /// <summary>Returns how many connections in a row the broker has closed over an entry, and why the last one.</summary>
    public (int Count, AmqpCloseReason? Last) LossesOver(object entry)
    {
        lock (_gate)
        {
            return _losses.GetValueOrDefault(entry);
        }
    }

    /// <summary>All entries have been dealt with on one link.</summary>
    public void ForgetLosses()
    {
        lock (_gate)
        {
            _losses.Clear();
        }
    }

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

    /// <summary>Notes that an entry has been declared on a link.</summary>
    /// <returns>False if it was forgotten in between.</returns>
    public bool Settle(TopologyExchange exchange, Link link)
    {
        lock (_gate)
        {
            if (!_exchanges.TryGetValue(exchange.Name, out var entry))
            {
                return false;
            }

            if (ReferenceEquals(entry.Exchange, exchange))
            {
                _exchanges[exchange.Name] = (exchange, link);
            }

            return true;
        }
    }

    /// <summary>Notes that an entry has been declared on a link, unless it was forgotten in between.</summary>
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

    /// <summary>
    /// An entry has been dealt with on a link, where the queue has this name: its bindings, and code that asks for it by a former name,
    /// follow.
    /// </summary>
    /// <returns>False if it was forgotten in between.</returns>
    public bool Settle(TopologyQueue queue, string name, Link link)
    {
        lock (_gate)
        {
            if (!_queues.TryGetValue(queue.Name, out var entry))
            {
                return false;
            }

            if (!ReferenceEquals(entry.Queue, queue))
            {
                // Declared again by the program, on this link.
                return true;
            }

            _queues.Remove(queue.Name);
            _queues[name] = (name == queue.Name ? queue : queue with { Name = name }, link);
            if (name == queue.Name)
            {
                return true;
            }

            foreach ((TopologyBinding binding, Link? on) in _bindings
                .Where(entry => entry.Key.IsOfQueue && entry.Key.Destination == queue.Name).ToArray())
            {
                _bindings.Remove(binding);
                _bindings[binding with { Destination = name }] = on;
            }

            ForgetNames(queue.Name);
            _names[queue.FirstName] = _names[queue.Name] = name;
            return true;
        }
    }

    /// <summary>
    /// A binding is refused since there is no such exchange or queue: one that deletes itself does so when the broker notices the end of
    /// the connection before, although it was there when it was declared again. Then it is missing again; false when the binding needs none
    /// of that kind.
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

    /// <summary>The same of a queue that consumers have left, which it deletes itself with if they were all that it had.</summary>
    /// <param name="firstName">Its first name.</param>
    /// <param name="gone">The number of these consumers.</param>
    public void TakeBack(string firstName, int gone)
    {
        lock (_gate)
        {
            if (_consumers.GetValueOrDefault(firstName) == gone)
            {
                TakeBack(_names.GetValueOrDefault(firstName, firstName));
            }
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

    // And the exchanges that delete themselves with the last of them.
    private void RemoveBindings(Func<TopologyBinding, bool> isGone)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread, "What was declared is guarded by the gate.");
        TopologyBinding[] gone = [.. _bindings.Keys.Where(isGone)];
        foreach (TopologyBinding binding in gone)
        {
            _bindings.Remove(binding);
        }

        foreach (string source in gone.Select(binding => binding.Source).Distinct())
        {
            if (_exchanges.TryGetValue(source, out var entry) && entry.Exchange.Options.AutoDelete
                && !_bindings.Keys.Any(binding => binding.Source == source))
            {
                RemoveExchange(source);
            }
        }
    }

    private void ForgetNames(string queue)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread, "What was declared is guarded by the gate.");
        foreach (string former in _names.Where(name => name.Value == queue).Select(name => name.Key).ToArray())
        {
            _names.Remove(former);
        }
    }
}
