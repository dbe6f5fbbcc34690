using System.Collections.Concurrent;
using System.Text;
using RabbitMQ.Client;
using Wire.Amqp;
using Wire.RabbitMQ.Consuming;
using Wire.RabbitMQ.Tests.Consuming;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;
using Wire.Testing.Telemetry;

namespace Wire.RabbitMQ.Tests.Handlers;

/// <summary>A condition about payloads that are not read.</summary>
public abstract class WhereTests(WireTransport transport)
{
    private static readonly PayloadPath<decimal> Total = Shop.Serializer.Serializer.Path((OrderPlaced order) => order.Total);

    [Fact]
    public async Task What_does_not_meet_it_is_acknowledged_and_counted_and_not_handled()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        using var numbers = new NumberListener("Wire.RabbitMQ");
        var handled = new ConcurrentQueue<decimal>();
        var done = new TaskCompletionSource();
        WireConsumer consumer = bench.Consumer(options => options with
        {
            Where = payload => Total.TryRead(payload, out decimal total) && total is 7 or 8 or 17 or 18,
        });
        consumer.Handle<OrderPlaced>((order, _) =>
        {
            handled.Enqueue(order.Total);
            if (order.Total == 18)
            {
                done.SetResult();
            }

            return Task.CompletedTask;
        });
        await consumer.StartAsync().InTime();
        var compressed = new WireBodySerializer(
            Shop.Serializer.Serializer, new AmqpBodyOptions { Compression = Compression.GZip, CompressAbove = 0 });
        for (int i = 0; i < 19; i++)
        {
            var order = new OrderPlaced(Guid.NewGuid(), new string('x', 2000), i);
            if (i > 9)
            {
                await bench.Channel.PublishAsync(compressed, "", bench.Queue, order);
            }
            else
            {
                await bench.PublishAsync(order);
            }
        }

        await done.Task.InTime();
        await consumer.StopAsync().InTime();
        Assert.Equal([7, 8, 17, 18], handled.Order());
        Assert.Equal(0u, (await bench.LookAsync(bench.Queue)).MessageCount);
        Assert.Equal(15, numbers.Sum("wire.rabbitmq.process.unwanted", ("messaging.destination.name", bench.Queue)));
    }

    [Fact]
    public async Task What_it_cannot_be_asked_about_is_a_failure()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        WireConsumer consumer = bench.Consumer(options => options with
        {
            Where = payload => Total.Read(payload) == 1 ? throw new FormatException("one") : false,
        });
        consumer.Handle<OrderPlaced>((_, _) => throw new InvalidOperationException("Not wanted."));
        await consumer.StartAsync().InTime();
        await bench.PublishAsync(new OrderPlaced(Guid.NewGuid(), "Ada", 1));
        BasicGetResult failed = await bench.TakeAsync(bench.ErrorQueue);
        Assert.Equal((FailureReason.Undecodable, "one"), (failed.ErrorHeader("reason"), failed.ErrorHeader("message")));

        await bench.PublishRawAsync(Encoding.UTF8.GetBytes("no payload"));
        failed = await bench.TakeAsync(bench.ErrorQueue);
        Assert.Equal(FailureReason.Undecodable, failed.ErrorHeader("reason"));
    }
}

/// <inheritdoc/>
public sealed class WhereTestsOnLane() : WhereTests(WireTransport.DirectLane);

/// <inheritdoc/>
public sealed class WhereTestsOnClient() : WhereTests(WireTransport.Client);
