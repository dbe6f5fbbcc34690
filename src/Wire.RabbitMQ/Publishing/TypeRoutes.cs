using System.Runtime.CompilerServices;
using Wire.Amqp.Client;
using Wire.Amqp.Client.Connections;

namespace Wire.RabbitMQ.Publishing;

/// <summary>
/// Publishes messages to the exchanges of their types, which it declares before a first message, and again when one was deleted.
/// Thread-safe.
/// </summary>
internal sealed class TypeRoutes(
    WirePublisher publisher, WireConventions conventions, Func<CancellationToken, Task<WireConnection>> connect)
{
    // By type, for its lifetime.
    private readonly ConditionalWeakTable<Type, Route> _routes = [];

    /// <summary>Publishes a message.</summary>
    public Task PublishAsync<T>(T message, PublishOptions? options, CancellationToken cancellationToken) => PublishAsync(
        message!.GetType(),
        route => publisher.PublishAsync(route.Exchange, route.RoutingKey, message, options, cancellationToken),
        cancellationToken);

    /// <summary>Publishes a message of a type.</summary>
    /// <param name="type">The type.</param>
    /// <param name="publish">Publishes it: twice, where the exchange was deleted.</param>
    /// <param name="cancellationToken">Ends the task.</param>
    public async Task PublishAsync(Type type, Func<Route, ValueTask> publish, CancellationToken cancellationToken)
    {
        if (conventions == WireConventions.None)
        {
            throw new InvalidOperationException(
                $"There are no conventions ({nameof(WireConventions)}.{nameof(WireConventions.None)}): publish with an exchange.");
        }

        Route route = _routes.GetValue(type, type => new Route(type, conventions));
        bool isNew = !route.IsDeclared;
        if (isNew)
        {
            await DeclareAsync(route, cancellationToken).ConfigureAwait(false);
        }

        try
        {
            await publish(route).ConfigureAwait(false);
        }
        catch (AmqpPublishException e) when (!isNew && e is { Failure: AmqpPublishFailure.Refused, ReplyCode: ReplyCodes.NotFound })
        {
            // The exchange was deleted. The broker has not taken the message.
            await DeclareAsync(route, cancellationToken).ConfigureAwait(false);
            await publish(route).ConfigureAwait(false);
        }
    }

    private async Task DeclareAsync(Route route, CancellationToken cancellationToken)
    {
        WireConnection connection = await connect(cancellationToken).ConfigureAwait(false);
        await route.Topology.DeclareAsync(connection.Topology, cancellationToken).ConfigureAwait(false);
        route.IsDeclared = true;
    }

    /// <summary>The way of the messages of a type.</summary>
    internal sealed class Route(Type type, WireConventions conventions)
    {
        private volatile bool _isDeclared;

        public WireTopology Topology { get; } = conventions.TopologyOf(type);

        public string Exchange { get; } = conventions.ExchangeOf(type);

        public string RoutingKey { get; } = conventions.RoutingKeyOf(type);

        public bool IsDeclared { get => _isDeclared; set => _isDeclared = value; }
    }
}
