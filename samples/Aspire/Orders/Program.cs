using Shop;
using Wire;
using Wire.RabbitMQ;

#region program
WebApplicationBuilder builder = WebApplication.CreateBuilder(args);
builder.Services.AddWireRabbitMQ(builder.Configuration.GetSection("RabbitMQ"), options =>
{
    options.UseConnectionString(builder.Configuration.GetConnectionString("messaging"));
    options.Serializer = new SerializerOptions { TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<ShopMessage>() };
})
.UseConventions()
.AddConsumer("orders", consumer => consumer.Handle<OrderPlaced, OrderHandler>());
builder.Services.AddHealthChecks().AddWireRabbitMQ(options: new WireHealthCheckOptions { MaxLag = 10_000 });

WebApplication app = builder.Build();
app.MapHealthChecks("/health");
app.MapPost("/orders", async (OrderPlaced order, WirePublisher publisher) =>
{
    await publisher.PublishAsync(order); // the broker has it
    return Results.Accepted();
});
await app.RunAsync(); // until SIGTERM: handlers and publishes finish
#endregion
