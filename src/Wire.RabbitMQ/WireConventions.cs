using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using Wire.Amqp;
using Wire.Amqp.Client;
using Wire.Runtime;

namespace Wire.RabbitMQ;

/// <summary>
/// Exchanges and their names by the types of messages: each type has an exchange, to which its messages are published, and to which the
/// queues are bound whose consumers handle that type. Derive from it for other names. Thread-safe, as what is derived from it has to be.
/// </summary>
public class WireConventions
{
    /// <summary>Gets conventions of an exchange of type fanout for each type, named as the type is, without its bases.</summary>
    public static WireConventions Default { get; } = new();

    /// <summary>
    /// Gets the same conventions, and each exchange is bound to those of the base classes and interfaces of its type, so that a consumer of
    /// a base type gets all kinds of it.
    /// </summary>
    public static WireConventions WithBases { get; } = new() { BindsBases = true };

    /// <summary>Gets none: for a consumer in a host with conventions that has a queue of its own.</summary>
    public static WireConventions None { get; } = new();

    /// <summary>
    /// Gets whether the exchange of a type is bound to those of its bases: <see cref="BasesOf"/>. Publishers declare that with the
    /// exchange, when they publish a first message of the type. Off unless set.
    /// </summary>
    public bool BindsBases { get; init; }

    /// <summary>Gets the options of the exchanges: durable unless set.</summary>
    public AmqpExchangeOptions Exchanges { get; init; } = AmqpExchangeOptions.Default;

    /// <summary>
    /// Returns the name of the exchange of a type: that of its <see cref="WireNameAttribute"/>, or its full name as C# writes it, such as
    /// <c>Shop.Envelope&lt;Shop.Order&gt;</c>. At most 255 bytes, and not beginning with <c>amq.</c>.
    /// </summary>
    /// <param name="type">The type of messages.</param>
    /// <exception cref="ArgumentException">The name is too long.</exception>
    public virtual string ExchangeOf(Type type)
    {
        ArgumentNullException.ThrowIfNull(type);
        return !type.IsGenericType && type.GetCustomAttribute<WireNameAttribute>(inherit: false) is { } given
            ? given.Name
            : AmqpBody.TypeName(type) ?? throw new ArgumentException(
                $"The name of {type} is longer than the 255 bytes of an exchange's: override {nameof(ExchangeOf)}, and give it a shorter " +
                "one.");
    }

    /// <summary>Returns the type of the exchange of a type of messages: <c>fanout</c>, where routing keys are not looked at.</summary>
    /// <param name="type">The type of messages.</param>
    public virtual string ExchangeTypeOf(Type type) => "fanout";

    /// <summary>Returns the routing key that messages of a type are published with: none.</summary>
    /// <param name="type">The type of messages.</param>
    public virtual string RoutingKeyOf(Type type) => "";

    /// <summary>Returns the routing key that queues and other exchanges are bound with to the exchange of a type: none.</summary>
    /// <param name="type">The type of messages.</param>
    public virtual string BindingKeyOf(Type type) => "";

    /// <summary>
    /// Returns the bases of a type that have exchanges: its base classes but <see cref="object"/> and <see cref="ValueType"/>, and its
    /// interfaces, of those that are not of .NET (namespace System).
    /// </summary>
    /// <param name="type">The type of messages.</param>
    [UnconditionalSuppressMessage("Trimming", "IL2070", Justification = TrimmingAdvice.Inside)]
    public virtual IEnumerable<Type> BasesOf(Type type)
    {
        ArgumentNullException.ThrowIfNull(type);
        IEnumerable<Type> bases = type.GetInterfaces();
        for (Type? each = type.BaseType; each is not null; each = each.BaseType)
        {
            bases = bases.Append(each);
        }

        return bases.Where(each => !IsOfPlatform(each));
    }

    /// <summary>Returns the topology of a publisher of a type: its exchange, and those of its bases where they are bound.</summary>
    /// <param name="type">The type of messages.</param>
    /// <exception cref="ArgumentException">The conventions give no name to an exchange that the broker takes.</exception>
    public WireTopology TopologyOf(Type type)
    {
        ArgumentNullException.ThrowIfNull(type);
        var topology = new WireTopology();
        string exchange = Add(topology, type);
        foreach (Type each in BindsBases ? BasesOf(type) : [])
        {
            topology.BindExchange(Add(topology, each), exchange, BindingKeyOf(type));
        }

        return topology;
    }

    /// <summary>
    /// Returns the topology of a consumer: its queue, and the exchanges of the types that it handles, which the queue is bound to.
    /// </summary>
    /// <param name="queue">The queue.</param>
    /// <param name="options">The options of the queue; <see cref="AmqpQueueOptions.Default"/> when left out.</param>
    /// <param name="types">The types that are handled.</param>
    /// <exception cref="ArgumentException">
    /// The conventions give no name to an exchange that the broker takes, or nothing would ever come for a type.
    /// </exception>
    public WireTopology TopologyOf(string queue, AmqpQueueOptions? options, IEnumerable<Type> types)
    {
        ArgumentException.ThrowIfNullOrEmpty(queue);
        ArgumentNullException.ThrowIfNull(types);
        WireTopology topology = new WireTopology().AddQueue(queue, options);
        foreach (Type type in types)
        {
            CheckHandled(type);
            topology.BindQueue(queue, Add(topology, type), BindingKeyOf(type));
        }

        return topology;
    }

    private static bool IsOfPlatform(Type type) =>
        type.Namespace is { } name && (name == nameof(System) || name.StartsWith(nameof(System) + ".", StringComparison.Ordinal));

    // Conventions of the program may have one exchange for all kinds of a type.
    private void CheckHandled(Type type)
    {
        if (GetType() != typeof(WireConventions))
        {
            return;
        }

        if (type == typeof(object) || (type.IsAbstract && IsOfPlatform(type)))
        {
            throw new ArgumentException(
                $"No message would come to a handler of {type}, because types of .NET have no exchange for what is derived from them: " +
                $"handle a type of your own, or derive from {nameof(WireConventions)}.");
        }

        if (type.IsAbstract && !BindsBases)
        {
            throw new ArgumentException(
                $"No message would come to a handler of {type}, which is abstract: messages go to the exchanges of their own types. Use " +
                $"{nameof(WireConventions)}.{nameof(WithBases)}, for publishers as well, or handle the types that derive from it.");
        }
    }

    private string Add(WireTopology topology, Type type)
    {
        string exchange = ExchangeOf(type);
        if (string.IsNullOrEmpty(exchange) || exchange.StartsWith("amq.", StringComparison.Ordinal))
        {
            throw new ArgumentException(
                $"The name of the exchange of {type} is '{exchange}', which the broker does not take: give it another by [WireName], or " +
                $"override {nameof(ExchangeOf)}.");
        }

        topology.AddExchange(exchange, ExchangeTypeOf(type), Exchanges);
        return exchange;
    }
}
