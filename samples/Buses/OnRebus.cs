using Rebus.Activation;
using Rebus.Bus;
using Rebus.Config;
using Rebus.Transport.InMem;
using Wire;
using Wire.Rebus;

namespace Buses;

/// <summary>Rebus, with its transport within a process.</summary>
internal static class OnRebus
{
    public static async Task Run()
    {
        var handled = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using var activator = new BuiltinHandlerActivator();
        activator.Handle<Message>(message =>
        {
            Console.WriteLine($"Rebus: {message}");
            handled.TrySetResult();
            return Task.CompletedTask;
        });

        #region rebus
        IBus bus = Configure.With(activator)
            .Logging(log => log.None())
            .Transport(transport => transport.UseInMemoryTransport(new InMemNetwork(), "orders"))
            .Serialization(serialization => serialization.UseWire(new SerializerOptions
            {
                TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<Message>().AllowDerivedFrom<Payment>(),
            }))
            .Start();
        #endregion

        await bus.SendLocal(new OrderPlaced(2, "Ada", new CardPayment(19.90m, "4242")));
        await handled.Task;
    }
}
