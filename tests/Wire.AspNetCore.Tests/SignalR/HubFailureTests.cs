using System.Threading.Channels;
using Microsoft.AspNetCore.SignalR;
using Microsoft.AspNetCore.SignalR.Client;
using Wire.AspNetCore.Tests.Testing;
using Wire.Testing;

namespace Wire.AspNetCore.Tests.SignalR;

/// <summary>What cannot be read or written fails alone: its call or stream, and not the connection.</summary>
public sealed class HubFailureTests : HubServer
{
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

    // The hub's exception goes on to whoever called the hub, who is not the client that was asked.
    [Fact]
    public async Task A_refused_answer_of_a_client_tells_others_nothing_of_the_program()
    {
        await using HubConnection client = await ConnectAsync();
        client.On<ShopEvent, ShopEvent, ShopEvent>("Choose", (_, _) => Shop.Intruder);

        HubException exception = await Assert.ThrowsAsync<HubException>(() => client.InvokeAsync<ShopEvent>("Ask").InTime());

        Assert.EndsWith("The result of the client cannot be read: TypeRefused.", exception.Message, StringComparison.Ordinal);
        Assert.Contains(Server.Lines.All, line => line.Contains("Intruder", StringComparison.Ordinal));
        Assert.Equal(5, await client.InvokeAsync<int>("Add", 2, 3).InTime());
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
}
