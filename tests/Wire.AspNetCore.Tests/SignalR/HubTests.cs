using System.Threading.Channels;
using Microsoft.AspNetCore.Http.Connections;
using Microsoft.AspNetCore.SignalR;
using Microsoft.AspNetCore.SignalR.Client;
using Microsoft.AspNetCore.SignalR.Protocol;
using Microsoft.Extensions.DependencyInjection;
using Wire.AspNetCore.Tests.Testing;
using Wire.Comparing;
using Wire.Testing;

namespace Wire.AspNetCore.Tests.SignalR;

/// <summary>Hubs on a Kestrel, with clients of SignalR over loopback.</summary>
public sealed class HubTests : HubServer
{
    [Theory]
    [InlineData(HttpTransportType.WebSockets)]
    [InlineData(HttpTransportType.LongPolling)]
    public async Task A_graph_goes_to_the_hub_and_back(HttpTransportType transport)
    {
        await using HubConnection client = await ConnectAsync(transport: transport);
        Basket basket = Shop.NewBasket();

        GraphAssert.Same(basket, await client.InvokeAsync<Basket>("Mirror", basket).InTime());
        GraphAssert.Same(basket, await client.InvokeAsync<object>("Any", basket).InTime());
    }

    [Fact]
    public async Task A_base_class_is_read_as_what_it_is()
    {
        await using HubConnection client = await ConnectAsync();

        Assert.Equal(Shop.Gift, await client.InvokeAsync<ShopEvent>("Echo", Shop.Gift).InTime());
        Assert.Equal(Shop.Order, await client.InvokeAsync<ShopEvent>("Echo", Shop.Order).InTime());
        Assert.Null(await client.InvokeAsync<ShopEvent>("Echo", null).InTime());
        Assert.Equal(5, await client.InvokeAsync<int>("Add", 2, 3).InTime());
        await client.InvokeAsync("Nothing").InTime();
        foreach (object value in new object[] { 1, 2L, (byte)3, 4.5m, 'x', "text", DateTimeOffset.UnixEpoch, new object[] { 1, "a" } })
        {
            GraphAssert.Same(value, await client.InvokeAsync<object>("Any", value).InTime());
        }
    }

    [Fact]
    public async Task The_hub_calls_all_clients_whichever_protocol_they_speak()
    {
        await using HubConnection wire = await ConnectAsync();
        await using HubConnection json = new HubConnectionBuilder().WithUrl(new Uri(Server.Address, "hub")).Build();
        var seen = Channel.CreateUnbounded<ShopEvent>();
        var seenAsJson = Channel.CreateUnbounded<System.Text.Json.JsonElement>();
        wire.On<ShopEvent>("Happened", happened => seen.Writer.TryWrite(happened));
        json.On<System.Text.Json.JsonElement>("Happened", happened => seenAsJson.Writer.TryWrite(happened));
        await json.StartAsync().InTime();

        await wire.SendAsync("Tell", Shop.Gift).InTime();

        Assert.Equal(Shop.Gift, await seen.Reader.ReadAsync().AsTask().InTime());
        Assert.Equal(Shop.Gift.Id, (await seenAsJson.Reader.ReadAsync().AsTask().InTime()).GetProperty("id").GetGuid());
    }

    [Fact]
    public async Task The_hub_asks_a_client()
    {
        await using HubConnection client = await ConnectAsync();
        client.On<ShopEvent, ShopEvent, ShopEvent>("Choose", (_, second) => second);

        Assert.Equal(Shop.Gift, await client.InvokeAsync<ShopEvent>("Ask").InTime());
    }

    [Fact]
    public async Task A_stream_comes_from_the_hub_and_is_cancelled()
    {
        await using HubConnection client = await ConnectAsync();
        ShopHub.Seen seen = Server.Services.GetRequiredService<ShopHub.Seen>();

        var all = new List<ShopEvent>();
        await foreach (ShopEvent happened in client.StreamAsync<ShopEvent>("Watch", 5, false))
        {
            all.Add(happened);
        }

        Assert.Equal([Shop.Order, Shop.Gift, Shop.Order, Shop.Gift, Shop.Order], all);
        Assert.False(await seen.Watched.Reader.ReadAsync().AsTask().InTime());

        using var stop = new CancellationTokenSource();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () =>
        {
            await foreach (ShopEvent _ in client.StreamAsync<ShopEvent>("Watch", int.MaxValue, false, stop.Token))
            {
                await stop.CancelAsync();
            }
        });
        Assert.True(await seen.Watched.Reader.ReadAsync().AsTask().InTime());
        Assert.Equal(5, await client.InvokeAsync<int>("Add", 2, 3).InTime());
    }

    [Fact]
    public async Task A_stream_goes_to_the_hub()
    {
        await using HubConnection client = await ConnectAsync();

        List<ShopEvent> all = await client.InvokeAsync<List<ShopEvent>>("Collect", Items(Shop.Gift, Shop.Order, Shop.Gift)).InTime();

        Assert.Equal([Shop.Gift, Shop.Order, Shop.Gift], all);
    }

    [Fact]
    public async Task Messages_of_megabytes_go_both_ways_where_the_server_allows_them()
    {
        await using WebServer server = await StartAsync(options => options.MaximumReceiveMessageSize = null);
        await using HubConnection client = await ConnectAsync(server: server);
        byte[] bytes = new byte[5_000_000];
        new Random(1).NextBytes(bytes);

        Assert.Equal(bytes, await client.InvokeAsync<byte[]>("Any", bytes).InTime());
    }

    [Fact]
    public async Task The_last_protocol_that_a_client_adds_is_the_one_it_speaks()
    {
        await using HubConnection client = new HubConnectionBuilder().WithUrl(new Uri(Server.Address, "hub"))
            .AddWireProtocol(SerializerOptions.Default)
            .AddWireProtocol(Shop.Options)
            .Build();
        await client.StartAsync().InTime();

        Assert.Equal(Shop.Gift, await client.InvokeAsync<ShopEvent>("Echo", Shop.Gift).InTime());
    }

    [Fact]
    public async Task The_builder_knows_whether_it_is_a_clients()
    {
        await using HubConnection client = new HubConnectionBuilder().WithUrl(new Uri(Server.Address, "hub"))
            .AddWireProtocol(Shop.Options)
            .Build();
        await client.StartAsync().InTime();

        await Assert.ThrowsAsync<HubException>(async () =>
        {
            await foreach (ShopEvent _ in client.StreamAsync<ShopEvent>("Watch", 1, true))
            {
            }
        });
        Assert.False(Server.Services.GetServices<IHubProtocol>().OfType<WireHubProtocol>().Single().IsClient);
    }
}
