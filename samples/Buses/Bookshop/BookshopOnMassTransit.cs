using MassTransit;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Buses.Bookshop;

/// <summary>The service of docs/rabbitmq-coming-from.md with MassTransit; it runs on its transport within a process.</summary>
internal static class BookshopOnMassTransit
{
    public static async Task Run()
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(null);
        var notes = new Notes();
        builder.Services.AddSingleton(notes);
        builder.Services.AddScoped<Bank>();
        builder.Services.AddMassTransit(bus =>
        {
            AddConsumers(bus);
            bus.UsingInMemory(Configure);
        });
        using IHost host = builder.Build();
        await host.StartAsync();
        await using (AsyncServiceScope scope = host.Services.CreateAsyncScope())
        {
            IServiceProvider services = scope.ServiceProvider;
            await PublishAsync(
                services.GetRequiredService<IPublishEndpoint>(),
                services.GetRequiredService<IMessageScheduler>(),
                services.GetRequiredService<IRequestClient<PriceOf>>());
        }

        await notes.WaitForAsync("invoice", 1);
        await notes.WaitForAsync("event for north", 1); // by the filter of what is published
        await notes.WaitForAsync("event", 2);
        Console.WriteLine("MassTransit: the bookshop's messages were handled");
        await host.StopAsync();
    }

    /// <summary>Adds the same service over RabbitMQ.</summary>
    public static void Add(IServiceCollection services, Uri uri)
    {
        #region masstransit service
        services.AddMassTransit(bus =>
        {
            AddConsumers(bus);
            bus.UsingRabbitMq((context, rabbit) =>
            {
                rabbit.Host(uri);
                Configure(context, rabbit);
            });
        });
        #endregion
    }

    #region masstransit endpoints
    private static void AddConsumers(IBusRegistrationConfigurator bus)
    {
        bus.AddDelayedMessageScheduler(); // over RabbitMQ by the plugin for delayed messages
        bus.AddConsumers(typeof(BillingConsumer), typeof(AuditConsumer), typeof(InvoiceConsumer), typeof(PriceConsumer));
        bus.AddRequestClient<PriceOf>(new Uri("queue:bookshop-prices"));
    }

    private static void Configure<T>(IBusRegistrationContext context, IBusFactoryConfigurator<T> bus) where T : IReceiveEndpointConfigurator
    {
        bus.UseDelayedMessageScheduler();
        bus.UsePublishFilter(typeof(TenantFilter<>), context);
        bus.ReceiveEndpoint("bookshop-billing", endpoint =>
        {
            endpoint.UseDelayedRedelivery(retry => retry.Intervals(1000, 2000, 4000));
            endpoint.UseMessageRetry(retry => retry.Immediate(1));
            endpoint.ConfigureConsumer<BillingConsumer>(context);
        });
        bus.ReceiveEndpoint("bookshop-audit", endpoint => endpoint.ConfigureConsumer<AuditConsumer>(context));
        bus.ReceiveEndpoint("bookshop-invoices", endpoint => endpoint.ConfigureConsumer<InvoiceConsumer>(context));
        bus.ReceiveEndpoint("bookshop-prices", endpoint => endpoint.ConfigureConsumer<PriceConsumer>(context));
    }
    #endregion

    private static async Task PublishAsync(IPublishEndpoint publisher, IMessageScheduler scheduler, IRequestClient<PriceOf> client)
    {
        #region masstransit publish
        Response<Price> price = await client.GetResponse<Price>(new PriceOf("Emma"));
        var order = new OrderPlaced(Guid.NewGuid(), "Ada", price.Message.Amount);
        await publisher.Publish(order);
        await scheduler.ScheduleSend(
            new Uri("queue:bookshop-audit"), DateTime.UtcNow.AddSeconds(2), new OrderShipped(order.OrderId, 1));
        #endregion
    }

    #region masstransit handler
    internal sealed class BillingConsumer(Bank bank) : IConsumer<OrderPlaced>
    {
        public async Task Consume(ConsumeContext<OrderPlaced> context)
        {
            await bank.ChargeAsync(context.Message);
            await context.Send(new Uri("queue:bookshop-invoices"), new SendInvoice(context.Message.OrderId, context.Message.Total));
        }
    }
    #endregion

    internal sealed class TenantFilter<T> : IFilter<PublishContext<T>>
        where T : class
    {
        public Task Send(PublishContext<T> context, IPipe<PublishContext<T>> next)
        {
            context.Headers.Set("tenant", "north");
            return next.Send(context);
        }

        public void Probe(ProbeContext context) => context.CreateFilterScope("tenant");
    }

    internal sealed class AuditConsumer(Notes notes) : IConsumer<IShopEvent>
    {
        public Task Consume(ConsumeContext<IShopEvent> context)
        {
            notes.Add("event");
            notes.Add($"event for {context.Headers.Get<string>("tenant")}");
            return Task.CompletedTask;
        }
    }

    internal sealed class InvoiceConsumer(Notes notes) : IConsumer<SendInvoice>
    {
        public Task Consume(ConsumeContext<SendInvoice> context)
        {
            notes.Add("invoice");
            return Task.CompletedTask;
        }
    }

    internal sealed class PriceConsumer : IConsumer<PriceOf>
    {
        public Task Consume(ConsumeContext<PriceOf> context) => context.RespondAsync(new Price(19.90m, "EUR"));
    }
}
