using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Wire.Amqp.Client;
using Wire.RabbitMQ;

namespace Shop;

/// <summary>Two brokers in one host, as docs/rabbitmq-hosting.md shows them; here they are the same node.</summary>
internal static class Hosting
{
    public static async Task RunAsync(Uri uri)
    {
        string queue = $"shop-{Guid.NewGuid():N}";
        string orders = uri.ToString();
        string shipping = uri.ToString();
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Logging.AddConsole().SetMinimumLevel(LogLevel.Error);
        builder.Services.AddHealthChecks().AddWireRabbitMQ(broker: "orders").AddWireRabbitMQ(broker: "shipping");
        IServiceCollection services = builder.Services;

        #region named
        services.AddWireRabbitMQ("orders", options => options.UseConnectionString(orders))
            .Declare((topology, token) => topology.DeclareQueueAsync(queue, cancellationToken: token))
            .AddConsumer(queue, consumer => consumer.Handle<OrderPlaced, Shipping>());
        services.AddWireRabbitMQ("shipping", options => options.UseConnectionString(shipping));
        #endregion

        using IHost host = builder.Build();
        await host.StartAsync();
        await host.Services.GetRequiredKeyedService<WirePublisher>("orders")
            .PublishAsync("", queue, new OrderPlaced(Guid.NewGuid(), "Ada", 30m));
        HealthReport health = await host.Services.GetRequiredService<HealthCheckService>().CheckHealthAsync();
        foreach ((string name, HealthReportEntry entry) in health.Entries)
        {
            Console.WriteLine($"  {name}: {entry.Status}. {entry.Description}");
        }

        IAmqpTopology topology = (await host.Services.GetRequiredKeyedService<WireConnections>("orders").GetConsumingAsync()).Topology;
        await topology.DeleteQueueAsync(queue);
        await topology.DeleteQueueAsync($"{queue}.error");
        await host.StopAsync();
    }
}

#region shipping
internal sealed class Shipping([FromKeyedServices("shipping")] WirePublisher publisher) : IMessageHandler<OrderPlaced>
{
    public Task HandleAsync(OrderPlaced order, MessageContext context) =>
        publisher.PublishAsync(new OrderShipped(order.Id, DateTime.UtcNow, 1), new PublishOptions { Mandatory = false }).AsTask();
}
#endregion
