using System.Net.WebSockets;
using System.Text;
using Microsoft.AspNetCore.SignalR.Client;
using Microsoft.AspNetCore.SignalR.Protocol;
using Microsoft.Extensions.DependencyInjection;
using Wire.AspNetCore.Tests.Testing;
using Wire.Testing;

namespace Wire.AspNetCore.Tests.SignalR;

/// <summary>The life of a connection: signs of life, cuts, and what closes it.</summary>
public sealed class HubConnectionTests : HubServer
{
    [Theory]
    [InlineData("shorter")]
    [InlineData("argument beyond the frame")]
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
            "argument beyond the frame" => LengthenArgument(frame),
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
        ShopHub.Seen seen = Server.Services.GetRequiredService<ShopHub.Seen>();
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

    private static byte[] LengthenArgument(byte[] frame)
    {
        int payload = frame.AsSpan().IndexOf(Shop.Serializer.Serialize<object>(Shop.Gift));
        frame[payload - 2]++; // 65536 bytes more
        return frame;
    }
}
