using System.Buffers;
using Wire.Amqp.V091;
using Wire.RabbitMQ.Connections;
using Wire.RabbitMQ.Diagnostics;
using Wire.RabbitMQ.Publishing;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;
using Wire.Transport.Pending;

namespace Wire.RabbitMQ.Tests.Diagnostics;

/// <summary>While nobody listens, telemetry is free.</summary>
[Collection(TelemetryTests.Name)]
public sealed class TelemetryCostTests
{
    [Fact]
    public void Without_listeners_nothing_is_allocated()
    {
        var channel = new FakeMessageChannel();
        var connection = new FakeConnection(channel);
        var arrival = new Arrival();
        var publish = new Gauge(() => Assert.Null(SendTelemetry.TryStart("publish", "orders", "placed")));
        var process = new Gauge(() => ProcessTelemetry.Start("queue", connection, arrival).Stop());
        var describe = new Gauge(() => Assert.True(PublishProperties.Create(null, isPersistent: true, span: null).Headers.IsNull));

        Gauge.Settle(() => publish.BytesOfTenCalls == 0 && process.BytesOfTenCalls == 0 && describe.BytesOfTenCalls == 0, publish, process,
            describe);

        Assert.Equal((0, 0, 0), (publish.BytesOfTenCalls, process.BytesOfTenCalls, describe.BytesOfTenCalls));
    }

    [Theory]
    [InlineData("", "", "amq.default", "amq.default")]
    [InlineData("", "orders", "orders", "orders")]
    [InlineData("shop", "", "shop", "shop")]
    [InlineData("shop", "order.17", "shop", "shop:order.17")]
    [InlineData("", "amq.gen-8c2dWmkGJZ4", "amq.gen", "amq.gen-8c2dWmkGJZ4")]
    [InlineData("", "amq.rabbitmq.reply-to.g1h2AA5yZXBseUA2O", "amq.rabbitmq.reply-to", "amq.rabbitmq.reply-to.g1h2AA5yZXBseUA2O")]
    public void A_destination_is_named_in_short_and_in_full(string exchange, string routingKey, string name, string full) =>
        Assert.Equal((name, full), (Destination.Name(exchange, routingKey), Destination.Full(exchange, routingKey)));

    [Theory]
    [InlineData("", "orders", "orders", "orders")]
    [InlineData("shop", "", "orders", "shop:orders")]
    [InlineData("shop", "orders", "orders", "shop:orders")]
    [InlineData("shop", "order.17", "orders", "shop:order.17:orders")]
    public void The_destination_of_a_delivery_ends_with_its_queue(string exchange, string routingKey, string queue, string full) =>
        Assert.Equal(full, Destination.Full(exchange, routingKey, queue));

    private sealed class Arrival : IDelivery
    {
        public ulong Tag => 1;

        public bool Redelivered => false;

        public string Exchange => "orders";

        public string RoutingKey => "placed";

        public BasicProperties Properties => new() { MessageId = "id" };

        public ReadOnlySequence<byte> Body => default;

        public long BodySize => 0;

        public CancellationToken Lost => CancellationToken.None;

        public void Settle(Settlement settlement) => throw new NotSupportedException();

        public void Keep() => throw new NotSupportedException();

        public void Release() => throw new NotSupportedException();
    }
}
