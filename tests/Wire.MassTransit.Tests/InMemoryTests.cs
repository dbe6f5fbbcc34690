using MassTransit;
using Wire.Comparing;

namespace Wire.MassTransit.Tests;

/// <summary>The transport within a process, which also delays messages by itself.</summary>
public sealed class InMemoryTests : TransportTests
{
    [Fact]
    public async Task A_redelivered_message_is_what_it_was()
    {
        var inbox = new Inbox<ConsumeContext<OrderEvent>>();
        await using RunningBus bus = await Start((bus, endpoint) =>
        {
            bus.UseDelayedMessageScheduler();
            endpoint.UseScheduledRedelivery(retry => retry.Interval(2, TimeSpan.FromMilliseconds(20)));
            endpoint.Handler<OrderEvent>(context => context.GetRedeliveryCount() < 2
                ? throw new InvalidOperationException("later")
                : inbox.Add(context));
        });

        await bus.Send(Shop.Order(), context => context.Headers.Set("Text", "kept"));

        ConsumeContext<OrderEvent> read = await inbox.Next();
        GraphAssert.Same(Shop.Order(), read.Message, sharing: true);
        Assert.Equal((2, "kept"), (read.GetRedeliveryCount(), read.Headers.Get<string>("Text")));
    }

    [Fact]
    public async Task A_scheduled_message_arrives()
    {
        var inbox = new Inbox<OrderEvent>();
        await using RunningBus bus = await Start((bus, endpoint) =>
        {
            bus.UseDelayedMessageScheduler();
            endpoint.Handler<GetOrder>(context => context.ScheduleSend(TimeSpan.FromMilliseconds(20), Shop.Order()));
            Consume(endpoint, inbox);
        });

        await bus.Send(new GetOrder(Guid.NewGuid()));

        GraphAssert.Same(Shop.Order(), await inbox.Next(), sharing: true);
    }

    protected override IBusControl Create(Action<IBusFactoryConfigurator> configure) => Bus.Factory.CreateUsingInMemory(configure);
}
