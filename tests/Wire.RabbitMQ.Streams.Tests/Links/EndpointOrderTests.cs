using Wire.RabbitMQ.Streams.Links;
using Wire.Testing;
using Wire.Transport;

namespace Wire.RabbitMQ.Streams.Tests.Links;

public sealed class EndpointOrderTests
{
    private const int Nodes = 4;

    [Fact]
    public async Task Each_attempt_over_all_endpoints_has_an_order_of_its_own()
    {
        IReadOnlyList<int[]> orders = await TryAsync(EndpointOrder.Shuffled);
        Assert.All(orders, order => Assert.Equal(Enumerable.Range(0, Nodes), order.Order()));
        Assert.True(orders.Select(order => order[0]).Distinct().Count() > 1, "All began with the same one.");
    }

    [Fact]
    public async Task Endpoints_are_tried_as_given_where_the_program_says_so() =>
        Assert.All(await TryAsync(EndpointOrder.AsGiven), order => Assert.Equal(Enumerable.Range(0, Nodes), order));

    // Nodes that close each connection without a word.
    private static async Task<IReadOnlyList<int[]>> TryAsync(EndpointOrder endpointOrder)
    {
        var tried = new List<int>();
        LoopbackServer[] servers = [.. Enumerable.Range(0, Nodes).Select(number => new LoopbackServer(_ =>
        {
            tried.Add(number);
            return Task.CompletedTask;
        }))];
        var connecting = new LinkConnecting(new StreamClientOptions
        {
            Endpoints = [.. servers.Select(server => new BrokerEndpoint("127.0.0.1", server.Port))],
            EndpointOrder = endpointOrder,
        });
        var orders = new List<int[]>();
        for (int i = 0; i < 12; i++)
        {
            await Assert.ThrowsAsync<StreamConnectionException>(() => connecting.ToAnyAsync(CancellationToken.None)).InTime();
            orders.Add([.. tried]);
            tried.Clear();
        }

        foreach (LoopbackServer server in servers)
        {
            await server.DisposeAsync();
        }

        return orders;
    }
}
