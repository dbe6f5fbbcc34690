using System.Net.Mime;
using MassTransit;
using MassTransit.Serialization;
using Wire.Comparing;
using Wire.Testing;

namespace Wire.MassTransit.Tests;

/// <content>What is refused, and what is damaged.</content>
public abstract partial class TransportTests
{
    [Fact]
    public async Task A_refused_type_is_in_the_error_queue_with_the_reason_and_the_next_message_is_consumed()
    {
        var inbox = new Inbox<Parcel>();
        ErrorQueue? errors = null;
        await using RunningBus bus = await Start(
            (_, endpoint) => Consume(endpoint, inbox), (bus, queue) => errors = ErrorQueue.Of(bus, queue));

        await bus.Send(new Parcel { Content = new Stranger("somebody") });
        string reason = await errors!.NextReason();
        Assert.StartsWith($"The payload names the type '{typeof(Stranger).FullName}", reason, StringComparison.Ordinal);
        Assert.Contains(".Allow", reason, StringComparison.Ordinal);

        await bus.Send(new Parcel { Content = new Box(2.5) });
        GraphAssert.Same(new Parcel { Content = new Box(2.5) }, await inbox.Next());
        Assert.True(inbox.IsEmpty);
    }

    [Fact]
    public async Task A_derived_type_that_nobody_allowed_is_refused()
    {
        var inbox = new Inbox<OrderEvent>();
        ErrorQueue? errors = null;
        await using RunningBus bus = await Start(
            (_, endpoint) => Consume(endpoint, inbox), (bus, queue) => errors = ErrorQueue.Of(bus, queue), new SerializerOptions());

        await bus.Send(new OrderShipped { OrderId = Id });

        Assert.Contains($"names the type '{typeof(OrderShipped).FullName}", await errors!.NextReason(), StringComparison.Ordinal);
        Assert.True(inbox.IsEmpty);
    }

    [Fact]
    public async Task A_refused_type_in_a_header_is_refused_too()
    {
        var inbox = new Inbox<Parcel>();
        ErrorQueue? errors = null;
        await using RunningBus bus = await Start(
            (_, endpoint) => Consume(endpoint, inbox), (bus, queue) => errors = ErrorQueue.Of(bus, queue));

        await bus.Send(new Parcel(), context => context.Headers.Set("Stranger", (object)new Stranger("somebody")));

        Assert.StartsWith($"The payload names the type '{typeof(Stranger).FullName}", await errors!.NextReason(), StringComparison.Ordinal);
        Assert.True(inbox.IsEmpty);
    }

    [Fact]
    public async Task Bytes_that_are_no_message_are_in_the_error_queue_and_the_next_message_is_consumed()
    {
        var inbox = new Inbox<Parcel>();
        ErrorQueue? errors = null;
        await using RunningBus bus = await Start(
            (_, endpoint) => Consume(endpoint, inbox), (bus, queue) => errors = ErrorQueue.Of(bus, queue));

        await bus.Send(new Parcel(), context => context.Serializer = new Damage(_ => [1, 2, 3]));
        await bus.Send(new Parcel(), context => context.Serializer = new Damage(bytes => bytes[..^1]));
        await bus.Send(new Parcel(), context => context.Serializer = new Damage(bytes => [.. bytes, 0]));
        await bus.Send(new Parcel { Content = "last" });

        Assert.Equal("last", (await inbox.Next()).Content);
        string[] reasons = [await errors!.NextReason(), await errors.NextReason(), await errors.NextReason()];
        Assert.Single(reasons, reason => reason.Contains("is not the header of a payload", StringComparison.Ordinal));
        Assert.Single(reasons, reason => reason.Contains("The input ends inside a value", StringComparison.Ordinal));
        Assert.Single(reasons, reason => reason.Contains("follow the end of the value", StringComparison.Ordinal));
    }

    [Fact]
    public async Task The_error_queue_has_the_bytes_that_came()
    {
        byte[] sent = [];
        ErrorQueue? errors = null;
        await using RunningBus bus = await Start(
            (_, endpoint) => Consume(endpoint, new Inbox<Parcel>()), (bus, queue) => errors = ErrorQueue.Of(bus, queue));

        await bus.Send(
            new Parcel { Content = new Stranger("somebody") }, context => context.Serializer = new Damage(bytes => sent = bytes));

        ReceiveContext moved = await errors!.Next();
        Assert.Equal(sent, moved.GetBody());
        Assert.Equal(WireSerializerFactory.WireContentType, moved.ContentType);
    }
}
