using MassTransit;
using Wire.Testing;

namespace Wire.MassTransit.Tests;

/// <summary>A bus that runs until the test is done.</summary>
internal sealed class RunningBus : IAsyncDisposable
{
    private RunningBus(IBusControl bus, Uri endpoint)
    {
        Bus = bus;
        Endpoint = endpoint;
    }

    public IBusControl Bus { get; }

    public Uri Endpoint { get; }

    public static async Task<RunningBus> Start(IBusControl bus, Uri endpoint)
    {
        await bus.StartAsync().InTime();
        return new RunningBus(bus, endpoint);
    }

    public async Task Send<T>(T message, Action<SendContext<T>>? change = null)
        where T : class
    {
        ISendEndpoint endpoint = await Bus.GetSendEndpoint(Endpoint);
        await endpoint.Send(message, context => change?.Invoke(context));
    }

    public async ValueTask DisposeAsync() => await Bus.StopAsync(TimeSpan.FromSeconds(30));
}
