using Wire.Transport;

namespace Wire.RabbitMQ.Streams.Tests;

/// <summary>What a URI of streams says, and what it may not be.</summary>
public sealed class StreamUriTests
{
    [Fact]
    public void What_it_says_is_taken()
    {
        StreamClientOptions options = StreamClientOptions.Parse("rabbitmq-stream://me:se%2Fcret@broker:1234/my%20host");
        Assert.Equal([new BrokerEndpoint("broker", 1234)], options.Endpoints);
        Assert.Equal(("me", "se/cret", "my host"), (options.UserName, options.Password, options.VirtualHost));
        Assert.Null(options.Tls);
        Assert.DoesNotContain("cret", options.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void What_it_does_not_say_is_as_by_default()
    {
        StreamClientOptions options = StreamClientOptions.Parse("RabbitMQ-Stream://broker");
        Assert.Equal([new BrokerEndpoint("broker", 5552)], options.Endpoints);
        Assert.Equal(("guest", "guest", "/"), (options.UserName, options.Password, options.VirtualHost));
    }

    [Fact]
    public void With_TLS_there_is_another_port()
    {
        StreamClientOptions options = StreamClientOptions.Parse("rabbitmq-stream+tls://broker");
        Assert.Equal([new BrokerEndpoint("broker", 5551)], options.Endpoints);
        Assert.NotNull(options.Tls);
    }

    [Theory]
    [InlineData("")]
    [InlineData("amqp://broker")]
    [InlineData("rabbitmq-stream:/broker")]
    [InlineData("rabbitmq-stream://broker:port")]
    [InlineData("rabbitmq-stream://broker:70000")]
    public void What_is_no_such_URI_is_refused(string uri) => Assert.Throws<FormatException>(() => StreamClientOptions.Parse(uri));
}
