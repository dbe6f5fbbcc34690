using System.Collections.Concurrent;
using Wire.Amqp.Client.Tests.Testing;
using Wire.Amqp.Testing;
using Wire.Testing;
using Wire.Transport;

namespace Wire.Amqp.Client.Tests.Connections;

/// <summary>A program that says at each attempt where the broker is.</summary>
public sealed class EndpointResolverTests
{
    [Fact]
    public async Task A_connection_comes_back_where_the_broker_is_by_then()
    {
        await using LoopbackServer first = AmqpServers.Scripted(async (peer, _) =>
        {
            await peer.GreetAsync();
            peer.Reset();
        });
        await using LoopbackServer second = AmqpServers.Scripted(async (peer, _) =>
        {
            await peer.GreetAsync();
            await peer.CloseAsync();
        });
        int asked = 0;
        var failures = new ConcurrentQueue<string>();
        var back = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(first.Recovering() with
        {
            Endpoints = [new BrokerEndpoint("nowhere.invalid", 1)],
            ResolveEndpoints = _ => ValueTask.FromResult<IReadOnlyList<BrokerEndpoint>>(++asked switch
            {
                1 => [first.Endpoint()],
                2 => throw new InvalidOperationException("The registry is down."),
                3 => [],
                4 => [new BrokerEndpoint("127.0.0.1", 70_000)],
                5 => null!,
                _ => [second.Endpoint()],
            }),
        }).InTime();
        connection.RecoveryFailed += error => failures.Enqueue(error.Message);
        connection.Recovered += () => back.TrySetResult();
        if (connection.Endpoint != second.Endpoint())
        {
            await back.Task.InTime();
        }

        Assert.Equal(second.Endpoint(), connection.Endpoint);
        Assert.Equal(6, asked);
    }

    [Theory]
    [InlineData(0, "The callback ResolveEndpoints of the connection's options has failed: The registry is down.")]
    [InlineData(1, "has failed: The option Endpoints names at least one endpoint; it is 0.")]
    [InlineData(2, "has failed: The option Endpoints have ports of 1 to 65,535; it is 127.0.0.1:70000.")]
    [InlineData(3, "has failed: It has returned null.")]
    [InlineData(4, "The callback ResolveEndpoints of the connection's options has not returned within 0.05 s (ConnectTimeout).")]
    public async Task What_it_does_wrong_is_an_error_of_the_attempt_that_names_it(int how, string expected)
    {
        var options = new AmqpConnectionOptions
        {
            ConnectTimeout = TimeSpan.FromMilliseconds(how == 4 ? 50 : 60_000),
            ResolveEndpoints = async token =>
            {
                if (how == 4)
                {
                    await Task.Delay(Timeout.Infinite, token);
                }

                return how switch
                {
                    0 => throw new InvalidOperationException("The registry is down."),
                    1 => [],
                    2 => [new BrokerEndpoint("127.0.0.1", 70_000)],
                    _ => null!,
                };
            },
        };
        AmqpConnectionException error =
            await Assert.ThrowsAsync<AmqpConnectionException>(() => AmqpConnection.ConnectAsync(options).InTime());
        Assert.EndsWith(expected, error.Message.Split(" (Parameter")[0], StringComparison.Ordinal);
    }

    [Fact]
    public async Task What_it_returns_is_tried_in_turn()
    {
        await using LoopbackServer silent = AmqpServers.Scripted((_, _) => Task.CompletedTask);
        await using var broker = new AmqpServer();
        await using AmqpConnection connection = await broker.ConnectAsync(options => options with
        {
            EndpointOrder = EndpointOrder.AsGiven,
            ResolveEndpoints = _ => ValueTask.FromResult<IReadOnlyList<BrokerEndpoint>>([silent.Endpoint(), options.Endpoints[0]]),
        }).InTime();
        Assert.Equal(broker.Port, connection.Endpoint.Port);
        await silent.ServedAsync();
    }

    [Fact]
    public void The_options_say_who_knows_where_the_broker_is() =>
        Assert.Equal("amqp to endpoints by ResolveEndpoints, virtual host '/', user 'guest'", new AmqpConnectionOptions
        {
            ResolveEndpoints = _ => ValueTask.FromResult<IReadOnlyList<BrokerEndpoint>>([]),
        }.ToString());
}
