using Wire.Amqp.Client;

namespace Wire.RabbitMQ.Hosting;

/// <summary>A consumer that the host starts.</summary>
/// <param name="Options">The options of the consumer, before the configuration is read.</param>
/// <param name="Types">The types that it handles.</param>
/// <param name="Handlers">The services that it needs.</param>
/// <param name="Steps">The steps that add its handlers.</param>
internal sealed record ConsumerRegistration(
    WireConsumerOptions Options,
    IReadOnlyCollection<Type> Types,
    IReadOnlyList<Type> Handlers,
    IReadOnlyList<Action<WireConsumer>> Steps);

/// <summary>Declares when the host starts.</summary>
internal delegate Task Declaration(IAmqpTopology topology, CancellationToken cancellationToken);
