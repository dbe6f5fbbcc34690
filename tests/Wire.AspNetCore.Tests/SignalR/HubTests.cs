using System.Net.WebSockets;
using System.Text;
using System.Threading.Channels;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http.Connections;
using Microsoft.AspNetCore.Http.Connections.Client;
using Microsoft.AspNetCore.SignalR;
using Microsoft.AspNetCore.SignalR.Client;
using Microsoft.AspNetCore.SignalR.Protocol;
using Microsoft.Extensions.DependencyInjection;
using Wire.AspNetCore.Tests.Testing;
using Wire.Comparing;
using Wire.Testing;

namespace Wire.AspNetCore.Tests.SignalR;

/// <summary>Hubs on a Kestrel, with clients of SignalR over loopback.</summary>
public sealed class HubTests : IAsyncLifetime
{
    private WebServer _server = null!;

    public async Task InitializeAsync() => _server = await StartAsync(_ => { });

    public async Task DisposeAsync() => await _server.DisposeAsync();

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
        await using HubConnection json = new HubConnectionBuilder().WithUrl(new Uri(_server.Address, "hub")).Build();
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
        ShopHub.Seen seen = _server.Services.GetRequiredService<ShopHub.Seen>();

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
    public async Task An_exception_of_the_hub_is_the_callers()
    {
        await using HubConnection client = await ConnectAsync();

        HubException exception = await Assert.ThrowsAsync<HubException>(() => client.InvokeAsync("Fail").InTime());

        Assert.Contains("The hub says no.", exception.Message, StringComparison.Ordinal);
    }

    // The text is SignalR's: without EnableDetailedErrors, clients learn that it failed, and the log of the server why.
    [Fact]
    public async Task A_refused_argument_fails_the_call_and_the_connection_goes_on()
    {
        await using HubConnection client = await ConnectAsync();

        HubException exception = await Assert.ThrowsAsync<HubException>(() => client.InvokeAsync("Echo", Shop.Intruder).InTime());

        Assert.Equal("Failed to invoke 'Echo' due to an error on the server.", exception.Message);
        Assert.Equal(Shop.Gift, await client.InvokeAsync<ShopEvent>("Echo", Shop.Gift).InTime());
        Assert.Equal(HubConnectionState.Connected, client.State);
    }

