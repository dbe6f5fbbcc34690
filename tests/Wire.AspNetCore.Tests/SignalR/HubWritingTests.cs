using System.Threading.Channels;
using Microsoft.AspNetCore.SignalR;
using Microsoft.AspNetCore.SignalR.Client;
using Microsoft.Extensions.DependencyInjection;
using Wire.AspNetCore.Tests.Testing;
using Wire.Testing;

namespace Wire.AspNetCore.Tests.SignalR;

/// <summary>What cannot be written fails alone, at either side: all connections go on.</summary>
public sealed class HubWritingTests : HubServer
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_result_that_cannot_be_written_fails_the_call_alone(bool stateful)
    {
        await using HubConnection client = await ConnectAsync(NewEdited(), stateful: stateful);
        await using HubConnection other = await ConnectAsync();

        HubException exception = await Assert.ThrowsAsync<HubException>(() => client.InvokeAsync<object>("Unwritable").InTime());

        Assert.Contains("The result cannot be written", exception.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("Func", exception.Message, StringComparison.Ordinal);
        Assert.Contains(Server.Lines.All, line => line.Contains(nameof(UnsupportedTypeException), StringComparison.Ordinal));
        await AssertConnectedAsync(client, other);
    }

    [Fact]
    public async Task A_result_larger_than_a_frame_fails_the_call_alone()
    {
        var small = new WireHubProtocol(new Serializer(Shop.Options with { Limits = new() { MaxFrameBytes = 1000 } })) { IsClient = true };
        await using HubConnection client = await ConnectAsync(small);
        client.On("Size", () => new byte[2000]);

        await Assert.ThrowsAsync<HubException>(() => client.InvokeAsync<int>("Measure").InTime());

        await AssertConnectedAsync(client);
    }

    // SignalR has no way in which a protocol could end the hub's stream: the caller does it, with the token of the stream.
    [Theory]
    [InlineData(false, "An item of the stream cannot be written.")]
    [InlineData(true, "An item of the stream cannot be read: ")]
    public async Task A_failed_item_ends_the_clients_stream_and_its_token_the_hubs(bool isWritable, string error)
    {
        await using HubConnection client = await ConnectAsync();
        await using HubConnection other = await ConnectAsync();
        ShopHub.Seen seen = Server.Services.GetRequiredService<ShopHub.Seen>();
        using var stop = new CancellationTokenSource();
        var all = new List<object>();

        HubException exception = await Assert.ThrowsAsync<HubException>(async () =>
        {
            await foreach (object item in client.StreamAsync<object>("WatchOn", isWritable, stop.Token))
            {
                all.Add(item);
            }
        });

        Assert.Equal([1], all);
        Assert.StartsWith(error, exception.Message, StringComparison.Ordinal);
        await AssertConnectedAsync(client, other);
        Assert.False(seen.Watched.Reader.TryRead(out _));
        await stop.CancelAsync();
        Assert.True(await seen.Watched.Reader.ReadAsync().AsTask().InTime());
        await AssertConnectedAsync(client, other);
    }

    [Fact]
    public async Task A_broadcast_that_cannot_be_written_is_left_out_by_all_clients()
    {
        await using HubConnection client = await ConnectAsync();
        await using HubConnection other = await ConnectAsync();
        var seen = Channel.CreateUnbounded<object>();
        client.On<object>("Anything", value => seen.Writer.TryWrite(value));
        other.On<object>("Anything", value => seen.Writer.TryWrite(value));

        await client.InvokeAsync("TellUnwritable").InTime();
        await AssertConnectedAsync(client, other);
        await client.InvokeAsync("TellAnything", 7).InTime();

        Assert.Equal(7, await seen.Reader.ReadAsync().AsTask().InTime());
        Assert.Equal(7, await seen.Reader.ReadAsync().AsTask().InTime());
        Assert.Contains(
            Server.Lines.All,
            line => line.Contains("Anything", StringComparison.Ordinal)
                && line.Contains(nameof(UnsupportedTypeException), StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_question_to_a_client_that_cannot_be_written_is_the_hubs_exception()
    {
        await using HubConnection client = await ConnectAsync();
        client.On<object, int>("Judge", _ => 1);

        await Assert.ThrowsAsync<HubException>(() => client.InvokeAsync<int>("AskUnwritable").InTime());

        await AssertConnectedAsync(client);
    }

    [Fact]
    public async Task An_answer_of_a_client_that_cannot_be_written_is_the_hubs_exception()
    {
        await using HubConnection client = await ConnectAsync();
        client.On<object, object>("Judge", _ => Shop.Unwritable);

        await Assert.ThrowsAsync<HubException>(() => client.InvokeAsync<int>("AskWritable").InTime());

        await AssertConnectedAsync(client);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task An_argument_that_cannot_be_written_is_the_exception_of_the_caller(bool stateful)
    {
        await using HubConnection client = await ConnectAsync(NewEdited(), stateful: stateful);

        await Assert.ThrowsAsync<UnsupportedTypeException>(() => client.InvokeAsync<object>("Any", Shop.Unwritable).InTime());
        await Assert.ThrowsAsync<UnsupportedTypeException>(() => client.SendAsync("Any", Shop.Unwritable).InTime());

        await AssertConnectedAsync(client);
    }

    [Fact]
    public async Task An_item_of_a_client_that_cannot_be_written_ends_the_hubs_stream()
    {
        await using HubConnection client = await ConnectAsync();

        await Assert.ThrowsAsync<HubException>(() => client.InvokeAsync<int>("Count", Values(1, Shop.Unwritable, 2)).InTime());

        await AssertConnectedAsync(client);
    }

    private static async Task AssertConnectedAsync(params HubConnection[] clients)
    {
        foreach (HubConnection client in clients)
        {
            Assert.Equal(5, await client.InvokeAsync<int>("Add", 2, 3).InTime());
            Assert.Equal(HubConnectionState.Connected, client.State);
        }
    }

    private static async IAsyncEnumerable<object> Values(params object[] items)
    {
        foreach (object item in items)
        {
            await Task.Yield();
            yield return item;
        }
    }
}
