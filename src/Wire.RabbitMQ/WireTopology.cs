using Wire.Amqp.Client;
using Wire.RabbitMQ.Topology;

namespace Wire.RabbitMQ;

/// <summary>
/// A description of exchanges, queues and bindings, which can be declared as often as one likes, and says in lines what that is. Not
/// thread-safe while it is added to.
/// </summary>
/// <remarks>Nothing at the broker is ever changed or deleted: what is there otherwise is an error that names the difference.</remarks>
public sealed class WireTopology
{
    private readonly List<TopologyItem> _items = [];

    private IEnumerable<TopologyItem> InOrder => _items.OrderBy(item => item.Kind);

    /// <summary>Adds an exchange. What is there already, and is the same, is added once.</summary>
    /// <param name="exchange">Its name, at most 255 bytes.</param>
    /// <param name="type">Its type: direct, fanout, topic, headers, or one of a plugin.</param>
    /// <param name="options">Its options; durable when left out.</param>
    /// <returns>This topology.</returns>
    /// <exception cref="ArgumentException">The name is empty, or there is another exchange of it.</exception>
    public WireTopology AddExchange(string exchange, string type = "direct", AmqpExchangeOptions? options = null) =>
        Add(TopologyItem.Exchange(exchange, type, options ?? AmqpExchangeOptions.Default));

    /// <summary>Adds a queue. What is there already, and is the same, is added once.</summary>
    /// <param name="queue">Its name, at most 255 bytes.</param>
    /// <param name="options">Its options; durable when left out.</param>
    /// <returns>This topology.</returns>
    /// <exception cref="ArgumentException">
    /// The name is empty, an option is out of range, or there is another queue of that name.
    /// </exception>
    public WireTopology AddQueue(string queue, AmqpQueueOptions? options = null) =>
        Add(TopologyItem.Queue(queue, options ?? AmqpQueueOptions.Default));

    /// <summary>Binds a queue to an exchange. Both are added here, or are at the broker.</summary>
    /// <param name="queue">The queue.</param>
    /// <param name="exchange">The exchange.</param>
    /// <param name="routingKey">The routing key, or its pattern; none when left out.</param>
    /// <param name="arguments">Arguments, as those of an exchange of type headers; none when left out.</param>
    /// <returns>This topology.</returns>
    /// <exception cref="ArgumentException">A name is empty.</exception>
    public WireTopology BindQueue(
        string queue, string exchange, string routingKey = "", IReadOnlyDictionary<string, object?>? arguments = null) =>
        Add(TopologyItem.Binding(isOfQueue: true, queue, exchange, routingKey, arguments));

    /// <summary>Binds an exchange to another, whose messages it gets. Both are added here, or are at the broker.</summary>
    /// <param name="destination">The exchange that gets them.</param>
    /// <param name="source">The exchange that they come from.</param>
    /// <param name="routingKey">The routing key, or its pattern; none when left out.</param>
    /// <param name="arguments">Arguments, as those of an exchange of type headers; none when left out.</param>
    /// <returns>This topology.</returns>
    /// <exception cref="ArgumentException">A name is empty.</exception>
    public WireTopology BindExchange(
        string destination, string source, string routingKey = "", IReadOnlyDictionary<string, object?>? arguments = null) =>
        Add(TopologyItem.Binding(isOfQueue: false, destination, source, routingKey, arguments));

    /// <summary>Adds all of another topology.</summary>
    /// <param name="other">The other one.</param>
    /// <returns>This topology.</returns>
    /// <exception cref="ArgumentException">An exchange or queue of it is here, and is another.</exception>
    public WireTopology Add(WireTopology other)
    {
        ArgumentNullException.ThrowIfNull(other);
        foreach (TopologyItem item in other._items)
        {
            Add(item);
        }

        return this;
    }

    /// <summary>
    /// Declares it: exchanges, then queues, then bindings. What is there already stays as it is. Where the user may not declare an exchange
    /// or queue, it is enough that there is one of that name.
    /// </summary>
    /// <param name="topology">Where to: <see cref="WireConnection.Topology"/>.</param>
    /// <param name="cancellationToken">Ends the attempt; some of it may be declared.</param>
    /// <exception cref="InvalidOperationException">
    /// The broker refuses a part, which is there and is another, or may not be declared. Its words are in the message and the inner
    /// exception.
    /// </exception>
    /// <exception cref="AmqpConnectionException">There is no connection, or it went down meanwhile.</exception>
    public async Task DeclareAsync(IAmqpTopology topology, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(topology);
        foreach (TopologyItem item in InOrder)
        {
            await item.DeclareAsync(topology, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Returns a line for each exchange, queue and binding, in the order in which they are declared.</summary>
    public override string ToString() => string.Join('\n', InOrder.Select(item => item.Text));

    /// <summary>Adds one exchange, queue or binding.</summary>
    internal WireTopology Add(TopologyItem item)
    {
        if (_items.Find(item.IsSameAs) is not { } known)
        {
            _items.Add(item);
        }
        else if (known.Text != item.Text)
        {
            throw new ArgumentException(
                $"It is here already, and is another: '{known.Text}' and not '{item.Text}'. Add it once, or the same each time.");
        }

        return this;
    }
}
