using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.DependencyInjection;
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
    /// <exception cref="InvalidOperationException">It has been called for these services before.</exception>
    [RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
    [RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
    public static WireRabbitMQBuilder AddWireRabbitMQ(this IServiceCollection services, Action<WireRabbitMQOptions> configure)
    {
        ArgumentNullException.ThrowIfNull(services);
        ArgumentNullException.ThrowIfNull(configure);
        if (services.Any(service => service.ServiceType == typeof(WireConnections)))
        {
            throw new InvalidOperationException(
                "AddWireRabbitMQ has been called for these services already: call it once, and add consumers to what it returns.");
        }

        var options = new WireRabbitMQOptions();
        configure(options);
        options.Validate();
        var bodies = new WireBodySerializer(options.Serializer, options.Body);
        services.AddSingleton(options.ConfigureBodies?.Invoke(bodies) ?? bodies);

        // A program without logging has no loggers.
        services.AddSingleton(provider => new WireConnections(options, provider.GetService<ILogger<WireConnections>>()));
        services.AddSingleton<HostedPublisher>();
        services.AddSingleton(provider => provider.GetRequiredService<HostedPublisher>().Add(new WirePublisher(
            provider.GetRequiredService<WireConnections>().GetPublishingAsync,
            provider.GetRequiredService<WireBodySerializer>(),
            options.EffectivePublisher,
            provider.GetService<ILogger<WirePublisher>>())));
        services.AddSingleton(provider => new WireRequester(
            provider.GetRequiredService<WireConnections>().GetPublishingAsync,
            provider.GetRequiredService<WireBodySerializer>(),
            options.Requester,
            provider.GetService<ILogger<WireRequester>>()));
        services.AddSingleton<IHostedService>(provider => new ConsumerHost(
            provider,
            provider.GetRequiredService<HostedPublisher>(),
            options,
            [.. provider.GetServices<DeclarationRegistration>()],
            [.. provider.GetServices<ConsumerRegistration>()]));
        return new WireRabbitMQBuilder(services, options);
    }
}
