using System.Net;
using System.Net.Sockets;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Wire;
using Wire.Wolverine;
using Wolverine;
using Wolverine.Transports.Tcp;

namespace Buses;

/// <summary>Wolverine, over a socket to itself.</summary>
internal static class OnWolverine
{
    public static async Task Run()
    {
        int port = FreePort();
        HostApplicationBuilder builder = Host.CreateApplicationBuilder();
        builder.Logging.ClearProviders();
        builder.Services.AddSingleton<Received>();

        #region wolverine
        builder.UseWolverine(options =>
        {
            options.UseWireSerialization(new SerializerOptions
            {
                TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<Payment>(), // the type of the message is the handler's
            });
            options.ListenAtPort(port);
            options.PublishAllMessages().ToPort(port);
        });
        #endregion

        using IHost host = builder.Build();
        await host.StartAsync();
        using IServiceScope scope = host.Services.CreateScope();
        await scope.ServiceProvider.GetRequiredService<IMessageBus>()
            .SendAsync(new OrderPlaced(3, "Ada", new CardPayment(19.90m, "4242")));
        await host.Services.GetRequiredService<Received>().Order.Task;
        await host.StopAsync();
    }

    private static int FreePort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }
}

/// <summary>What the handler got.</summary>
public sealed class Received
{
    public TaskCompletionSource<OrderPlaced> Order { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);
}

/// <summary>The handler, which Wolverine finds by its name.</summary>
public static class OrderHandler
{
    public static void Handle(OrderPlaced order, Received received)
    {
        Console.WriteLine($"Wolverine: {order}");
        received.Order.TrySetResult(order);
    }
}
