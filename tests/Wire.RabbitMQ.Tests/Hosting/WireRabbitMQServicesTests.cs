using Microsoft.Extensions.DependencyInjection;

namespace Wire.RabbitMQ.Tests.Hosting;

/// <summary>What is wrong with how services are set up is said where they are.</summary>
public sealed class WireRabbitMQServicesTests
{
    [Fact]
    public void Connections_that_would_never_come_back_are_refused()
    {
        var error = Assert.Throws<ArgumentException>(
            () => new ServiceCollection().AddWireRabbitMQ(options => options.ConnectionFactory.AutomaticRecoveryEnabled = false));
        Assert.Contains("AutomaticRecoveryEnabled", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Options_out_of_range_are_refused()
    {
        Assert.Throws<ArgumentException>(() => new ServiceCollection().AddWireRabbitMQ(options => options.ConnectTimeout = TimeSpan.Zero));
        Assert.Throws<ArgumentOutOfRangeException>(() =>
            new ServiceCollection().AddWireRabbitMQ(options => options.Requester = new WireRequesterOptions { ReplyConcurrency = 0 }));
        Assert.Throws<ArgumentOutOfRangeException>(() => new ServiceCollection().AddWireRabbitMQ(_ => { }).AddConsumer(
            new WireConsumerOptions { Queue = "q", MaxConcurrency = 0 },
            consumer => consumer.Handle<int>((_, _) => Task.CompletedTask)));
    }

    [Fact]
    public void It_is_added_once()
    {
        var services = new ServiceCollection();
        services.AddWireRabbitMQ(_ => { });
        var error = Assert.Throws<InvalidOperationException>(() => services.AddWireRabbitMQ(_ => { }));
        Assert.Contains("AddWireRabbitMQ", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_name_is_added_once_and_beside_others()
    {
        var services = new ServiceCollection();
        services.AddWireRabbitMQ("orders", _ => { });
        services.AddWireRabbitMQ("Orders", _ => { });
        services.AddWireRabbitMQ(_ => { });
        var error = Assert.Throws<InvalidOperationException>(() => services.AddWireRabbitMQ("orders", _ => { }));
        Assert.Contains("'orders'", error.Message, StringComparison.Ordinal);
        Assert.Throws<ArgumentException>(() => services.AddWireRabbitMQ("", _ => { }));
    }

    [Fact]
    public void A_consumer_without_a_handler_is_refused()
    {
        var error =
            Assert.Throws<ArgumentException>(() => new ServiceCollection().AddWireRabbitMQ(_ => { }).AddConsumer("orders", _ => { }));
        Assert.Contains("orders", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Two_handlers_for_a_type_are_refused()
    {
        var error = Assert.Throws<ArgumentException>(
            () => new ServiceCollection().AddWireRabbitMQ(_ => { }).AddConsumer("orders", consumer => consumer
                .Handle<int>((_, _) => Task.CompletedTask)
                .Reply<int, int>((number, _) => Task.FromResult(number))));
        Assert.Contains("orders", error.Message, StringComparison.Ordinal);
        Assert.Contains("System.Int32", error.Message, StringComparison.Ordinal);
    }
}
