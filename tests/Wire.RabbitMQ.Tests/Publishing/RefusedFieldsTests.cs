using System.Text;
using RabbitMQ.Client;
using Wire.Amqp.Client;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Publishing;

/// <summary>
/// Headers and arguments that the broker would close the connection or the channel over are refused before they are sent: each fails by
/// itself, with an error that names its key, and everything else on the connection goes on.
/// </summary>
public abstract class RefusedFieldsTests(WireTransport transport) : PublisherTest(transport)
{
    [Fact]
    public async Task What_is_no_number_fails_its_own_message_and_no_other()
    {
        bool lost = false;
        Connection.Lost += () => lost = true;
        await using WirePublisher publisher = await WarmAsync(Small);
        object[] wrong =
        [
            double.NaN, double.PositiveInfinity, double.NegativeInfinity, float.NaN, float.PositiveInfinity, float.NegativeInfinity,
            new object[] { 1, double.NaN }, new Dictionary<string, object?> { ["inner"] = float.NegativeInfinity },
        ];
        Task[] tasks = [.. Enumerable.Range(0, 10 * wrong.Length).Select(
            i => OrderAsync(publisher, Queue, i % 10 == 5 ? Headers("ratio", wrong[i / 10]) : null))];
        for (int i = 0; i < tasks.Length; i++)
        {
            if (i % 10 == 5)
            {
                ArgumentException error = await Assert.ThrowsAsync<ArgumentException>(() => tasks[i].InTime());
                Assert.Contains("'ratio", error.Message, StringComparison.Ordinal);
                Assert.Contains("as a text", error.Message, StringComparison.Ordinal);
            }
            else
            {
                await tasks[i].InTime();
            }
        }

        await AssertCountAsync((uint)(9 * wrong.Length));
        Assert.False(lost);
    }

    [Theory]
    [InlineData("CC")]
    [InlineData("BCC")]
    public async Task Further_routing_keys_are_a_list_of_texts(string name)
    {
        bool lost = false;
        Connection.Lost += () => lost = true;
        await using WirePublisher publisher = await WarmAsync(Small);
        foreach (object? wrong in (object?[])[Queue, null, new object[] { Queue, 1 }, new[] { Encoding.UTF8.GetBytes(Queue) }])
        {
            ArgumentException error = await Assert.ThrowsAsync<ArgumentException>(
                () => OrderAsync(publisher, Queue, Headers(name, wrong)).InTime());
            Assert.Contains($"'{name}' is no list of texts", error.Message, StringComparison.Ordinal);
        }

        string other = await Watching.DeclareQueueAsync();
        await OrderAsync(publisher, Queue, Headers(name, new[] { other })).InTime();
        await AssertCountAsync(1);
        Assert.Equal(1u, await Watching.MessageCountAsync(other).InTime());
        Assert.False(lost);
    }

    [Fact]
    public async Task Arguments_of_queues_exchanges_bindings_and_consumers_are_refused_too()
    {
        bool lost = false;
        Connection.Lost += () => lost = true;
        WireConnection connection = Connection.Connection;
        string queue = Broker.UniqueName();
        var arguments = new Dictionary<string, object?> { ["x-wire"] = new Dictionary<string, object?> { ["ratio"] = double.NaN } };
        Func<Task>[] calls =
        [
            () => connection.Topology.DeclareQueueAsync(queue, AmqpQueueOptions.Temporary with { Arguments = arguments }),
            () => connection.Topology.DeclareExchangeAsync(queue, "direct", new AmqpExchangeOptions { Arguments = arguments }),
            () => connection.Topology.BindQueueAsync(Queue, "amq.headers", "", arguments),
            () => connection.Topology.UnbindQueueAsync(Queue, "amq.headers", "", arguments),
            () => connection.Topology.BindExchangeAsync("amq.fanout", "amq.headers", "", arguments),
            () => connection.Topology.UnbindExchangeAsync("amq.fanout", "amq.headers", "", arguments),
            async () =>
            {
                var options = new WireConsumerOptions { Queue = queue, Arguments = arguments, OnFailure = FailureAction.DeadLetter };
                await connection.Topology.DeclareQueueAsync(queue, AmqpQueueOptions.Temporary);
                await using WireConsumer consumer = Connection.Consumer(Shop.Serializer, options).Handle<int>((_, _) => Task.CompletedTask);
                await consumer.StartAsync();
            },
        ];
        foreach (Func<Task> call in calls)
        {
            ArgumentException error = await Assert.ThrowsAsync<ArgumentException>(() => call().InTime());
            Assert.Contains("'x-wire.ratio'", error.Message, StringComparison.Ordinal);
        }

        Assert.Equal(queue, (await connection.Topology.FindQueueAsync(queue).InTime())!.Name);
        Assert.False(await connection.Topology.FindExchangeAsync(queue).InTime());
        Assert.False(lost);
    }

    [Fact]
    public async Task A_negative_decimal_that_comes_is_read_and_goes_to_the_error_queue_as_it_came()
    {
        var properties = new BasicProperties
        {
            ContentType = "text/plain",
            Headers = new Dictionary<string, object?> { ["price"] = -19.90m, ["most"] = -214748364.7m },
        };
        string errors = await Watching.DeclareQueueAsync();
        string queue = Broker.UniqueName();
        await Connection.Connection.Topology.DeclareQueueAsync(queue, AmqpQueueOptions.Temporary).InTime();
        await Watching.BasicPublishAsync("", queue, mandatory: true, properties, "no payload"u8.ToArray()).AsTask().InTime();
        var options = new WireConsumerOptions { Queue = queue, ErrorQueue = errors, DeclareErrorQueue = false };
        await using WireConsumer consumer = Connection.Consumer(Shop.Serializer, options).Handle<int>((_, _) => Task.CompletedTask);
        await consumer.StartAsync().InTime();
        BasicGetResult? copy;
        using (var limit = new CancellationTokenSource(Patience.Limit))
        {
            while ((copy = await Watching.BasicGetAsync(errors, autoAck: true, limit.Token)) is null)
            {
                await Task.Delay(10, limit.Token);
            }
        }

        Assert.Equal((-19.90m, -214748364.7m), (copy.BasicProperties.Headers!["price"], copy.BasicProperties.Headers["most"]));
    }

    private static PublishOptions Headers(string name, object? value) =>
        new() { Headers = new Dictionary<string, object?> { ["before"] = 1, [name] = value } };
}

/// <inheritdoc/>
public sealed class RefusedFieldsTestsOnClient() : RefusedFieldsTests(WireTransport.Client);

/// <inheritdoc/>
public sealed class RefusedFieldsTestsOnLane() : RefusedFieldsTests(WireTransport.DirectLane);
