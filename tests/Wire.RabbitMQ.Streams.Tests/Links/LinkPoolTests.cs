using System.Net;
using System.Net.Sockets;
using Wire.RabbitMQ.Streams.Links;
using Wire.RabbitMQ.Streams.Protocol;
using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;
using Wire.Transport;

namespace Wire.RabbitMQ.Streams.Tests.Links;

/// <summary>Links are shared by node, nobody waits for another's node, and none is left open.</summary>
public sealed class LinkPoolTests
{
    [Fact]
    public async Task Links_are_shared_up_to_their_capacity_and_closed_by_the_last()
    {
        await using var server = new StrictStreamServer();
        server.Create("s");
        await using var pool = new LinkPool(server.Options with { ProducersPerConnection = 2 });
        StreamLink[] links =
            await Task.WhenAll(Enumerable.Range(0, 3).Select(_ => pool.RentAsync("s", LinkUse.Publish, CancellationToken.None)));
        Assert.Equal(2, links.Distinct().Count());
        StreamLink consuming = await pool.RentAsync("s", LinkUse.Consume, CancellationToken.None);
        Assert.DoesNotContain(consuming, links);
        foreach (StreamLink link in links.Append(consuming))
        {
            await pool.ReturnAsync(link);
        }

        // The locator stays.
        await server.UntilAsync(() => server.Connections.Count == 1, "links that are closed");
        await pool.DisposeAsync();
        await server.UntilAsync(() => server.Connections.Count == 0, "the locator to be closed");
        await Assert.ThrowsAsync<ObjectDisposedException>(() => pool.RentAsync("s", LinkUse.Publish, CancellationToken.None));
    }

    [Fact]
    public async Task A_node_that_does_not_answer_holds_up_nobody_else()
    {
        await using var server = new StrictStreamServer();
        using var slow = new TcpListener(IPAddress.Loopback, 0);
        slow.Start();
        server.Create("slow");
        server.Create("s");
        server.Locate =
            stream => ([stream == "slow" ? new BrokerEndpoint("127.0.0.1", ((IPEndPoint)slow.LocalEndpoint).Port) : server.Endpoint], 0);
        await using var pool = new LinkPool(server.Options);
        using var cancel = new CancellationTokenSource();
        Task<StreamLink> waiting = pool.RentAsync("slow", LinkUse.Publish, cancel.Token);
        Task<StreamLink> alsoWaiting = pool.RentAsync("slow", LinkUse.Publish, CancellationToken.None);
        using Socket reached = await slow.AcceptSocketAsync();
        StreamLink link = await pool.RentAsync("s", LinkUse.Publish, CancellationToken.None);
        Assert.False(link.HasEnded);
        await cancel.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);
        Assert.False(alsoWaiting.IsCompleted);

        // To dispose ends the attempt too.
        await pool.DisposeAsync();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => alsoWaiting.WaitAsync(Patience.Limit));
    }

    [Fact]
    public async Task Where_one_replica_is_gone_another_serves()
    {
        await using var server = new StrictStreamServer();
        using var gone = new TcpListener(IPAddress.Loopback, 0);
        gone.Start();
        var nowhere = new BrokerEndpoint("127.0.0.1", ((IPEndPoint)gone.LocalEndpoint).Port);
        gone.Stop();
        server.Create("s");
        server.Locate = _ => ([nowhere, server.Endpoint, nowhere], 0);
        await using var pool = new LinkPool(server.Options);
        for (int i = 0; i < 8; i++)
        {
            StreamLink link = await pool.RentAsync("s", LinkUse.Consume, CancellationToken.None);
            Assert.Equal(server.Endpoint, link.Endpoint);
            await pool.ReturnAsync(link);
        }

        StreamConnectionException error =
            await Assert.ThrowsAsync<StreamConnectionException>(() => pool.RentAsync("s", LinkUse.Publish, CancellationToken.None));
        Assert.Contains(nowhere.ToString(), error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Behind_endpoints_the_right_node_is_looked_for()
    {
        await using var one = new StrictStreamServer();
        await using var two = new StrictStreamServer();
        one.Create("s");
        two.Create("s");
        one.Locate = two.Locate = _ => ([two.Endpoint], 0);
        await using var pool = new LinkPool(one.Options with { Endpoints = [one.Endpoint, two.Endpoint], UseEndpointsOnly = true });
        StreamLink link = await pool.RentAsync("s", LinkUse.Publish, CancellationToken.None);
        Assert.Equal(two.Endpoint, link.Endpoint);

        one.Locate = two.Locate = _ => ([new BrokerEndpoint("elsewhere", 5552)], 0);
        StreamConnectionException error =
            await Assert.ThrowsAsync<StreamConnectionException>(() => pool.RentAsync("s", LinkUse.Publish, CancellationToken.None));
        Assert.Contains("elsewhere:5552 was not reached", error.Message, StringComparison.Ordinal);
        await pool.ReturnAsync(link);
    }

    [Fact]
    public async Task A_stream_without_a_leader_is_said_to_be_so()
    {
        await using var server = new StrictStreamServer();
        server.Create("s");
        server.Locate = _ => ([], -1);
        await using var pool = new LinkPool(server.Options);
        StreamException error =
            await Assert.ThrowsAsync<StreamException>(() => pool.RentAsync("s", LinkUse.Publish, CancellationToken.None));
        Assert.Equal(StreamResponseCode.StreamNotAvailable, error.Code);
        Assert.Contains("'s'", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_locator_that_is_lost_is_replaced()
    {
        await using var server = new StrictStreamServer();
        server.Create("s");
        await using var pool = new LinkPool(server.Options);
        await pool.Locator.LinkAsync(CancellationToken.None);
        server.When(CommandKey.Metadata, Reaction.Cut);
        Assert.False((await pool.RentAsync("s", LinkUse.Publish, CancellationToken.None)).HasEnded);
        server.When(CommandKey.Metadata, Reaction.Cut, times: 2);
        StreamConnectionException error =
            await Assert.ThrowsAsync<StreamConnectionException>(() => pool.RentAsync("s", LinkUse.Publish, CancellationToken.None));
        Assert.Contains("ended twice", error.Message, StringComparison.Ordinal);
    }
}
