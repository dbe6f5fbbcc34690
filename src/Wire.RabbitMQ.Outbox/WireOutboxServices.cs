using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Wire.RabbitMQ.Outbox.Hosting;

namespace Wire.RabbitMQ.Outbox;

/// <summary>An outbox and an inbox as services of a program.</summary>
public static class WireOutboxServices
{
    /// <summary>
    /// Adds <see cref="OutboxStore"/>, <see cref="WireOutbox"/>, <see cref="WireInbox"/> and <see cref="OutboxSender"/>, each as a
    /// singleton, and a hosted service that sends while the host runs. The tables have to be there: <see
    /// cref="OutboxStore.EnsureCreatedAsync"/>. For a broker with a name, that is the key of the services.
    /// </summary>
    /// <param name="builder">The services for RabbitMQ, whose serializer, publisher and conventions are used.</param>
    /// <param name="store">The database.</param>
    /// <param name="options">The options of the sender; the defaults when left out.</param>
    /// <exception cref="InvalidOperationException">It has been called for this broker before.</exception>
    public static WireRabbitMQBuilder AddWireOutbox(
        this WireRabbitMQBuilder builder, OutboxStore store, OutboxSenderOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(store);
        return builder.AddWireOutbox(_ => store, options);
    }

    /// <summary>Adds the same, with a database that is made of the program's services, such as its data source.</summary>
    /// <param name="builder">The services for RabbitMQ.</param>
    /// <param name="store">Makes the database. Called once.</param>
    /// <param name="options">The options of the sender; the defaults when left out.</param>
    /// <inheritdoc cref="AddWireOutbox(WireRabbitMQBuilder, OutboxStore, OutboxSenderOptions?)"/>
    public static WireRabbitMQBuilder AddWireOutbox(
        this WireRabbitMQBuilder builder, Func<IServiceProvider, OutboxStore> store, OutboxSenderOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentNullException.ThrowIfNull(store);
        string? name = builder.Name;
        if (builder.Services.Any(service => service.ServiceType == typeof(WireOutbox) && Equals(service.ServiceKey, name)))
        {
            throw new InvalidOperationException(
                "AddWireOutbox has been called for these services already: call it once for each broker, or make further " +
                "outboxes by hand.");
        }

        // A key that is null is none.
        builder.Services.AddKeyedSingleton(name, (provider, _) => store(provider));
        builder.Services.AddKeyedSingleton(name, (provider, _) => new WireOutbox(
            provider.GetRequiredKeyedService<OutboxStore>(name),
            provider.GetRequiredKeyedService<WireBodySerializer>(name),
            builder.PublisherOptions.Conventions));
        builder.Services.AddKeyedSingleton(name, (provider, _) => new WireInbox(provider.GetRequiredKeyedService<OutboxStore>(name)));
        builder.Services.AddKeyedSingleton(name, (provider, _) => new OutboxSender(
            provider.GetRequiredKeyedService<OutboxStore>(name),
            provider.GetRequiredKeyedService<WirePublisher>(name),
            options,
            provider.GetService<ILogger<OutboxSender>>()));
        builder.Services.AddSingleton<IHostedService>(provider => new SenderHost(provider.GetRequiredKeyedService<OutboxSender>(name)));
        return builder;
    }
}
