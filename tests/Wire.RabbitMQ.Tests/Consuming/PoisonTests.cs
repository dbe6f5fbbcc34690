using System.Text;
using RabbitMQ.Client;
using Wire.RabbitMQ.Consuming;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Consuming;

/// <summary>
/// Messages that cannot be handled and whose properties are made so that no copy of them can be either: they are in the error queue all the
/// same.
/// </summary>
public abstract class PoisonTests(WireTransport transport)
{
    [Theory]
    [InlineData(500)]
    [InlineData(10_000)]
    [InlineData(20_000)]
    public async Task Headers_that_leave_no_room_for_the_reason_lose_no_message_and_no_connection(int left)
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        bool lost = false;
        bench.Connection.Lost += () => lost = true;
        WireConsumer consumer = bench.Consumer(options => options with { Retry = RetryPolicy.None })
            .Handle<OrderPlaced>((_, _) => throw new InvalidOperationException(new string('x', 100_000)));
        await consumer.StartAsync().InTime();
        byte[] body = Shop.Serializer.Write(new OrderPlaced(Guid.NewGuid(), "Ada", 1)).Memory.ToArray();
        await bench.PublishRawAsync(body, new BasicProperties
        {
            MessageId = "large",
            Headers = new Dictionary<string, object?> { ["small"] = 7, ["large"] = new byte[(int)bench.Connection.FrameMax - left] },
        });

        BasicGetResult dead = await bench.TakeAsync(bench.ErrorQueue);
        Assert.Equal(("large", 7), (dead.BasicProperties.MessageId, dead.BasicProperties.Headers!["small"]));
        Assert.Equal("handler-failed", dead.ErrorHeader("reason"));
        Assert.Equal(bench.Queue, dead.ErrorHeader("queue"));
        Assert.Equal(body, dead.Body.ToArray());
        await consumer.StopAsync().InTime();
        Assert.Equal(0u, (await bench.LookAsync(bench.Queue)).MessageCount);
        Assert.False(lost, "The connection was lost.");
    }

    [Fact]
    public async Task Headers_that_come_in_a_frame_that_is_too_large_to_go_out_again_lose_no_message()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        ConnectionFactory factory = Broker.Node.Factory();
        factory.RequestedFrameMax = (uint)Broker.LeastFrameMax;
        await using TestConnection small = await TestConnection.ConnectAsync(transport, factory);
        WireConsumer consumer = bench.Consumer(options => options with { Retry = RetryPolicy.None }, small)
            .Handle<OrderPlaced>((_, _) => throw new InvalidOperationException(new string('x', 100_000)));
        await consumer.StartAsync().InTime();
        await bench.PublishAsync(
            new OrderPlaced(Guid.NewGuid(), "Ada", 1),
            properties => properties.Headers = new Dictionary<string, object?> { ["small"] = 7, ["large"] = new byte[50_000] });

        BasicGetResult dead = await bench.TakeAsync(bench.ErrorQueue);
        Assert.Equal((7, "large"), (dead.BasicProperties.Headers!["small"], dead.ErrorHeader("left-out")));
        Assert.Equal("handler-failed", dead.ErrorHeader("reason"));
        Assert.True(small.IsOpen);
        await consumer.StopAsync().InTime();
    }

    [Fact]
    public async Task Texts_that_are_no_UTF_8_and_grow_when_they_are_written_again_lose_no_message()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        WireConsumer consumer =
            bench.Consumer(options => options with { Retry = RetryPolicy.None }).Handle<OrderPlaced>((_, _) => Task.CompletedTask);
        await consumer.StartAsync().InTime();
        byte[] nothing = [.. Enumerable.Repeat((byte)0xFF, 255)];
        await using (IChannel channel = await bench.Looking.CreateChannelAsync().InTime())
        {
            await channel.BasicPublishAsync(
                "", bench.Queue, mandatory: true, new RawProperties(nothing, nothing), ReadOnlyMemory<byte>.Empty).AsTask().InTime();
        }

        BasicGetResult dead = await bench.TakeAsync(bench.ErrorQueue);
        Assert.Equal("undecodable", dead.ErrorHeader("reason"));
        Assert.Equal("own", Encoding.UTF8.GetString((byte[])dead.BasicProperties.Headers!["own"]!));
        if (transport == WireTransport.Client)
        {
            // That client has decoded them: what does not fit any more where it was is in a header, and a name is cut.
            Assert.Equal((false, new string('\uFFFD', 255)), (dead.BasicProperties.IsMessageIdPresent(), dead.ErrorHeader("message-id")));
            Assert.True(dead.BasicProperties.Headers.ContainsKey(new string('\uFFFD', 85)));
        }
        else
        {
            // Byte for byte, which RabbitMQ.Client reads as this.
            Assert.Equal(new string('\uFFFD', 255), dead.BasicProperties.MessageId);
            Assert.True(dead.BasicProperties.Headers.ContainsKey(new string('\uFFFD', 255)));
        }

        await consumer.StopAsync().InTime();
        Assert.Equal(0u, (await bench.LookAsync(bench.Queue)).MessageCount);
    }

    [Theory]
    [InlineData(62)]
    [InlineData(63)]
    [InlineData(64)]
    [InlineData(65)]
    [InlineData(200)]
    public async Task Headers_that_are_nested_however_deep_lose_no_message_and_keep_nobody(int depth)
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        WireConsumer consumer = bench.Consumer(options => options with { Retry = RetryPolicy.None })
            .Handle<OrderPlaced>((_, _) => throw new InvalidOperationException("no"));
        await consumer.StartAsync().InTime();
        byte[] body = Shop.Serializer.Write(new OrderPlaced(Guid.NewGuid(), "Ada", 1)).Memory.ToArray();
        object? nested = "inmost";
        for (int i = 0; i < depth; i++)
        {
            nested = i % 2 == 0 ? new List<object?> { nested } : new Dictionary<string, object?> { ["in"] = nested };
        }

        var headers = new Dictionary<string, object?> { ["small"] = 7, ["nested"] = nested };
        await bench.PublishRawAsync(body, new BasicProperties { MessageId = "deep", Headers = headers });
        BasicGetResult dead = await bench.TakeAsync(bench.ErrorQueue);
        Assert.Equal("deep", dead.BasicProperties.MessageId);
        Assert.Equal(body, dead.Body.ToArray());
        if (transport == WireTransport.Client || depth < 64)
        {
            Assert.Equal(7, dead.BasicProperties.Headers!["small"]);
        }

        await consumer.StopAsync().InTime();
        Assert.Equal(0u, (await bench.LookAsync(bench.Queue)).MessageCount);
    }
}

/// <inheritdoc/>
public sealed class PoisonTestsOnClient() : PoisonTests(WireTransport.Client);

/// <inheritdoc/>
public sealed class PoisonTestsOnLane() : PoisonTests(WireTransport.DirectLane);
