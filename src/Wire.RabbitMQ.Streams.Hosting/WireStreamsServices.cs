using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using Wire.RabbitMQ.Streams.Hosting.Services;
using Wire.Runtime;

namespace Wire.RabbitMQ.Streams.Hosting;

/// <summary>Wire.RabbitMQ.Streams as services of a program.</summary>
public static class WireStreamsServices
{
    /// <summary>
    /// Adds <see cref="StreamClient"/> and <see cref="WireStreamProducers"/>, each as a singleton, and a hosted service that runs the
    /// consumers added to the result. Connections are made on first use.
    /// </summary>
    /// <param name="services">The services. Dispose of what is built from them with DisposeAsync, as hosts do.</param>
    /// <param name="options">Makes the options of the client, when it is first needed.</param>
    /// <returns>The builder, to which streams and consumers are added.</returns>
    /// <exception cref="InvalidOperationException">Streams without a name have been added to these services before.</exception>
    [RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
    [RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
    public static WireStreamsBuilder AddWireStreams(
        this IServiceCollection services, Func<IServiceProvider, StreamClientOptions> options) =>
        Add(services, null, options);

    /// <summary>
    /// Adds the same services for one broker of several: under its name as their key, as in <c>[FromKeyedServices("orders")] StreamClient
    /// client</c>. Each has its own client, producers and consumers.
    /// </summary>
    /// <param name="services">The services. Dispose of what is built from them with DisposeAsync, as hosts do.</param>
    /// <param name="name">The name, which is not empty.</param>
    /// <param name="options">Makes the options of the client, when it is first needed.</param>
    /// <returns>The builder, to which streams and consumers of this broker are added.</returns>
    /// <exception cref="ArgumentException">The name is empty.</exception>
    /// <exception cref="InvalidOperationException">Streams of this name have been added to these services before.</exception>
    [RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
    [RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
    public static WireStreamsBuilder AddWireStreams(
        this IServiceCollection services, string name, Func<IServiceProvider, StreamClientOptions> options)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        return Add(services, name, options);
    }

    /// <summary>
    /// Adds a check of streams: healthy while all consumers are subscribed and all producers connected. It is degraded while one of them
    /// is reconnecting, or a consumer has too much before it, and has <paramref name="failureStatus"/> where a consumer has ended or was
    /// not started, or a producer has ended. The description says what is wrong, and the data has each consumer and producer.
    /// </summary>
    /// <remarks>It looks at what the program has: the broker is not asked. It never throws.</remarks>
    /// <param name="builder">The health checks.</param>
    /// <param name="name">The name of the check; null for <c>streams</c>, and <c>streams-NAME</c> of a broker with a name.</param>
    /// <param name="broker">The name of the broker, as it was added; null for the one without a name.</param>
    /// <param name="failureStatus">The status for what is wrong; null for <see cref="HealthStatus.Unhealthy"/>.</param>
    /// <param name="tags">Tags of the check, by which programs choose checks; null for none.</param>
    /// <param name="maxLag">The most messages that a consumer may have before it: 0 and more; null for any number.</param>
    /// <returns>The health checks.</returns>
    public static IHealthChecksBuilder AddWireStreams(
        this IHealthChecksBuilder builder,
        string? name = null,
        string? broker = null,
        HealthStatus? failureStatus = null,
        IEnumerable<string>? tags = null,
        long? maxLag = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        if (maxLag is { } most)
        {
            ArgumentOutOfRangeException.ThrowIfNegative(most, nameof(maxLag));
        }

        return builder.Add(new HealthCheckRegistration(
            name ?? (broker is null ? "streams" : $"streams-{broker}"),
            provider => new StreamHealthCheck(provider.GetKeyedService<StreamHost>(broker), broker, maxLag),
            failureStatus,
            tags));
    }

    [RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
    [RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
    private static WireStreamsBuilder Add(
        IServiceCollection services, string? name, Func<IServiceProvider, StreamClientOptions> options)
    {
        ArgumentNullException.ThrowIfNull(services);
        ArgumentNullException.ThrowIfNull(options);
        if (services.Any(service => service.ServiceType == typeof(StreamHost) && Equals(service.ServiceKey, name)))
        {
            throw new InvalidOperationException(
                $"AddWireStreams has been called for {(name is null ? "the broker without a name" : $"the broker '{name}'")} of these "
                + "services already: add consumers to what it returns, and give another broker a name of its own.");
        }

        // A key that is null is none, here as where the services are asked for.
        var registrations = new StreamRegistrations(name);
        services.AddKeyedSingleton(name, (provider, _) => StreamRegistrations.CreateClient(provider, options(provider)));
        services.AddKeyedSingleton(name, (provider, _) => new WireStreamProducers(
            provider.GetRequiredKeyedService<StreamClient>(name), registrations.Producers));
        services.AddKeyedSingleton(name, (provider, _) => new StreamHost(
            provider, registrations, HostingLog.Find(provider)));
        services.AddSingleton<IHostedService>(provider => provider.GetRequiredKeyedService<StreamHost>(name));
        return new WireStreamsBuilder(services, registrations);
    }
}
