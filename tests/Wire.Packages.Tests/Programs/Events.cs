#region readme
using MassTransit;
using Shop;
using Wire;
using Wire.MassTransit;

var options = new SerializerOptions
{
    TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<Message>(), // what a message may name
};
var handled = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
IBusControl bus = Bus.Factory.CreateUsingInMemory(configure =>
{
    configure.UseWireSerializer(options); // messages in JSON are still read
    configure.ReceiveEndpoint("orders", endpoint => endpoint.Handler<Message>(context =>
    {
        Console.WriteLine(context.Message); // OrderPlaced { Id = 1, Customer = Ada, Total = 19.90 }
        handled.TrySetResult();
        return Task.CompletedTask;
    }));
});
await bus.StartAsync();
await bus.Publish(new OrderPlaced(1, "Ada", 19.90m));
await handled.Task;
await bus.StopAsync();

namespace Shop
{
    public abstract record Message(int Id);
    public sealed record OrderPlaced(int Id, string Customer, decimal Total) : Message(Id);
}
#endregion
