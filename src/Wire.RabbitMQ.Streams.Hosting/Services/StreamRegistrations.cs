using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.Logging;
using Wire.Runtime;

namespace Wire.RabbitMQ.Streams.Hosting.Services;

/// <summary>The streams of a program, as they were added to its services.</summary>
/// <param name="name">The name of the broker, which is the key of its services; null for the one without a name.</param>
internal sealed class StreamRegistrations(string? name)
{
    /// <summary>Gets the name of the broker.</summary>
    public string? Name => name;

    /// <summary>Gets or sets the time for which handlers run on when the host stops.</summary>
    public TimeSpan StopTimeout { get; set; } = TimeSpan.FromSeconds(20);

    /// <summary>Gets what creates streams when the host starts, in this order.</summary>
    public List<Func<StreamClient, CancellationToken, Task>> Declarations { get; } = [];

    /// <summary>Gets the options of producers by their streams.</summary>
    public Dictionary<string, StreamProducerOptions> Producers { get; } = new(StringComparer.Ordinal);

    /// <summary>Gets the consumers.</summary>
    public List<ConsumerRegistration> Consumers { get; } = [];

    /// <summary>Creates the client, whose recoveries are logged where the options have nothing else in mind.</summary>
    [RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
    [RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
    public static StreamClient CreateClient(IServiceProvider provider, StreamClientOptions options)
    {
        ILogger? logger = HostingLog.Find(provider);
        return new StreamClient(options.OnRecovery is null && logger is not null
            ? options with { OnRecovery = recovery => HostingLog.Recovery(logger, recovery) }
            : options);
    }
}

/// <summary>A consumer that the host starts.</summary>
/// <param name="Stream">The stream, or super stream.</param>
/// <param name="Handler">The service that it needs; null for none.</param>
/// <param name="StartAsync">Starts it.</param>
internal sealed record ConsumerRegistration(string Stream, Type? Handler, ConsumerStart StartAsync);

/// <summary>Starts a consumer.</summary>
/// <param name="client">The client.</param>
/// <param name="provider">The services of the host.</param>
/// <param name="stopping">Fires when the host does not wait for handlers any longer.</param>
/// <param name="cancellationToken">Ends the attempt.</param>
internal delegate Task<HostedConsumer> ConsumerStart(
    StreamClient client, IServiceProvider provider, CancellationToken stopping, CancellationToken cancellationToken);
