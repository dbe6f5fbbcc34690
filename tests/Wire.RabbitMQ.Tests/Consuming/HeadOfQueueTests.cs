using Wire.Amqp.V10;
using Wire.RabbitMQ.Streams;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Consuming;

/// <summary>
/// A message that the broker cannot deliver over AMQP 0-9-1: it closes the connection over it each time, and the log says what that is.
/// </summary>
public abstract class HeadOfQueueTests(WireTransport transport)
{
    [Fact]
    public async Task The_log_says_that_a_message_at_the_head_of_the_queue_is_the_likely_cause()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        await bench.Channel.QueueDeleteAsync(bench.Queue, ifUnused: false, ifEmpty: false).InTime();
        await using var client = new StreamClient(StreamClientOptions.Parse(Broker.Node.StreamUri.ToString()));
        await client.CreateStreamAsync(bench.Queue).InTime();
        await using (StreamProducer producer = await client.CreateProducerAsync(bench.Queue).InTime())
        {
            await producer.SendMessageAsync(7, new Properties { MessageId = "first" }).AsTask().InTime();
            await producer.SendMessageAsync(
                8, new Properties { MessageId = "fatal" },
                new ApplicationProperties { Map = AmqpValue.Map(("id", Guid.NewGuid())) }).AsTask().InTime();
        }

        var seen = new System.Collections.Concurrent.ConcurrentQueue<int>();
        WireConsumer consumer = bench.Consumer(
            options => options with { Arguments = new Dictionary<string, object?> { ["x-stream-offset"] = 1L } });
        await consumer.Handle<int>((number, _) =>
        {
            seen.Enqueue(number);
            return Task.CompletedTask;
        }).StartAsync().InTime();

        await ConsumerBench.Until(() => Task.FromResult(bench.Log.Any(line => line.StartsWith("2016 ", StringComparison.Ordinal))));
        string[] ends = [.. bench.Log.Where(line => line.StartsWith("2003 ", StringComparison.Ordinal))];
        string suspicion = bench.Log.First(line => line.StartsWith("2016 ", StringComparison.Ordinal));
        Assert.Equal(2, ends.Length);
        Assert.Contains("3 times in a row", suspicion, StringComparison.Ordinal);
        Assert.Contains("at the head of this queue", suspicion, StringComparison.Ordinal);
        Assert.Contains("541 INTERNAL_ERROR", suspicion, StringComparison.Ordinal);
        Assert.All([.. ends, suspicion], line => Assert.DoesNotContain("..", line, StringComparison.Ordinal));
        Assert.Empty(seen);
    }
}

/// <inheritdoc/>
public sealed class HeadOfQueueTestsOnClient() : HeadOfQueueTests(WireTransport.Client);

/// <inheritdoc/>
public sealed class HeadOfQueueTestsOnLane() : HeadOfQueueTests(WireTransport.DirectLane);
