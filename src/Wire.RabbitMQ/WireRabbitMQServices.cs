using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Wire.RabbitMQ.Hosting;
using Wire.Runtime;

namespace Wire.RabbitMQ;

/// <summary>Wire.RabbitMQ as services of a program.</summary>
public static class WireRabbitMQServices
{
    /// <summary>
    /// Adds <see cref="WirePublisher"/>, <see cref="WireRequester"/>, <see cref="WireBodySerializer"/> and <see cref="WireConnections"/>,
    /// each as a singleton, and a hosted service that runs the declarations and consumers added to the result. Connections are made on
    /// first use.
    /// </summary>
    /// <param name="services">The services. Dispose of what is built from them with DisposeAsync, as hosts do.</param>
    /// <param name="configure">Sets the options. Called at once, so that mistakes are found here.</param>
    /// <returns>The builder, to which consumers and declarations are added.</returns>
    /// <exception cref="ArgumentException">An option is out of range, or options contradict each other.</exception>
    /// <exception cref="InvalidOperationException">A broker without a name has been added to these services before.</exception>
    [RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
    [RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
    public static WireRabbitMQBuilder AddWireRabbitMQ(this IServiceCollection services, Action<WireRabbitMQOptions> configure)
    {
        ArgumentNullException.ThrowIfNull(configure);
        return Add(services, null, null, configure);
    }

    /// <summary>
    /// Adds the same services for one broker of several: under its name as their key, as in <c>[FromKeyedServices("orders")] WirePublisher
    /// publisher</c>. Each broker has its own connections, options and consumers.
    /// </summary>
    /// <param name="services">The services. Dispose of what is built from them with DisposeAsync, as hosts do.</param>
    /// <param name="name">The name, which is not empty. It is in the names of the connections at the broker, too.</param>
    /// <param name="configure">Sets the options. Called at once, so that mistakes are found here.</param>
    /// <returns>The builder, to which the consumers and declarations of this broker are added.</returns>
    /// <exception cref="ArgumentException">The name is empty, an option is out of range, or options contradict each other.</exception>
    /// <exception cref="InvalidOperationException">A broker of this name has been added to these services before.</exception>
    [RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
    [RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
    public static WireRabbitMQBuilder AddWireRabbitMQ(
        this IServiceCollection services, string name, Action<WireRabbitMQOptions> configure)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        ArgumentNullException.ThrowIfNull(configure);
        return Add(services, name, null, configure);
    }

    /// <summary>
    /// Adds the same services as <see cref="AddWireRabbitMQ(IServiceCollection, Action{WireRabbitMQOptions})"/>, with options from the
    /// configuration, whose keys are the names of the options. It is read once, when the host starts or a service is first asked for, and
    /// what it says replaces what was set in code. Whatever is wrong in it, an unknown key included, is then one <see
    /// cref="InvalidOperationException"/> that names all of it.
    /// </summary>
    /// <param name="services">The services. Dispose of what is built from them with DisposeAsync, as hosts do.</param>
    /// <param name="section">The section, which has to exist, such as <c>builder.Configuration.GetSection("RabbitMQ")</c>.</param>
    /// <param name="configure">Sets options in code, at once; null for none.</param>
    /// <returns>The builder, to which consumers and declarations are added.</returns>
    /// <exception cref="ArgumentException">An option set in code is out of range, or options contradict each other.</exception>
    /// <exception cref="InvalidOperationException">A broker without a name has been added to these services before.</exception>
    [RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
    [RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
    public static WireRabbitMQBuilder AddWireRabbitMQ(
        this IServiceCollection services, IConfigurationSection section, Action<WireRabbitMQOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(section);
        return Add(services, null, section, configure);
    }

    /// <summary>
    /// Adds the same services for one broker of several, with options from the configuration: the two overloads with a name and with a
    /// section have the rest.
    /// </summary>
    /// <param name="services">The services. Dispose of what is built from them with DisposeAsync, as hosts do.</param>
    /// <param name="name">The name, which is not empty.</param>
    /// <param name="section">The section, which has to exist.</param>
    /// <param name="configure">Sets options in code, at once; null for none.</param>
    /// <returns>The builder, to which the consumers and declarations of this broker are added.</returns>
    /// <exception cref="ArgumentException">The name is empty, or an option set in code is out of range.</exception>
    /// <exception cref="InvalidOperationException">A broker of this name has been added to these services before.</exception>
    [RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
    [RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
    public static WireRabbitMQBuilder AddWireRabbitMQ(
        this IServiceCollection services, string name, IConfigurationSection section, Action<WireRabbitMQOptions>? configure = null)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        ArgumentNullException.ThrowIfNull(section);
        return Add(services, name, section, configure);
    }

    /// <summary>
    /// Adds a check of a broker: healthy while its connections are open and all its consumers consume. It is degraded while the broker
    /// blocks publishers, a connection is being made for the first time, a consumer cannot consume for now, or has too much before it. It
    /// has <paramref name="failureStatus"/> while a connection is down, and where a consumer has ended or was not started. The description
    /// says what is wrong, and the data has each connection and consumer.
    /// </summary>
    /// <remarks>It looks at what the program has: the broker is asked only where the options say so. It never throws.</remarks>
    /// <param name="builder">The health checks.</param>
    /// <param name="name">The name of the check; null for <c>rabbitmq</c>, and <c>rabbitmq-NAME</c> of a broker with a name.</param>
    /// <param name="broker">The name of the broker, as it was added; null for the one without a name.</param>
    /// <param name="failureStatus">The status for what is wrong; null for <see cref="HealthStatus.Unhealthy"/>.</param>
    /// <param name="tags">Tags of the check, by which programs choose checks; null for none.</param>
    /// <param name="options">Options of the check; null for the defaults.</param>
    /// <returns>The health checks.</returns>
    public static IHealthChecksBuilder AddWireRabbitMQ(
        this IHealthChecksBuilder builder,
        string? name = null,
        string? broker = null,
        HealthStatus? failureStatus = null,
        IEnumerable<string>? tags = null,
        WireHealthCheckOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        return builder.Add(new HealthCheckRegistration(
            name ?? (broker is null ? "rabbitmq" : $"rabbitmq-{broker}"),
            provider => new BrokerHealthCheck(provider.GetKeyedService<ConsumerHost>(broker), broker, options ?? new()),
            failureStatus,
            tags));
    }

    [RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
    [RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
    private static WireRabbitMQBuilder Add(
        IServiceCollection services, string? name, IConfigurationSection? section, Action<WireRabbitMQOptions>? configure)
    {
        ArgumentNullException.ThrowIfNull(services);
        if (services.Any(service => service.ServiceType == typeof(WireConnections) && Equals(service.ServiceKey, name)))
        {
            throw new InvalidOperationException(
                $"AddWireRabbitMQ has been called for {(name is null ? "the broker without a name" : $"the broker '{name}'")} of these " +
                "services already: add consumers to what it returns, and give another broker a name of its own.");
        }

        var options = new WireRabbitMQOptions();
        configure?.Invoke(options);
        options.Validate();
        var broker = new HostedBroker(name, options, section);
        services.AddSingleton(broker);

        // A key that is null is none, here as where the services are asked for. A program without logging has no loggers.
        var bodies = new WireBodySerializer(options.Serializer, options.Body);
        services.AddKeyedSingleton(name, options.ConfigureBodies?.Invoke(bodies) ?? bodies);
        services.AddKeyedSingleton(name, (provider, _) => new WireConnections(broker, provider.GetService<ILogger<WireConnections>>()));
        services.AddKeyedSingleton(name, (_, _) => new HostedPublisher());
        services.AddKeyedSingleton(name, (provider, _) => provider.GetRequiredKeyedService<HostedPublisher>(name).Add(new WirePublisher(
            provider.GetRequiredKeyedService<WireConnections>(name).GetPublishingAsync,
            provider.GetRequiredKeyedService<WireBodySerializer>(name),
            broker.PublisherOptions(provider),
            provider.GetService<ILogger<WirePublisher>>())));
        services.AddKeyedSingleton(name, (provider, _) => new WireRequester(
            provider.GetRequiredKeyedService<WireConnections>(name).GetPublishingAsync,
            provider.GetRequiredKeyedService<WireBodySerializer>(name),
            broker.Options.Requester,
            provider.GetService<ILogger<WireRequester>>()));
        services.AddKeyedSingleton(name, (provider, _) => new ConsumerHost(provider, broker));
        services.AddSingleton<IHostedService>(provider => provider.GetRequiredKeyedService<ConsumerHost>(name));
        return new WireRabbitMQBuilder(services, broker);
    }
}
