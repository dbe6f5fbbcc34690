using System.Net.WebSockets;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http.Connections;
using Microsoft.AspNetCore.Http.Connections.Client;
using Microsoft.AspNetCore.SignalR;
using Microsoft.AspNetCore.SignalR.Client;
using Microsoft.AspNetCore.SignalR.Protocol;
using Microsoft.Extensions.DependencyInjection;
using Wire.AspNetCore.Tests.Testing;
using Wire.Testing;

namespace Wire.AspNetCore.Tests.SignalR;

/// <summary>A Kestrel with the hub of the tests, and clients of it.</summary>
public abstract class HubServer : IAsyncLifetime
{
    private protected WebServer Server { get; private set; } = null!;

    public async Task InitializeAsync() => Server = await StartAsync(_ => { });

    public async Task DisposeAsync() => await Server.DisposeAsync();

    private protected static async Task<WebServer> StartAsync(Action<HubOptions> configure) => await WebServer.StartNewAsync(
        builder =>
        {
            builder.Services.AddSingleton<ShopHub.Seen>();
            builder.Services.AddSignalR(options =>
            {
                options.MaximumParallelInvocationsPerClient = 2; // a hub asks a client within a call
                configure(options);
            }).AddWireProtocol(Shop.Options).AllowWireProtocol<ShopHub>();
        },
        application => application.MapHub<ShopHub>("/hub", options => options.AllowStatefulReconnects = true));

    private protected Task<HubConnection> ConnectAsync(
        Serializer? serializer = null, WebServer? server = null, HttpTransportType transport = HttpTransportType.WebSockets) =>
        ConnectAsync(new WireHubProtocol(serializer ?? Shop.Serializer) { IsClient = true }, server, transport);

    private protected async Task<HubConnection> ConnectAsync(
        IHubProtocol protocol,
        WebServer? server = null,
        HttpTransportType transport = HttpTransportType.WebSockets,
        bool stateful = false,
        List<WebSocket>? sockets = null)
    {
        IHubConnectionBuilder builder = new HubConnectionBuilder().WithUrl(new Uri((server ?? Server).Address, "hub"), options =>
        {
            options.Transports = transport;
            if (sockets is not null)
            {
                options.WebSocketFactory = async (context, cancellationToken) => await OpenAsync(context, sockets, cancellationToken);
            }
        });
        if (stateful)
        {
            builder.WithStatefulReconnect();
        }

        builder.Services.AddSingleton(protocol);
        HubConnection client = builder.Build();
        await client.StartAsync().InTime();
        return client;
    }

    private static async Task<WebSocket> OpenAsync(
        WebSocketConnectionContext context, List<WebSocket> sockets, CancellationToken cancellationToken)
    {
        var socket = new ClientWebSocket();
        await socket.ConnectAsync(context.Uri, cancellationToken);
        sockets.Add(socket);
        return socket;
    }

    private protected static EditedProtocol NewEdited() => new(new WireHubProtocol(Shop.Serializer) { IsClient = true });

    private protected static async IAsyncEnumerable<ShopEvent> Items(params ShopEvent[] items)
    {
        foreach (ShopEvent item in items)
        {
            await Task.Yield();
            yield return item;
        }
    }

    private protected static async Task UntilAsync(Func<bool> holds)
    {
        using var patience = new CancellationTokenSource(Patience.Limit);
        while (!holds())
        {
            await Task.Delay(10, patience.Token);
        }
    }
}
