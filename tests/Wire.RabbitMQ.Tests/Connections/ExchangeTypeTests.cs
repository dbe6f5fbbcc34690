using Wire.Amqp.Client;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Connections;

/// <summary>An exchange of a type that the broker does not know.</summary>
public abstract class ExchangeTypeTests(WireTransport transport)
{
    private static readonly Version ClosesTheChannelOnly = new(4, 0);

    [Fact]
    public async Task No_type_is_refused_before_the_broker_hears_of_it()
    {
        await using TestConnection connection = await TestConnection.ConnectAsync(transport);
        int lost = 0;
        connection.Lost += () => Interlocked.Increment(ref lost);
        string exchange = Broker.UniqueName();
        ArgumentException refused = await Assert.ThrowsAnyAsync<ArgumentException>(
            () => connection.Connection.Topology.DeclareExchangeAsync(exchange, "").InTime());
        Assert.Equal("type", refused.ParamName);
        Assert.False(await connection.Connection.Topology.FindExchangeAsync(exchange).InTime());
        Assert.Equal(0, Volatile.Read(ref lost));
    }

    /// <summary>RabbitMQ 3 closes the connection over it, and 4 the channel only.</summary>
    [Fact]
    public async Task An_unknown_type_is_refused_which_the_error_says_and_the_connection_is_there_afterwards()
    {
        await using TestConnection connection = await TestConnection.ConnectAsync(transport);
        var back = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        connection.Recovered += back.SetResult;
        string exchange = Broker.UniqueName();
        Task Declare() => connection.Connection.Topology.DeclareExchangeAsync(exchange, "topci").InTime();
        if (Broker.Node.Version >= ClosesTheChannelOnly)
        {
            AmqpChannelException refused = await Assert.ThrowsAsync<AmqpChannelException>(Declare);
            Assert.Equal(406, refused.Reason.ReplyCode);
            Assert.Contains("unknown exchange type 'topci'", refused.Message, StringComparison.Ordinal);
            Assert.True(connection.IsOpen);
        }
        else
        {
            AmqpConnectionException error = await Assert.ThrowsAsync<AmqpConnectionException>(Declare);
            Assert.Equal(503, error.Reason!.ReplyCode);
            Assert.Contains("has closed the connection", error.Message, StringComparison.Ordinal);
            Assert.Contains("unknown exchange type 'topci'", error.Message, StringComparison.Ordinal);
            await back.Task.InTime();
        }

        Assert.False(await connection.Connection.Topology.FindExchangeAsync(exchange).InTime());
    }
}

/// <inheritdoc/>
public sealed class ExchangeTypeTestsOnClient() : ExchangeTypeTests(WireTransport.Client);

/// <inheritdoc/>
public sealed class ExchangeTypeTestsOnLane() : ExchangeTypeTests(WireTransport.DirectLane);
