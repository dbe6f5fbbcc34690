using System.Diagnostics;
using Wire.Amqp.Client;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;
using Wire.Testing.Telemetry;

namespace Wire.RabbitMQ.Tests.Diagnostics;

/// <summary>Over the direct lane, a message is told once: by publishers and consumers, and not by the client as well.</summary>
[Collection(TelemetryTests.Name)]
public sealed class ClientTelemetryOverLaneTests
{
    private const string Client = "Wire.Amqp.Client";

    [Fact]
    public async Task The_client_tells_of_connection_and_channels_and_of_messages_on_channels_of_the_program_alone()
    {
        using var spans = new SpanListener("Wire.RabbitMQ", Client);
        using var numbers = new NumberListener(Client);
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(Broker.Node.Factory().ForDirectLane()).InTime();
        await using AmqpChannel own = await connection.OpenChannelAsync().InTime();
        string queue = (await own.Topology.DeclareQueueAsync(Broker.UniqueName(), AmqpQueueOptions.Temporary).InTime()).Name;
        (string, object?) server = ("server.port", Broker.Node.Uri.Port);
        double before = numbers.Now("wire.amqp.client.channels.open", server);
        await using (var consumer = new WireConsumer(
            connection, Shop.Serializer, new WireConsumerOptions { Queue = queue, OnFailure = FailureAction.DeadLetter }))
        {
            consumer.Handle<int>((_, _) => Task.CompletedTask);
            await consumer.StartAsync().InTime();
            await using var publisher = new WirePublisher(connection, Shop.Serializer);
            await publisher.PublishAsync("", queue, 1).AsTask().InTime();
            Activity process = await spans.SpanAsync(span => span.OperationName == $"process {queue}");
            Activity publish = await spans.SpanAsync(span => span.OperationName == $"publish {queue}");
            Assert.Equal(("Wire.RabbitMQ", "Wire.RabbitMQ"), (publish.Source.Name, process.Source.Name));
            Assert.Equal((publish.TraceId, publish.SpanId), (process.TraceId, process.ParentSpanId));
            Assert.Equal(0, spans.Count(span => span.Source.Name == Client));
            Assert.Empty(numbers.Of("messaging.client.sent.messages"));
            Assert.Empty(numbers.Of("messaging.client.consumed.messages"));
            Assert.Equal(1, numbers.Now("wire.amqp.client.connections.open", server));
            Assert.Equal(before + 2, numbers.Now("wire.amqp.client.channels.open", server));
            await consumer.StopAsync().InTime();
        }

        await own.PublishAsync("", queue, 2).AsTask().InTime();
        Assert.Equal(1, numbers.Sum("messaging.client.sent.messages"));
        Assert.Equal(1, spans.Count(span => span.Source.Name == Client));
    }

    [Fact]
    public async Task A_channel_that_is_lost_is_counted_once_by_who_uses_it()
    {
        const string Lost = "wire.amqp.client.channels.lost";
        const string LostByPlugin = "wire.rabbitmq.channels.lost";
        using var client = new NumberListener(Client);
        using var plugin = new NumberListener("Wire.RabbitMQ");
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(Broker.Node.Factory().ForDirectLane()).InTime();
        await using (var publisher = new WirePublisher(connection, Shop.Serializer))
        {
            await Assert.ThrowsAnyAsync<Exception>(() => publisher.PublishAsync(Broker.UniqueName(), "", 1).AsTask().InTime());
            await NumberListener.UntilAsync(() => plugin.Sum(LostByPlugin) == 1);
        }

        // What it has counted of the first, it has before that of the second.
        await using AmqpChannel own = await connection.OpenChannelAsync().InTime();
        await Assert.ThrowsAnyAsync<Exception>(() => own.PublishAsync(Broker.UniqueName(), "", 1).AsTask().InTime());
        await NumberListener.UntilAsync(() => client.Sum(Lost) > 0);
        Assert.Equal((1, 1), (client.Sum(Lost), plugin.Sum(LostByPlugin)));
    }

    [Fact]
    public async Task Publishers_and_consumers_tell_that_no_channel_is_lost_when_they_open_one()
    {
        using var numbers = new NumberListener("Wire.RabbitMQ");
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(Broker.Node.Factory().ForDirectLane()).InTime();
        await using var publisher = new WirePublisher(connection, Shop.Serializer);
        await publisher.PublishAsync("", Broker.UniqueName(), 1, new PublishOptions { Mandatory = false }).AsTask().InTime();
        Assert.Equal(0, Assert.Single(numbers.Of("wire.rabbitmq.channels.lost")).Value);
    }
}
