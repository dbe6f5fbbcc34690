using Microsoft.Extensions.DependencyInjection;
using Wire.Amqp.Client;
using Wire.RabbitMQ.Hosting;

namespace Wire.RabbitMQ;

/// <summary>Configures the consumers and declarations that the host starts: <see cref="WireRabbitMQServices.AddWireRabbitMQ"/>.</summary>
public sealed class WireRabbitMQBuilder
{
    internal WireRabbitMQBuilder(IServiceCollection services) => Services = services;

    /// <summary>The services that it adds to.</summary>
    public IServiceCollection Services { get; }

    /// <summary>Adds a consumer of a queue, with the options as they are unless set.</summary>
    /// <param name="queue">The queue.</param>
    /// <param name="configure">Adds its handlers.</param>
    /// <exception cref="ArgumentException">It has no handler, or two for a type.</exception>
    public WireRabbitMQBuilder AddConsumer(string queue, Action<WireConsumerBuilder> configure) =>
        AddConsumer(new WireConsumerOptions { Queue = queue }, configure);

    /// <summary>Adds a consumer. It is started and stopped with the host: stopping waits for the handlers that run.</summary>
    /// <param name="options">The options of the consumer.</param>
    /// <param name="configure">Adds its handlers.</param>
    /// <exception cref="ArgumentException">An option is out of range, or it has no handler, or two for a type.</exception>
    public WireRabbitMQBuilder AddConsumer(WireConsumerOptions options, Action<WireConsumerBuilder> configure)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(configure);
        options.Validate();
        var consumer = new WireConsumerBuilder(Services, options);
        configure(consumer);
        Services.AddSingleton(consumer.Build());
        return this;
    }

    /// <summary>
    /// Adds a function that declares exchanges, queues and bindings when the host starts, before its consumers; in the order of the calls.
    /// </summary>
    /// <param name="declare">Declares, on the connection that consumes.</param>
    public WireRabbitMQBuilder Declare(Func<IAmqpTopology, CancellationToken, Task> declare)
    {
        ArgumentNullException.ThrowIfNull(declare);
        Services.AddSingleton(new DeclarationRegistration(declare));
        return this;
    }
}
