using Wire.Amqp.Client.Diagnostics;

namespace Wire.Amqp.Client.Tests.Diagnostics;

/// <summary>How spans and numbers call what a message is published to or comes from.</summary>
public sealed class DestinationTests
{
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
