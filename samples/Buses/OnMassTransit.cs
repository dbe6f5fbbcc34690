using MassTransit;
using Wire;
using Wire.MassTransit;

namespace Buses;

/// <summary>MassTransit, with its transport within a process.</summary>
internal static class OnMassTransit
{
    public static async Task Run()
    {
        var handled = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);

        #region masstransit
        IBusControl bus = Bus.Factory.CreateUsingInMemory(configure =>
        {
            configure.UseWireSerializer(new SerializerOptions
            {
                TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<Message>().AllowDerivedFrom<Payment>(),
            });
            configure.ReceiveEndpoint("orders", endpoint => endpoint.Handler<Message>(Handle)); // gets the OrderPlaced
        });
        #endregion

        await bus.StartAsync();
        await bus.Publish(new OrderPlaced(1, "Ada", new CardPayment(19.90m, "4242")));
        await handled.Task;
        await bus.StopAsync();

        Task Handle(ConsumeContext<Message> context)
        {
            Console.WriteLine($"MassTransit: {context.Message}");
            handled.TrySetResult();
            return Task.CompletedTask;
        }
    }
}
