using Wire.Amqp.Client.Tests.Testing;
using Wire.Amqp.V091;
using Wire.Testing;

namespace Wire.Amqp.Client.Tests.Connections;

/// <summary>The broker itself goes away and comes back, in order or not.</summary>
[Collection(nameof(PrivateNode))]
public sealed class BrokerRestartTests(PrivateNode node)
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task What_waits_goes_out_and_consumers_go_on_when_the_broker_is_back(bool isKilled)
    {
        await using TestLink link = await TestLink.ConnectAsync(broker: node.Node.Uri);
        AmqpChannel channel = await link.Connection.OpenChannelAsync().InTime();
        string exchange = Broker.UniqueName();
        await channel.Topology.DeclareExchangeAsync(exchange, "fanout", new AmqpExchangeOptions { Durable = false }).InTime();
        string durable = (await channel.Topology.DeclareQueueAsync(Broker.UniqueName()).InTime()).Name;
        string named = (await channel.Topology.DeclareQueueAsync().InTime()).Name;
        await channel.Topology.BindQueueAsync(durable, exchange).InTime();
        await channel.Topology.BindQueueAsync(named, exchange).InTime();

        if (isKilled)
        {
            // A node that is killed soon after it was told of a queue may forget it, with what is in it: docs/rabbitmq.md says why.
            // When it has been stopped in order, the queue is on its disk.
            await link.LoseAsync(async () =>
            {
                await node.StopAsync();
                await node.StartAsync();
            });
        }

        // On the disk of the broker, and consumed after the restart.
        var persistent = new BasicProperties { DeliveryMode = 2 };
        await channel.PublishBytesAsync(
            new BasicPublish { Exchange = "", RoutingKey = durable, Mandatory = true }, persistent, "before"u8.ToArray()).AsTask().InTime();
        var failures = new Countdown(3);
        link.Connection.RecoveryFailed += _ => failures.Signal();
        Task lost = link.NextLoss();
        Task recovered = link.NextRecovery();
        await (isKilled ? node.KillAsync() : node.StopAsync());
        await lost.InTime();
        Task waiting = channel.PublishBytesAsync(
            new BasicPublish { Exchange = exchange, Mandatory = true }, persistent, "meanwhile"u8.ToArray()).AsTask();
        await failures.Task.InTime();
        Assert.False(waiting.IsCompleted);
        await node.StartAsync();
        await recovered.InTime();
        await waiting.InTime();
        Assert.Equal(2u, (await channel.Topology.FindQueueAsync(durable).InTime())!.MessageCount);

        var come = new Countdown(3);
        List<string> seen = [];
        ValueTask Handle(AmqpDelivery delivery)
        {
            seen.Add(TestChannel.TextOf(delivery));
            come.Signal();
            return default;
        }

        await channel.ConsumeAsync(named, Handle).InTime();
        await channel.ConsumeAsync(durable, Handle).InTime();
        await come.Task.InTime();
        Assert.Equal(["before", "meanwhile", "meanwhile"], seen.Order());
        await channel.Topology.DeleteQueueAsync(durable).InTime();
        await channel.Topology.DeleteExchangeAsync(exchange).InTime();
    }
}
