using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Wire.Amqp.Client;
using Wire.RabbitMQ.Hosting;

namespace Wire.RabbitMQ;

/// <summary>
/// Configures the consumers and declarations of a broker that the host starts: <see
/// cref="WireRabbitMQServices.AddWireRabbitMQ(IServiceCollection, Action{WireRabbitMQOptions})"/>. Not thread-safe.
/// </summary>
public sealed class WireRabbitMQBuilder
{
    private readonly HostedBroker _broker;

    internal WireRabbitMQBuilder(IServiceCollection services, HostedBroker broker) => (Services, _broker) = (services, broker);

    /// <summary>The services that it adds to.</summary>
    public IServiceCollection Services { get; }

    /// <summary>Gets the name of the broker, which is the key of its services; null for the one without a name.</summary>
    public string? Name => _broker.Name;

    /// <summary>Gets the options of publishers, with the conventions as they are set by now.</summary>
    internal WirePublisherOptions PublisherOptions => _broker.Options.EffectivePublisher;

    /// <summary>Adds a consumer of a queue, with the options as they are unless set.</summary>
    /// <param name="queue">The queue.</param>
    /// <param name="configure">Adds its handlers.</param>
    /// <exception cref="ArgumentException">It has no handler, or two for a type.</exception>
    public WireRabbitMQBuilder AddConsumer(string queue, Action<WireConsumerBuilder> configure) =>
        AddConsumer(new WireConsumerOptions { Queue = queue }, configure);

    /// <summary>Adds a consumer. It is started and stopped with the host: stopping waits for the handlers that run.</summary>
    /// <param name="options">The options of the consumer. What the configuration says of it replaces them.</param>
    /// <param name="configure">Adds its handlers.</param>
    /// <exception cref="ArgumentException">An option is out of range, or it has no handler, or two for a type.</exception>
    public WireRabbitMQBuilder AddConsumer(WireConsumerOptions options, Action<WireConsumerBuilder> configure)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(configure);
        options.Validate();
        var consumer = new WireConsumerBuilder(Services, options);
        configure(consumer);
        _broker.Consumers.Add(consumer.Build());
        return this;
    }

    /// <summary>
    /// Has the queues of all consumers, the exchanges of the types that they handle and the bindings between them declared by conventions,
    /// and messages that are published without an exchange go to that of their type: sets <see cref="WireRabbitMQOptions.Conventions"/>.
    /// </summary>
    /// <param name="conventions">The conventions; <see cref="WireConventions.Default"/> when left out.</param>
    public WireRabbitMQBuilder UseConventions(WireConventions? conventions = null)
    {
        _broker.Conventions = conventions ?? WireConventions.Default;
        return this;
    }

    /// <summary>
    /// Adds middleware of the publisher, inside of what was added before: a service that is registered as a singleton if not registered
    /// yet. <see cref="WirePublisherOptions.Middleware"/>, which says what does not go through it.
    /// </summary>
    /// <typeparam name="TMiddleware">The service.</typeparam>
    public WireRabbitMQBuilder UsePublish<
        [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TMiddleware>()
        where TMiddleware : class, IPublishMiddleware
    {
        Services.TryAddSingleton<TMiddleware>();
        _broker.PublishMiddleware.Add(static provider => provider.GetRequiredService<TMiddleware>());
        return this;
    }

    /// <summary>
    /// Returns the topology that was added, and that of all consumers that were, as they are declared when the host starts: to print it,
    /// or to declare it elsewhere. It has neither the work of <see cref="Declare(Func{IAmqpTopology, CancellationToken, Task})"/> nor the
    /// exchanges of types that are only published.
    /// </summary>
    /// <exception cref="ArgumentException">Two consumers contradict each other.</exception>
    /// <exception cref="InvalidOperationException">The configuration of a consumer has mistakes.</exception>
    public WireTopology DescribeTopology()
    {
        WireTopology topology = new WireTopology().Add(_broker.Declared);
        foreach (ConsumerRegistration consumer in _broker.Consumers)
        {
            topology.Add(_broker.OptionsOf(consumer).Describe(consumer.Types));
        }

        return topology;
    }

    /// <summary>Adds a topology that is declared when the host starts, before its consumers.</summary>
    /// <param name="topology">The topology.</param>
    /// <exception cref="ArgumentException">It contradicts one that was added before.</exception>
    public WireRabbitMQBuilder Declare(WireTopology topology)
    {
        ArgumentNullException.ThrowIfNull(topology);
        _broker.Declared.Add(topology);

        // A copy, as the program may add to its own.
        return Declare(new WireTopology().Add(topology).DeclareAsync);
    }

    /// <summary>
    /// Adds a function that declares exchanges, queues and bindings when the host starts, before its consumers; in the order of the calls.
    /// </summary>
    /// <param name="declare">Declares, on the connection that consumes.</param>
    public WireRabbitMQBuilder Declare(Func<IAmqpTopology, CancellationToken, Task> declare)
    {
        ArgumentNullException.ThrowIfNull(declare);
        _broker.Declarations.Add(new Declaration(declare));
        return this;
    }
}