    [Fact]
    public async Task With_detailed_errors_the_caller_learns_what_was_refused()
    {
        await using WebServer server = await StartAsync(options => options.EnableDetailedErrors = true);
        await using HubConnection client = await ConnectAsync(server: server);

        HubException exception = await Assert.ThrowsAsync<HubException>(() => client.InvokeAsync("Echo", Shop.Intruder).InTime());

        Assert.Contains(
            "Argument 1 of 1, a Wire.AspNetCore.Tests.Testing.ShopEvent, cannot be read: ",
            exception.Message,
            StringComparison.Ordinal);
        Assert.Contains("Intruder", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_refused_result_is_the_callers_exception_and_the_connection_goes_on()
    {
        await using HubConnection client = await ConnectAsync();

        HubException exception = await Assert.ThrowsAsync<HubException>(() => client.InvokeAsync<ShopEvent>("Smuggle").InTime());

        Assert.Contains("Intruder", exception.Message, StringComparison.Ordinal);
        Assert.Equal(Shop.Intruder, await client.InvokeAsync<Intruder>("Smuggle").InTime()); // asked for by name
    }

    [Fact]
    public async Task A_refused_item_ends_the_stream_in_either_direction()
    {
        await using HubConnection client = await ConnectAsync();

        await Assert.ThrowsAsync<HubException>(
            () => client.InvokeAsync<List<ShopEvent>>("Collect", Items(Shop.Order, Shop.Intruder)).InTime());
        Assert.Equal(Shop.Gift, await client.InvokeAsync<ShopEvent>("Echo", Shop.Gift).InTime());

        var all = new List<ShopEvent>();
        HubException end = await Assert.ThrowsAsync<HubException>(async () =>
        {
            await foreach (ShopEvent happened in client.StreamAsync<ShopEvent>("Watch", 2, true))
            {
                all.Add(happened);
            }
        });
        Assert.Equal([Shop.Order, Shop.Gift], all);
        Assert.Contains("Intruder", end.Message, StringComparison.Ordinal);
        Assert.Equal(Shop.Gift, await client.InvokeAsync<ShopEvent>("Echo", Shop.Gift).InTime());
    }

    // A client is called with what its filter does not allow: the handler is not called, and the connection goes on.
    [Fact]
    public async Task A_client_with_a_closed_filter_gets_what_it_declares_and_no_more()
    {
        await using HubConnection closed = await ConnectAsync(Shop.Closed);
        var seen = Channel.CreateUnbounded<ShopEvent>();
        closed.On<ShopEvent>("Happened", happened => seen.Writer.TryWrite(happened));

        await closed.InvokeAsync("Tell", Shop.Gift).InTime();

        await Assert.ThrowsAsync<HubException>(() => closed.InvokeAsync<ShopEvent>("Echo", Shop.Gift).InTime());
        Assert.Equal(Shop.Gift, await closed.InvokeAsync<GiftPlaced>("Echo", Shop.Gift).InTime());
        Assert.False(seen.Reader.TryRead(out _));
    }

    [Fact]
    public async Task A_client_that_cannot_read_what_it_is_asked_answers_with_an_error()
    {
        await using HubConnection closed = await ConnectAsync(Shop.Closed);
        closed.On<ShopEvent, ShopEvent, ShopEvent>("Choose", (_, second) => second);

        await Assert.ThrowsAsync<HubException>(() => closed.InvokeAsync<ShopEvent>("Ask").InTime());

        Assert.Equal(5, await closed.InvokeAsync<int>("Add", 2, 3).InTime());
    }

    // Each byte of a call, in turn: it is another call, or it fails alone, or the connection is closed. Nothing hangs.
    [Fact]
    public async Task A_call_with_a_changed_argument_fails_alone()
    {
        EditedProtocol protocol = NewEdited();
        await using HubConnection client = await ConnectAsync(protocol);
        byte[] payload = Shop.Serializer.Serialize<object>(Shop.Gift);
        int refused = 0;
        for (int at = 0; at < payload.Length; at++)
        {
            protocol.Edit = frame =>
            {
                frame[frame.AsSpan().IndexOf(payload) + at] ^= 0xFF;
                return frame;
            };
            Task<ShopEvent> call = client.InvokeAsync<ShopEvent>("Echo", Shop.Gift);
            if (await Record.ExceptionAsync(() => call.InTime()) is { } exception)
            {
                Assert.IsType<HubException>(exception);
                refused++;
            }
        }

        Assert.InRange(refused, payload.Length / 2, payload.Length);
        Assert.Equal(Shop.Gift, await client.InvokeAsync<ShopEvent>("Echo", Shop.Gift).InTime());
    }

    [Theory]
    [InlineData("shorter")]
    [InlineData("hostile length")]
    [InlineData("other fields")]
    [InlineData("JSON")]
    public async Task A_broken_frame_closes_the_connection_with_a_reason_and_the_next_works(string fault)
    {
        EditedProtocol protocol = NewEdited();
        await using HubConnection client = await ConnectAsync(protocol);
        var closed = new TaskCompletionSource<Exception?>(TaskCreationOptions.RunContinuationsAsynchronously);
        client.Closed += exception =>
        {
            closed.TrySetResult(exception);
            return Task.CompletedTask;
        };
        protocol.Edit = frame => fault switch
        {
            "shorter" => [(byte)(frame[0] - 1), .. frame[1..]], // the argument does not fit, nor what follows
            "hostile length" => [0xFF, 0xFF, 0xFF, 0x7F, .. frame[4..]],
            "other fields" => [.. frame[..5], 0x7F, .. frame[6..]],
            _ => Encoding.UTF8.GetBytes("{\"type\":1,\"target\":\"Echo\"}\u001e"),
        };

        Exception? failed = await Record.ExceptionAsync(() => client.InvokeAsync("Echo", Shop.Gift).InTime());
        Exception? reason = await closed.Task.InTime();

        Assert.NotNull(failed);
        Assert.Contains(
            "The server closed the connection with the following error: Connection closed with an error.",
            reason?.Message,
            StringComparison.Ordinal);
        ShopHub.Seen seen = _server.Services.GetRequiredService<ShopHub.Seen>();
        await UntilAsync(() => !seen.Ends.IsEmpty);
        Assert.Matches("frame|of the message", Assert.Single(seen.Ends.Values)); // what the hub is told
        await using HubConnection next = await ConnectAsync();
        Assert.Equal(Shop.Gift, await next.InvokeAsync<ShopEvent>("Echo", Shop.Gift).InTime());
    }

    [Fact]
    public async Task A_message_beyond_the_servers_limit_closes_the_connection()
    {
        await using HubConnection client = await ConnectAsync();
        var closed = new TaskCompletionSource<Exception?>(TaskCreationOptions.RunContinuationsAsynchronously);
        client.Closed += exception =>
        {
            closed.TrySetResult(exception);
            return Task.CompletedTask;
        };

        Assert.NotNull(await Record.ExceptionAsync(() => client.InvokeAsync("Any", new byte[40_000]).InTime()));

        Assert.NotNull(await closed.Task.InTime());
        await using HubConnection next = await ConnectAsync();
        Assert.Equal(30_000, (await next.InvokeAsync<byte[]>("Any", new byte[30_000]).InTime()).Length);
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
    public async Task A_result_that_cannot_be_written_fails_the_call_and_hangs_nobody()
    {
        await using HubConnection client = await ConnectAsync();

        Assert.NotNull(await Record.ExceptionAsync(() => client.InvokeAsync<object>("Unwritable").InTime()));
    }

    [Fact]
    public async Task A_close_of_the_hub_reaches_the_client()
    {
        await using HubConnection client = await ConnectAsync();
        var closed = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        client.Closed += _ =>
        {
            closed.TrySetResult();
            return Task.CompletedTask;
        };

        await client.SendAsync("Abort").InTime();

        await closed.Task.InTime();
    }

    [Fact]
    public async Task Signs_of_life_go_both_ways()
    {
        await using WebServer server = await StartAsync(options => options.KeepAliveInterval = TimeSpan.FromMilliseconds(50));
        EditedProtocol protocol = NewEdited();
        await using HubConnection client = await ConnectAsync(protocol, server: server);

        await UntilAsync(() => protocol.Messages.GetValueOrDefault(typeof(PingMessage)) >= 3);

        Assert.Equal(5, await client.InvokeAsync<int>("Add", 2, 3).InTime());
    }

    // The transport is cut, and the connection goes on with what was not acknowledged.
    [Fact]
    public async Task A_connection_with_stateful_reconnect_survives_a_cut()
    {
        EditedProtocol protocol = NewEdited();
        var sockets = new List<WebSocket>();
        await using HubConnection client = await ConnectAsync(protocol, stateful: true, sockets: sockets);
        string? identifier = client.ConnectionId;
        Assert.Equal(Shop.Gift, await client.InvokeAsync<ShopEvent>("Echo", Shop.Gift).InTime());

        sockets.Single().Abort();

        Assert.Equal(Shop.Order, await client.InvokeAsync<ShopEvent>("Echo", Shop.Order).InTime());
        Assert.Equal(2, sockets.Count);
        Assert.Equal(identifier, client.ConnectionId);
        Assert.InRange(protocol.Messages.GetValueOrDefault(typeof(SequenceMessage)), 1, int.MaxValue);
        await UntilAsync(() => protocol.Messages.ContainsKey(typeof(AckMessage)));
    }

    [Fact]
    public async Task The_last_protocol_that_a_client_adds_is_the_one_it_speaks()
    {
        await using HubConnection client = new HubConnectionBuilder().WithUrl(new Uri(_server.Address, "hub"))
            .AddWireProtocol(SerializerOptions.Default)
            .AddWireProtocol(Shop.Options)
            .Build();
        await client.StartAsync().InTime();

        Assert.Equal(Shop.Gift, await client.InvokeAsync<ShopEvent>("Echo", Shop.Gift).InTime());
    }

    [Fact]
    public async Task The_builder_knows_whether_it_is_a_clients()
    {
        await using HubConnection client = new HubConnectionBuilder().WithUrl(new Uri(_server.Address, "hub"))
            .AddWireProtocol(Shop.Options)
            .Build();
        await client.StartAsync().InTime();

        await Assert.ThrowsAsync<HubException>(async () =>
        {
            await foreach (ShopEvent _ in client.StreamAsync<ShopEvent>("Watch", 1, true))
            {
            }
        });
        Assert.False(_server.Services.GetServices<IHubProtocol>().OfType<WireHubProtocol>().Single().IsClient);
    }

    private static async Task<WebServer> StartAsync(Action<HubOptions> configure) => await WebServer.StartNewAsync(
        builder =>
        {
            builder.Services.AddSingleton<ShopHub.Seen>();
            builder.Services.AddSignalR(options =>
            {
                options.MaximumParallelInvocationsPerClient = 2; // a hub asks a client within a call
                configure(options);
            }).AddWireProtocol(Shop.Options);
        },
        application => application.MapHub<ShopHub>("/hub", options => options.AllowStatefulReconnects = true));

    private Task<HubConnection> ConnectAsync(
        Serializer? serializer = null, WebServer? server = null, HttpTransportType transport = HttpTransportType.WebSockets) =>
        ConnectAsync(new WireHubProtocol(serializer ?? Shop.Serializer) { IsClient = true }, server, transport);

    private async Task<HubConnection> ConnectAsync(
        IHubProtocol protocol,
        WebServer? server = null,
        HttpTransportType transport = HttpTransportType.WebSockets,
        bool stateful = false,
        List<WebSocket>? sockets = null)
    {
        IHubConnectionBuilder builder = new HubConnectionBuilder().WithUrl(new Uri((server ?? _server).Address, "hub"), options =>
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

    private static EditedProtocol NewEdited() => new(new WireHubProtocol(Shop.Serializer) { IsClient = true });

    private static async IAsyncEnumerable<ShopEvent> Items(params ShopEvent[] items)
    {
        foreach (ShopEvent item in items)
        {
            await Task.Yield();
            yield return item;
        }
    }

    private static async Task UntilAsync(Func<bool> holds)
    {
        using var patience = new CancellationTokenSource(Patience.Limit);
        while (!holds())
        {
            await Task.Delay(10, patience.Token);
        }
    }
}
