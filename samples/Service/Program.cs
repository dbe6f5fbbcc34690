using Bookshop;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Shop;
using Wire;
using Wire.Amqp.Client;
using Wire.RabbitMQ;

// A service to start from: docs/rabbitmq-coming-from.md shows its parts. With --once it ends by itself when all has been handled.
try
{
    using Broker broker = Broker.Find();
    HostApplicationBuilder builder = Host.CreateApplicationBuilder(args);
    builder.Logging.AddFilter("Wire", LogLevel.Error); // the failure that is tried again is meant
    AddMessaging(builder.Services, broker.Uri);
    var ledger = new Ledger();
    bool once = args.Contains("--once");

    // What else a service has stands here: its settings, checks of its health, its database with an outbox.
    builder.Services.Configure<HostOptions>(host => host.ShutdownTimeout = TimeSpan.FromSeconds(35)); // for handlers that run
    builder.Services.AddSingleton(ledger);
    builder.Services.AddScoped<Bank>();
    builder.Services.AddSingleton(new Customers.Settings(broker.Uri, EndsByItself: once));
    builder.Services.AddHostedService<Customers>();

    await builder.Build().RunAsync(); // until Ctrl+C, or Customers stops it
    if (!once)
    {
        return 0;
    }

    await Queues.DeleteAsync(broker.Uri);
    return ledger.IsComplete ? 0 : 1;
}
catch (InvalidOperationException wrong)
{
    Console.Error.WriteLine(wrong.Message);
    return 1;
}

static void AddMessaging(IServiceCollection services, Uri uri)
{
    #region service
    services.AddWireRabbitMQ(options =>
    {
        options.ConnectionFactory.Uri = uri;
        options.Serializer = new SerializerOptions { TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<ShopEvent>() };
        options.ConfigureBodies = bodies => bodies.Reading(new JsonBodyFormat(ShopJson.Default).Allow(typeof(OrderPlaced)));
        options.Publisher = new WirePublisherOptions { Middleware = [new TenantHeader()] };
    })
    .UseConventions(WireConventions.WithBases) // an exchange for each type, bound to those of its bases
    .AddConsumer(
        new WireConsumerOptions
        {
            Queue = Queues.Billing,
            QueueOptions = AmqpQueueOptions.Quorum,
            MaxConcurrency = 8,
            Retry = new RetryPolicy
            {
                MaxAttempts = 2,
                Delayed = new DelayedRetryPolicy { MaxRetries = 3, Delay = TimeSpan.FromSeconds(1) }, // 1 s, 2 s, 4 s
            },
        },
        consumer => consumer.Use<Handling>().Handle<OrderPlaced, BillingHandler>())
    .AddConsumer(Queues.Audit, consumer => consumer.Use<Handling>().Handle<ShopEvent, AuditHandler>()) // each kind of event
    .AddConsumer(Queues.Invoices, consumer => consumer.Use<Handling>().Handle<SendInvoice, InvoiceHandler>())
    .AddConsumer(Queues.Prices, consumer => consumer.Reply<PriceOf, Price>((_, _) => Task.FromResult(new Price(19.90m, "EUR"))));
    #endregion
}
