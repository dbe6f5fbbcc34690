using Microsoft.Extensions.Logging.Abstractions;
using Wire.Amqp.Client.Consuming;
using Wire.RabbitMQ.Connections;
using Wire.RabbitMQ.Consuming;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Consuming;

/// <summary>What runs deliveries loses none, and no place for the next.</summary>
public sealed class MessagePumpTests
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task What_cannot_be_settled_ends_the_subscription_with_the_reason_goes_back_and_frees_its_place(bool later)
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(WireTransport.Client);
        int handled = 0;
        var pump = new MessagePump(1, ExecutionContext.Capture()!, HandleAsync, CancellationToken.None);
        IBrokerChannel channel = await bench.Connection.Broker.OpenChannelAsync(new ChannelUse(), CancellationToken.None).InTime();
        await using (channel)
        {
            using var subscription = new Subscription(channel, pump, prefetch: 2, TimeSpan.Zero, NullLogger.Instance);
            await bench.PublishAsync(1);
            await bench.PublishAsync(2);
            await channel.ConsumeAsync(bench.Queue, autoAck: false, consumerTag: "", exclusive: false, arguments: null, CancellationToken.None).InTime();
            Assert.Contains("out of order", await subscription.Ended.InTime(), StringComparison.Ordinal);
            await pump.DrainAsync().InTime();
        }

        Assert.Equal(1, handled);
        Assert.True((await bench.TakeAsync(bench.Queue)).Redelivered);
        await bench.TakeAsync(bench.Queue);

        async ValueTask<Settlement> HandleAsync(Delivery delivery)
        {
            handled++;
            if (later)
            {
                await Task.Yield();
            }

            throw new InvalidOperationException("out of order");
        }
    }
}
