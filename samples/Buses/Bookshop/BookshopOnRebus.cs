using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Rebus.Bus;
using Rebus.Config;
using Rebus.Handlers;
using Rebus.Pipeline;
using Rebus.Pipeline.Send;
using Rebus.Retry.Simple;
using Rebus.Routing.TypeBased;
using Rebus.Transport.InMem;

namespace Buses.Bookshop;

/// <summary>The service of docs/rabbitmq-coming-from.md with Rebus; it runs on its transport within a process.</summary>
internal static class BookshopOnRebus
{
    public static async Task Run()
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(null);
        var notes = new Notes();
        builder.Services.AddSingleton(notes);
        builder.Services.AddScoped<Bank>();
        Add(builder.Services, new InMemNetwork());
        using IHost host = builder.Build();
        await host.StartAsync();
        var bus = host.Services.GetRequiredService<IBus>();

        #region rebus publish
        await bus.Send(new PriceOf("Emma")); // PriceHandler replies, and a handler of Price gets it: awaiting takes Rebus.Async
        var order = new OrderPlaced(Guid.NewGuid(), "Ada", 19.90m);
        await bus.Publish(order); // to those who subscribe to its class
        await bus.DeferLocal(TimeSpan.FromSeconds(2), new OrderShipped(order.OrderId, 1)); // to this queue
        #endregion

        await notes.WaitForAsync("invoice for north", 1);
        await notes.WaitForAsync("event", 2);
        await notes.WaitForAsync("price", 1);
        Console.WriteLine("Rebus: the bookshop's messages were handled");
        await host.StopAsync();
    }

    private static void Add(IServiceCollection services, InMemNetwork network)
    {
        #region rebus service
        services.AddRebusHandler<BillingHandler>();
        services.AddRebusHandler<AuditHandler>(); // IHandleMessages<IShopEvent>: gets each kind of event that comes to the queue
        services.AddRebusHandler<InvoiceHandler>();
        services.AddRebusHandler<PriceHandler>();
        services.AddRebus(
            configure => configure
                .Transport(transport => transport.UseInMemoryTransport(network, "bookshop")) // or UseRabbitMq(uri, "bookshop")
                .Routing(routing => routing.TypeBased().Map<SendInvoice>("bookshop").Map<PriceOf>("bookshop"))
                .Options(options =>
                {
                    options.RetryStrategy(errorQueueName: "error", maxDeliveryAttempts: 2, secondLevelRetriesEnabled: true);
                    options.SetMaxParallelism(8);
                    options.Decorate<IPipeline>(pipeline => new PipelineStepConcatenator(pipeline.Get<IPipeline>())
                        .OnSend(new TenantStep(), PipelineAbsolutePosition.Front));
                }),
            onCreated: async bus =>
            {
                await bus.Subscribe<OrderPlaced>(); // each kind by itself: a topic has the name of a class
                await bus.Subscribe<OrderShipped>();
            });
        #endregion
    }

    #region rebus handler
    internal sealed class BillingHandler(Bank bank, IBus bus) : IHandleMessages<OrderPlaced>, IHandleMessages<IFailed<OrderPlaced>>
    {
        public async Task Handle(OrderPlaced order)
        {
            await bank.ChargeAsync(order);
            await bus.Send(new SendInvoice(order.OrderId, order.Total));
        }

        public Task Handle(IFailed<OrderPlaced> failed) => // after the attempts: once more later
            bus.Advanced.TransportMessage.Defer(TimeSpan.FromSeconds(1));
    }
    #endregion

    internal sealed class TenantStep : IOutgoingStep
    {
        public Task Process(OutgoingStepContext context, Func<Task> next)
        {
            context.Load<Rebus.Messages.Message>().Headers["tenant"] = "north";
            return next();
        }
    }

    internal sealed class AuditHandler(Notes notes) : IHandleMessages<IShopEvent>
    {
        public Task Handle(IShopEvent message)
        {
            notes.Add("event");
            return Task.CompletedTask;
        }
    }

    internal sealed class InvoiceHandler(Notes notes, IMessageContext context) : IHandleMessages<SendInvoice>
    {
        public Task Handle(SendInvoice command)
        {
            notes.Add($"invoice for {context.Headers["tenant"]}");
            return Task.CompletedTask;
        }
    }

    internal sealed class PriceHandler(Notes notes, IBus bus) : IHandleMessages<PriceOf>, IHandleMessages<Price>
    {
        public Task Handle(PriceOf request) => bus.Reply(new Price(19.90m, "EUR"));

        public Task Handle(Price price)
        {
            notes.Add("price");
            return Task.CompletedTask;
        }
    }
}
