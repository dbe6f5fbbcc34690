using Wire.Amqp.Client.Tests.Testing;
using Wire.Testing;
using Wire.Transport;

namespace Wire.Amqp.Client.Tests.Connections;

public sealed class EndpointOrderTests : IAsyncLifetime
{
    private const int Nodes = 4;
    private const int Attempts = 12;

    private readonly List<int> _tried = [];
    private readonly List<LoopbackServer> _servers = [];

    public Task InitializeAsync()
    {
        for (int i = 0; i < Nodes; i++)
        {
            int number = i;
            _servers.Add(AmqpServers.Scripted((_, _) =>
            {
                // It has said nothing when it closes: the next one is tried after that.
                _tried.Add(number);
                return Task.CompletedTask;
            }));
        }

        return Task.CompletedTask;
    }

    public async Task DisposeAsync()
    {
        foreach (LoopbackServer server in _servers)
        {
            await server.DisposeAsync();
        }
    }

    [Fact]
    public async Task Each_attempt_over_all_endpoints_has_an_order_of_its_own()
    {
        IReadOnlyList<int[]> orders = await TryAsync(options => options);
        Assert.All(orders, order => Assert.Equal(Enumerable.Range(0, Nodes), order.Order()));
        Assert.True(orders.Select(order => order[0]).Distinct().Count() > 1, "All began with the same one.");
    }

    [Fact]
    public async Task Endpoints_are_tried_as_given_where_the_program_says_so() =>
        Assert.All(
            await TryAsync(options => options with { EndpointOrder = EndpointOrder.AsGiven }),
            order => Assert.Equal(Enumerable.Range(0, Nodes), order));

    [Fact]
    public async Task On_the_way_back_too()
    {
        var one = new TaskCompletionSource();
        var two = new TaskCompletionSource();
        await using LoopbackServer first = Passing(one);
        await using LoopbackServer second = Passing(two);
        await using AmqpConnection connection =
            await AmqpConnection.ConnectAsync(first.Recovering() with { Endpoints = [first.Endpoint(), second.Endpoint()] }).InTime();
        await Task.WhenAll(one.Task, two.Task).InTime();

        // Each connection is lost as soon as it is open.
        static LoopbackServer Passing(TaskCompletionSource seen) => AmqpServers.Scripted(async (peer, _) =>
        {
            await peer.GreetAsync();
            seen.TrySetResult();
        });
    }

    [Fact]
    public void An_order_that_there_is_not_is_refused()
    {
        var error = Assert.Throws<ArgumentException>(() => new AmqpConnectionOptions { EndpointOrder = (EndpointOrder)7 }.Validate());
        Assert.Equal("EndpointOrder", error.ParamName);
    }

    private async Task<IReadOnlyList<int[]>> TryAsync(Func<AmqpConnectionOptions, AmqpConnectionOptions> with)
    {
        AmqpConnectionOptions options = with(new AmqpConnectionOptions
        {
            Endpoints = [.. _servers.Select(server => server.Endpoint())],
            Recovery = RecoveryOptions.Off,
        });
        var orders = new List<int[]>();
        for (int i = 0; i < Attempts; i++)
        {
            await Assert.ThrowsAsync<AmqpConnectionException>(() => AmqpConnection.ConnectAsync(options)).InTime();
            orders.Add([.. _tried]);
            _tried.Clear();
        }

        return orders;
    }
}
