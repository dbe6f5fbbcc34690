using RabbitMQ.Client;
using Wire.RabbitMQ.Diagnostics;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Diagnostics;

/// <summary>While nobody listens, telemetry is free.</summary>
[Collection(TelemetryTests.Name)]
public sealed class TelemetryCostTests
{
    [Fact]
    public void Without_listeners_nothing_is_allocated()
    {
        var properties = new BasicProperties();
        var arrival = new DeliveredMessage(null!, "orders", "placed", 1, 100, "id", null);
        var publish = new Gauge(() =>
        {
            SendTelemetry telemetry = default;
            telemetry.Start("publish", "orders", "placed");
            telemetry.Prepare(properties, null!);
            telemetry.Send(100);
            telemetry.Stop("orders", "placed");
        });
        var process = new Gauge(() => ProcessTelemetry.Start("queue", in arrival).Stop());

        Gauge.Settle(() => publish.BytesOfTenCalls == 0 && process.BytesOfTenCalls == 0, publish, process);

        Assert.Equal((0, 0), (publish.BytesOfTenCalls, process.BytesOfTenCalls));
        Assert.Null(properties.Headers);
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
}
