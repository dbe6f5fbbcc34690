using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.SignalR;
using Microsoft.AspNetCore.SignalR.Client;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Wire;
using Wire.AspNetCore;

namespace Shop;

/// <summary>A hub that tells all clients what one of them has sent.</summary>
internal static class Hubs
{
    public static async Task RunAsync()
    {
        var options = new SerializerOptions { TypeFilter = WireTypeFilter.Default.Allow<OrderPlaced>() };
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();

        #region server
        builder.Services.AddSignalR().AddWireProtocol(options).AllowWireProtocol<ShopHub>();
        #endregion
        await using WebApplication app = builder.Build();
        app.MapHub<ShopHub>("/shop");
        app.Urls.Add("http://127.0.0.1:0");
        await app.StartAsync();
        string address = $"{app.Urls.Single()}/shop";

        #region client
        await using HubConnection client = new HubConnectionBuilder().WithUrl(address).AddWireProtocol(options).Build();
        client.On<Message>("Happened", Console.WriteLine); // an OrderPlaced
        await client.StartAsync();
        await client.InvokeAsync("Tell", new OrderPlaced(1, "Ada", 19.90m));
        #endregion

        try
        {
            await client.InvokeAsync("Tell", new OrderShipped(1, 2)); // the server's filter does not allow it
        }
        catch (HubException exception)
        {
            Console.WriteLine(exception.Message); // Failed to invoke 'Tell' due to an error on the server.
        }

        await client.InvokeAsync("Tell", new OrderPlaced(2, "Grace", 5m)); // the connection has gone on
    }
}

#region hub
public sealed class ShopHub : Hub
{
    public Task Tell(Message message) => Clients.All.SendAsync("Happened", message);
}
#endregion
